"""Shares with their intervals, by arithmetic alone: light enough for a page."""

from __future__ import annotations

import math

from cacviz.engine.types import Scored

Z95 = 1.959963984540054


def wilson(count: int, n: int) -> Scored:
    """A share with its 95 % Wilson interval; not known of nobody."""
    if n == 0:
        return Scored(math.nan, math.nan, math.nan)
    p, z2 = count / n, Z95 * Z95
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return Scored(p, max(0.0, middle - half), min(1.0, middle + half))
