"""The page Bedside rule."""
