"""Numbers as a clinician would write them: in sentences, tables and figures alike."""

from __future__ import annotations


def short_number(number: float) -> str:
    """Four digits, and no powers of ten where a clinician would not write them: 152,214."""
    return f"{number:,.0f}" if 1000 <= abs(number) < 1e12 else f"{number:.4g}"


def whole_number(number: float) -> str:
    """A number as somebody typed it, thousands told apart: 12,130.5."""
    return f"{number:,.10g}"
