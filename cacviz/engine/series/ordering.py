"""Puts measurements in the one order that all else relies on, whatever the order of the file."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cacviz.engine.types import Start


class Entries(NamedTuple):
    """Measurements as arrays of one length: who, what, when (hours) and how much."""

    patient: np.ndarray
    variable: np.ndarray
    hours: np.ndarray
    values: np.ndarray

    def where(self, mask: np.ndarray) -> Entries:
        return Entries(*(part[mask] for part in self))


def in_order(entries: Entries, n_variables: int) -> tuple[Entries, int]:
    """By patient, variable, time and value, each row once; and how many were repeated.

    Two values of the same instant are put in order of size, so that no result hangs on the order
    of the file's rows: the first of a stay is then the lower one, the last the higher one.
    """
    with np.errstate(over="ignore"):
        values = entries.values.astype(np.float32) + np.float32(0)  # -0 is 0
        hours = entries.hours.astype(np.float32) + np.float32(0)
    known = np.isfinite(values)
    group = entries.patient.astype(np.int64) * n_variables + entries.variable
    if not known.all():
        group, hours, values = group[known], hours[known], values[known]
    order = _order(group, hours, values)
    group, hours, values = group[order], hours[order], values[order]
    again = np.zeros(len(group), dtype=bool)
    again[1:] = (np.diff(group) == 0) & (np.diff(hours) == 0) & (np.diff(values) == 0)
    if again.any():
        group, hours, values = group[~again], hours[~again], values[~again]
    patient, variable = np.divmod(group, max(n_variables, 1))
    found = Entries(patient.astype(np.int32), variable.astype(np.int16), hours, values)
    return found, int(again.sum())


def _order(group: np.ndarray, hours: np.ndarray, values: np.ndarray) -> np.ndarray:
    """As lexsort by group, hours and values, in a third of the time: one key, then the ties."""
    if len(group) and group.max() >= 2**32:
        return np.lexsort((values, hours, group))
    bits = hours.view(np.uint32)
    rising = np.where(bits >> 31, ~bits, bits | np.uint32(2**31))  # floats in order, as integers
    key = group.astype(np.uint64) << np.uint64(32) | rising
    order = np.argsort(key)
    key = key[order]
    tie = np.zeros(len(key) + 1, dtype=bool)
    tie[1:-1] = key[1:] == key[:-1]
    tied = np.flatnonzero(tie[1:] | tie[:-1])
    rows = order[tied]
    order[tied] = rows[np.lexsort((values[rows], key[tied]))]
    return order


def started(patient: np.ndarray, hours: np.ndarray, n_patients: int, start: Start) -> np.ndarray:
    """Hours since the file's zero, or since each patient's first row."""
    if start == "zero":
        return hours
    first = np.full(n_patients, np.inf)
    np.minimum.at(first, patient, hours)
    return hours - first[patient]


def step_of(hours: np.ndarray) -> float:
    """1 where every row is at a whole hour, so that it stands for that hour; else 0."""
    return float(len(hours) > 0 and bool((hours == np.floor(hours)).all()))


def observed_hours(
    patient: np.ndarray, hours: np.ndarray, n_patients: int, step: float
) -> np.ndarray:
    """Hours from zero to the end of each patient's last row."""
    last = np.full(n_patients, -np.inf)
    np.maximum.at(last, patient, hours)
    return np.where(np.isfinite(last), last + step, np.nan).astype(np.float32)
