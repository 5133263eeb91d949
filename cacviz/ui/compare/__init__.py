"""Compare: studies, and two runs side by side."""
