"""Shares with their intervals, by arithmetic alone: light enough for a page."""

from __future__ import annotations

import math
from statistics import NormalDist

from cacviz.engine.types import Scored

Z95 = 1.959963984540054


def wilson(count: int, n: int, z: float = Z95) -> Scored:
    """A share with its Wilson interval, 95% by itself; not known of nobody."""
    if n == 0:
        return Scored(math.nan, math.nan, math.nan)
    p, z2 = count / n, z * z
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = z / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return Scored(p, max(0.0, middle - half), min(1.0, middle + half))


def difference(more: tuple[int, int], less: tuple[int, int], pairs: int = 1) -> Scored:
    """The difference of two shares (count, n) with Newcombe's interval (1998, method 10).

    Of so many `pairs` that were looked at it is the widest, so the interval allows for all (Šidák).
    """
    z = NormalDist().inv_cdf(0.5 + 0.95 ** (1 / pairs) / 2)
    a, b = wilson(*more, z), wilson(*less, z)
    gap = a.value - b.value
    low = gap - math.hypot(a.value - a.low, b.high - b.value)
    return Scored(gap, low, gap + math.hypot(a.high - a.value, b.value - b.low))
