"""Algorithm 1: CAC, its kernel, its critical α, its experts."""
