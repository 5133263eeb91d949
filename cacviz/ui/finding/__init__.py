"""Find subtypes: the form and what is running."""
