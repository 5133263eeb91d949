"""A follow-up time and its event, told by the outcome that was made of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cacviz.engine.reading.kinds import as_numbers, as_yesno
from cacviz.engine.types import Cohort

SAME = 0.99  # of the patients: the outcome is the event by some day
LEAST_TIMES = 20
_FREE = ("feature", "left out")
MOST_EACH = 40  # columns of either kind that are tried


def time_and_event(cohort: Cohort) -> tuple[str, str, float] | None:
    """(time, event, day): patients have the outcome just where the event came by that day.

    The event alone does not tell it, for later ones count for nothing. None where the roles are
    given, or no pair tells it.
    """
    if len(cohort.classes) != 2 or cohort.names("time") or cohort.names("event"):
        return None
    rows = np.flatnonzero(cohort.y >= 0)
    y = cohort.y[rows] == 1
    if min(y.sum(), (~y).sum()) < LEAST_TIMES:
        return None
    times = [*_times(cohort, rows)]
    for name, event in _events(cohort, rows) if times else ():
        if not np.all(event[y] == 1):
            continue  # every patient with the outcome had the event
        for other, time in times:
            day = float(time[y].max())
            if _tells(event == 1, time <= day, y):
                return other, name, day
    return None


def _tells(event: np.ndarray, by_day: np.ndarray, y: np.ndarray) -> bool:
    both = np.mean((event & by_day) == y)
    return bool(both >= SAME and np.mean(event == y) < both)


def _times(cohort: Cohort, rows: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    numbers = [c for c in cohort.columns if c.kind == "number" and c.role in _FREE]
    for column in numbers[:MOST_EACH]:
        values = as_numbers(cohort.frame[column.name].iloc[rows])
        whole = not np.isnan(values).any() and values.min() >= 0
        if whole and len(np.unique(values)) >= LEAST_TIMES:
            yield column.name, values


def _events(cohort: Cohort, rows: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    flags = [c for c in cohort.columns if c.kind == "yesno" and c.role in _FREE]
    for column in flags[:MOST_EACH]:
        values = as_yesno(cohort.frame[column.name].iloc[rows])
        if not np.isnan(values).any():
            yield column.name, values
