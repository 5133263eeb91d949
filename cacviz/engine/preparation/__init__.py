"""Cohorts become splits and matrices, fitted on training patients only."""
