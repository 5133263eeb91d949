"""Features that follow a column that is known late: in their order, or by the same numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.late_names import late_family
from cacviz.engine.reading.kinds import as_numbers
from cacviz.engine.types import Cohort, Column

ALIKE = 0.9  # rank correlation
SAME = 0.3  # of the patients have the very same number, of very many that they could have
LEAST_NUMBERS = 50
MOST_LATE = 12
# a time, a sum or a date: others' forecasts and scores may well follow what was measured early
MEASURES = ("survival", "stay", "cost", "discharge")


def twins(cohort: Cohort, rows: np.ndarray) -> Iterator[tuple[str, str]]:
    """(feature, the late column that it follows), each feature once."""
    late = [c.name for c in cohort.columns if c.kind == "number" and _is_late(cohort, c)]
    late.sort(key=lambda name: cohort.column(name).role == "feature")
    theirs = {name: as_numbers(cohort.frame[name].iloc[rows]) for name in late[:MOST_LATE]}
    ranks = {name: _ranks(values) for name, values in theirs.items()}
    for name in cohort.names("feature") if late else ():
        if cohort.column(name).kind != "number" or name in late:
            continue
        own = as_numbers(cohort.frame[name].iloc[rows])
        own_ranks = _ranks(own)
        for other, values in theirs.items():
            alike = abs(_correlation(own_ranks, ranks[other])) >= ALIKE
            if alike or _same(own, values):
                yield name, other
                break


def _is_late(cohort: Cohort, column: Column) -> bool:
    assert cohort.outcome is not None
    if column.role not in ("feature", "left out", "time"):
        return False
    family = late_family(column.name, column.label, outcome=cohort.outcome.column)
    return column.role == "time" or (
        bool(family) if column.role == "left out" else family in MEASURES
    )


def _ranks(numbers: np.ndarray) -> np.ndarray:
    return pd.Series(numbers).rank().to_numpy()


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    known = ~(np.isnan(a) | np.isnan(b))
    if known.sum() < 30 or np.ptp(a[known]) == 0 or np.ptp(b[known]) == 0:
        return 0.0
    return float(np.corrcoef(a[known], b[known])[0, 1])


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether many have the same of many numbers, as a time to relapse ends with the last visit."""
    equal = a == b
    many = min(len(np.unique(x[~np.isnan(x)])) for x in (a, b)) >= LEAST_NUMBERS
    if not many or equal.mean() < SAME:
        return False
    return len(np.unique(a[equal])) >= LEAST_NUMBERS
