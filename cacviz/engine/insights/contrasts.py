"""How a set of patients differs from another, by sums alone: quick however large the cohort is.

What all patients sum to is computed once a cohort (`features_of`); a set is then read by its own
rows, and the rest is everybody less the set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cacviz.engine.insights.described.measured import Measured, measure
from cacviz.engine.scoring.effects import NO_SPREAD, pairwise_level_smd, pairwise_smd
from cacviz.engine.types import Cohort


@dataclass(frozen=True, slots=True)
class Contrast:
    """A feature in a set and in another: means, or shares of the level that differs most."""

    title: str
    unit: str
    level: str  # empty for numbers
    picked: float  # NaN where nobody of the set was measured
    compared: float
    effect: float  # standardised mean difference


class Summed(NamedTuple):
    """A column with what all its patients sum to: of numbers how many, sum, squares; or levels."""

    column: Measured
    centre: float  # sums are of what is beyond it, so that they lose no digits
    whole: np.ndarray


@dataclass(frozen=True, eq=False, slots=True)
class Features:
    """A cohort with its features summed."""

    cohort: Cohort
    summed: tuple[Summed, ...]


def features_of(cohort: Cohort) -> Features:
    """The features, ready for any number of questions."""
    columns = measure(cohort, cohort.names("feature"))
    return Features(cohort, tuple(_summed(m) for m in columns))


def contrasts(features: Features, rows, others, most: int) -> tuple[Contrast, ...]:
    """The features in which the set differs most from others (None: the rest)."""
    made = [
        _contrast(s, _sums(s, rows), None if others is None else _sums(s, others))
        for s in features.summed
    ]
    order = sorted(made, key=lambda c: -c.effect)  # stable: ties as the columns stand
    return tuple(c for c in order[:most] if c.effect > 0)


def _summed(column: Measured) -> Summed:
    centre = float(np.nanmean(column.values)) if column.shape == "number" else 0.0
    open_ = Summed(column, centre, np.empty(0))
    return open_._replace(whole=_sums(open_, slice(None)))


def _sums(of: Summed, rows) -> np.ndarray:
    values = of.column.values[rows]
    if of.column.shape != "number":
        return np.bincount(values[values >= 0], minlength=len(of.column.levels)).astype(float)
    beyond = values[~np.isnan(values)] - of.centre
    return np.array([len(beyond), beyond.sum(), beyond @ beyond])


def _contrast(of: Summed, picked: np.ndarray, compared: np.ndarray | None) -> Contrast:
    both = np.stack([picked, of.whole - picked if compared is None else compared])
    column = of.column.column
    if of.column.shape == "number":
        effect, means = _of_numbers(both)
        mine, theirs = (float(mean) + of.centre for mean in means)
        effect = 0.0 if _constant(of) else effect  # rounding is no difference
        return Contrast(column.title, column.unit, "", mine, theirs, effect)
    effect = _largest(pairwise_level_smd(both[None])[1])
    share = both / np.maximum(both.sum(axis=1, keepdims=True), 1)
    level = 1 if of.column.shape == "yesno" else int(np.abs(share[0] - share[1]).argmax())
    mine, theirs = (float(side[level]) for side in share)
    return Contrast(column.title, "", of.column.levels[level], mine, theirs, effect)


def _of_numbers(both: np.ndarray) -> tuple[float, np.ndarray]:
    n, first, second = both.T
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = first / n
        variance = np.maximum(second - n * mean**2, 0) / (n - 1)
    _, smd = pairwise_smd(*(part[None, :, None] for part in (n, mean, variance)))
    return _largest(smd), mean


def _constant(of: Summed) -> bool:
    n, _, squares = of.whole
    return bool(squares <= n * (NO_SPREAD * max(abs(of.centre), NO_SPREAD)) ** 2)


def _largest(smd: np.ndarray) -> float:
    """The one number of a single pair; 0 where a side has too few patients."""
    return float(np.nan_to_num(smd).max())
