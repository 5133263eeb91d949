"""The subtypes as a rule that fits on a card."""
