"""Runs: everything that was tried."""
