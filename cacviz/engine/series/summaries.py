"""Static features of a window of records: first, last, lowest, highest, median, count, slope."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from cacviz.engine.types import Records

VENTILATION, URINE = "MechVent", "Urine"
LATE = 8  # hours before the end of the window
_VITALS = (
    *("DiasABP", "GCS", "Glucose", "HR", "MAP", "NIDiasABP", "NIMAP", "NISysABP", "RespRate"),
    *("SaO2", "Temp"),
)
_ONCE = ("MechVent", "Urine")  # of which the paper has summaries of their own
WORDS = {"count": "times measured", "slope": "change an hour"}  # others are called what they are
FIVE = ("first", "last", "lowest", "highest", "median")
Plan = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]  # (variables, statistics) together


class Groups(NamedTuple):
    """Records of one patient and one variable together, in order of time."""

    values: np.ndarray  # float64
    hours: np.ndarray
    start: np.ndarray  # place of each group's first record
    size: np.ndarray
    cell: np.ndarray  # patient × number of variables + variable, of each group


def full_plan(records: Records) -> Plan:
    """Every statistic of every variable; of ventilation, which is only ever noted, none."""
    return ((tuple(v for v in records.variables if v != VENTILATION), tuple(STATISTICS)),)


def paper_plan(records: Records) -> Plan:
    """What the paper's static cohorts have: five of each, but two of the laboratory in 2012."""
    if records.form != "p2012":
        return ((records.variables, FIVE),)
    vitals = tuple(v for v in records.variables if v in _VITALS)
    others = tuple(v for v in records.variables if v not in (*_VITALS, *_ONCE))
    return ((vitals, FIVE), (others, ("first", "last")))


def summaries(records: Records, plan: Plan, n_hours: int) -> dict[str, np.ndarray]:
    """A column for each statistic of each variable, an entry a patient, NaN where not measured.

    The records must be within the window already. Names are as in GCS_lowest, Lactate_last.
    """
    assert not len(records.hours) or records.hours.max() <= n_hours, "records beyond the window"
    groups = grouped(records)
    wanted = {s for _, statistics in plan for s in statistics}
    shape = len(records.ids), len(records.variables)
    found = {s: _spread(STATISTICS[s](groups), groups, shape) for s in STATISTICS if s in wanted}
    if "count" in found:
        found["count"] = np.nan_to_num(found["count"])  # never measured is 0 times
    place = {v: i for i, v in enumerate(records.variables)}
    columns = {
        f"{v}_{s}": found[s][:, place[v]]
        for variables, statistics in plan
        for s in statistics
        for v in variables
    }
    return columns | _ventilation(records, n_hours) | _urine(records)


def label_of(name: str, records: Records) -> str:
    """What a summary is called on screen: GCS_lowest is GCS (lowest); others have no label."""
    variable, _, statistic = name.rpartition("_")
    if statistic not in STATISTICS or variable not in records.variables:
        return ""
    return f"{variable} ({WORDS.get(statistic, statistic)})"


def grouped(records: Records) -> Groups:
    """The records by patient and variable: they are in that order."""
    cell = records.patient.astype(np.int64) * len(records.variables) + records.variable
    start = np.flatnonzero(np.diff(cell, prepend=-1))
    size = np.diff(start, append=len(cell))
    values, hours = records.values.astype(np.float64), records.hours.astype(np.float64)
    return Groups(values, hours, start, size, cell[start])


def _first(groups: Groups) -> np.ndarray:
    return groups.values[groups.start]


def _last(groups: Groups) -> np.ndarray:
    return groups.values[groups.start + groups.size - 1]


def _lowest(groups: Groups) -> np.ndarray:
    return np.minimum.reduceat(groups.values, groups.start)


def _highest(groups: Groups) -> np.ndarray:
    return np.maximum.reduceat(groups.values, groups.start)


def _median(groups: Groups) -> np.ndarray:
    order = np.lexsort((groups.values, np.repeat(np.arange(len(groups.size)), groups.size)))
    ranked = groups.values[order]
    low = ranked[groups.start + (groups.size - 1) // 2]
    return (low + ranked[groups.start + groups.size // 2]) / 2


def _count(groups: Groups) -> np.ndarray:
    return groups.size.astype(np.float64)


def _slope(groups: Groups) -> np.ndarray:
    """Change an hour, by least squares; NaN where all was measured at one instant.

    What only rounding makes differ from 0 is 0: ranks would tell such noise apart.
    """
    hours = groups.hours - np.repeat(_mean(groups.hours, groups), groups.size)
    values = groups.values - np.repeat(_mean(groups.values, groups), groups.size)
    spread = np.add.reduceat(hours * hours, groups.start)
    both = np.add.reduceat(hours * values, groups.start)
    height = np.add.reduceat(values * values, groups.start)
    size = np.maximum.reduceat(np.abs(groups.values), groups.start)
    flat = (both * both <= 1e-18 * spread * height) | (height <= 1e-24 * size * size)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(spread > 1e-9, np.where(flat, 0.0, both / spread), np.nan)


def _mean(values: np.ndarray, groups: Groups) -> np.ndarray:
    return np.add.reduceat(values, groups.start) / groups.size


STATISTICS: dict[str, Callable[[Groups], np.ndarray]] = {
    "first": _first,
    "last": _last,
    "lowest": _lowest,
    "highest": _highest,
    "median": _median,
    "count": _count,
    "slope": _slope,
}


def _spread(found: np.ndarray, groups: Groups, shape: tuple[int, int]) -> np.ndarray:
    spread = np.full(shape, np.nan)
    spread.reshape(-1)[groups.cell] = found
    return spread


def _ventilation(records: Records, n_hours: int) -> dict[str, np.ndarray]:
    """When ventilation was first noted, for how long (minutes), whether late, and how often."""
    rows = _rows_of(records, VENTILATION, records.values > 0)
    if rows is None:
        return {}
    n = len(records.ids)
    first, last = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(first, records.patient[rows], records.hours[rows])
    np.maximum.at(last, records.patient[rows], records.hours[rows])
    count = np.bincount(records.patient[rows], minlength=n).astype(np.float64)
    ever = count > 0
    named = {
        "MechVentStartTime": np.round(60 * first, 2),
        "MechVentDuration": np.round(60 * (last - np.where(ever, first, 0)), 2),
        "MechVentLast8Hour": (last >= n_hours - LATE).astype(np.float64),
        "MechVentCount": count,
    }
    return {name: np.where(ever, column, np.nan) for name, column in named.items()}


def _urine(records: Records) -> dict[str, np.ndarray]:
    """All urine of the window; NaN where none was noted."""
    rows = _rows_of(records, URINE)
    if rows is None:
        return {}
    n = len(records.ids)
    total = np.bincount(records.patient[rows], records.values[rows], minlength=n)
    noted = np.bincount(records.patient[rows], minlength=n) > 0
    return {"UrineOutputSum": np.where(noted, total, np.nan)}


def _rows_of(records: Records, name: str, among: np.ndarray | None = None) -> np.ndarray | None:
    if name not in records.variables:
        return None
    found = records.variable == records.variables.index(name)
    return np.flatnonzero(found if among is None else found & among)
