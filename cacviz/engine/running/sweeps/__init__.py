"""Sweeps over k, α, β and seeds: what is fitted, what it shows, and what follows for k."""
