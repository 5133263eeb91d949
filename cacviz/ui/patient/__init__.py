"""The page Patient."""
