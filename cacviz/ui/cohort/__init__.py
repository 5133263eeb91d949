"""Cohort: opening, choosing, checking."""
