"""What differs: tables and effects."""
