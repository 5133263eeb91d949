"""What the synthetic ICU stays are drawn from: their codebook, and how a stay is drawn."""
