"""What every page stands in: navigation, sidebar, what is open, and how user text is shown."""
