"""The page Performance."""
