"""How good a run is on held-out patients, and for whom."""
