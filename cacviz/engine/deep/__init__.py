"""DeepCAC: networks, losses, stages and training; the baselines beside it."""
