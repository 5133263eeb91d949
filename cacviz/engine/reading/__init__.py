"""Files that nobody has checked yet become tables."""
