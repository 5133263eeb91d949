"""Subtypes: cards, map, notes, curves."""
