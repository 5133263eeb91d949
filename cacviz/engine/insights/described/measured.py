"""A cohort's columns as arrays to compute with: numbers, and codes of levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.insights.types import Shape
from cacviz.engine.reading.answers import is_sex
from cacviz.engine.reading.kinds import as_numbers, as_words, as_yesno, shorten
from cacviz.engine.reading.levels import ordered_levels
from cacviz.engine.types import Cohort, Column

MOST_LEVELS = 12
MOST_ARMS = 8  # of a treatment that is told by numbers; more of them are doses
OTHER = "other"


class Measured(NamedTuple):
    """One column: its numbers (NaN where missing), or codes of its levels (-1 where missing)."""

    column: Column
    shape: Shape
    values: np.ndarray
    levels: tuple[str, ...]

    @property
    def known(self) -> np.ndarray:
        return ~np.isnan(self.values) if self.shape == "number" else self.values >= 0


def measure(cohort: Cohort, names: Sequence[str]) -> list[Measured]:
    """The named columns; dates, text and what was never measured are left out."""
    found = [_measure(cohort.frame[name], cohort.column(name)) for name in names]
    return [m for m in found if m is not None and m.known.any()]


def _measure(values: pd.Series, column: Column) -> Measured | None:
    if column.kind == "number" and not _is_arm(values, column):
        return Measured(column, "number", as_numbers(values), ())
    if column.kind == "yesno" and not is_sex(column.name):
        answers = as_yesno(values)
        if not np.isnan(answers[values.notna().to_numpy()]).any():
            codes = np.where(np.isnan(answers), -1, answers).astype(np.int64)
            return Measured(column, "yesno", codes, ("no", "yes"))
    if column.kind in ("number", "yesno", "category"):
        return Measured(column, "category", *_levels(as_words(values)))
    return None


def _is_arm(values: pd.Series, column: Column) -> bool:
    """Whether numbers are the names of a treatment's arms: 0, 1, 2 and 3 have no mean."""
    return column.role == "treatment" and values.nunique() <= MOST_ARMS


def _levels(words: pd.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    """Codes in the order of the levels; beyond the most frequent, one pool for the rest."""
    counts = words.value_counts().to_dict()
    order = sorted(counts, key=lambda w: (-counts[w], w))
    kept = order if len(order) <= MOST_LEVELS else order[: MOST_LEVELS - 1]
    kept = ordered_levels({w: counts[w] for w in kept})
    place = {w: i for i, w in enumerate(kept)}
    codes, distinct = pd.factorize(words)
    lookup = np.array([*(place.get(w, len(kept)) for w in distinct), -1], dtype=np.int64)
    titles = [shorten(w, 60) for w in kept]
    return lookup[codes], tuple(titles if len(kept) == len(order) else [*titles, OTHER])
