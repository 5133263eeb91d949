"""A run as one file: packed for another installation, checked before it is taken in."""
