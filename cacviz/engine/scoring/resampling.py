"""Scores over random splits: means, and a paired test corrected for overlapping patients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cacviz.engine.types import Scored

LEVEL = 0.05
ENOUGH_EVENTS = 40  # held-out patients of the rarest class below which one split claims nothing
SAME = 1e-12  # scores as far apart as rounding makes them


@dataclass(frozen=True, slots=True)
class Mean:
    """A score over splits: mean, standard deviation, 95% interval of the mean (corrected)."""

    n: int
    mean: float
    sd: float
    low: float
    high: float


def mean_of(values: Sequence[float], overlap: float) -> Mean:
    """Mean and sd over splits; the interval needs two splits or more.

    Training sets of random splits overlap, so that their scores vary less than fresh patients
    would make them: the variance grows by `overlap`, test patients / training patients (Nadeau
    and Bengio 2003).
    """
    n = len(values)
    if n < 2:
        only = float(values[0]) if n else math.nan
        return Mean(n, only, math.nan, math.nan, math.nan)
    from scipy.stats import t as student  # slow to import

    mean, sd = float(np.mean(values)), float(np.std(values, ddof=1))
    half = float(student.ppf(1 - LEVEL / 2, n - 1)) * sd * math.sqrt(1 / n + overlap)
    return Mean(n, mean, sd, mean - half, mean + half)


def corrected_test(differences: Sequence[float], overlap: float) -> tuple[Scored, float]:
    """Mean difference with its 95% interval, and p of the corrected resampled t-test."""
    found = mean_of(differences, overlap)
    value = Scored(found.mean, found.low, found.high)
    if found.n < 2:
        return value, math.nan
    if found.sd < SAME:  # the same on every split: nothing tells it from chance
        return value, 1.0 if abs(found.mean) < SAME else math.nan
    from scipy.stats import t as student

    statistic = found.mean / (found.sd * math.sqrt(1 / found.n + overlap))
    return value, float(2 * student.sf(abs(statistic), found.n - 1))


def drawn_p(value: float, draws: np.ndarray) -> float:
    """Two-sided p that a difference is 0, from its bootstrap draws by a normal of their spread."""
    draws = draws[np.isfinite(draws)]
    spread = float(draws.std(ddof=1)) if len(draws) > 1 else 0.0
    if not math.isfinite(value) or spread < SAME:
        return 1.0 if abs(value) < SAME else math.nan
    return math.erfc(abs(value) / spread / math.sqrt(2))
