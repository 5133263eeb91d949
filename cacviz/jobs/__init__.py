"""What runs: one queue for every kind of job, the worker, and a helper for quick questions."""
