"""The page Treatment."""
