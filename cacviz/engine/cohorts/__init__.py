"""Tables become cohorts: roles, outcomes, checks, leaks, the demo."""
