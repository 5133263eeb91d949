"""Signs that a column was recorded after the outcome: words, levels and columns that it follows."""
