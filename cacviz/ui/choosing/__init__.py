"""Choose k: how many subtypes, and which weights."""
