"""What flows when a run meets patients it has not seen: matches, flags and predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.types import Column, Note

FINE, FAR, UNIT = 0, 1, 2  # of a value: ordinary or not known, far outside, maybe another unit


class Range(NamedTuple):
    """What 98% of the training patients had, and the middle of it."""

    low: float
    high: float
    median: float

    @property
    def span(self) -> float:
        return self.high - self.low


class Conversion(NamedTuple):
    """A way to write the same quantity: as the run had it = value · times + plus."""

    times: float
    plus: float = 0.0
    units: str = ""  # "µmol/L instead of mg/dL"; empty for a slip of the decimal point

    def __call__(self, values: Any) -> Any:
        return values * self.times + self.plus


@dataclass(frozen=True, slots=True)
class Match:
    """One column that a run uses, as another table has it.

    `flags` of the values are in `Matched`; `conversion` is set where most of them look like
    another unit. Levels that training never saw are `unknown`; `pooled` ones count as "other".
    """

    column: Column
    found: str | None  # its name in the table; None where it is not there
    known: int = 0  # values that could be used
    unreadable: int = 0
    unknown: int = 0
    pooled: int = 0
    far: int = 0
    conversion: Conversion | None = None
    range: Range | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """A table with the columns that a run uses, read as the run read them, and how they match.

    `flags` has, for each column of numbers, FINE, FAR or UNIT for each patient.
    """

    frame: pd.DataFrame
    matches: tuple[Match, ...]
    flags: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def absent(self) -> list[Column]:
        return [m.column for m in self.matches if m.found is None]


class Routed(NamedTuple):
    """Where patients belong: cluster, the next nearest one, and how clear it is (0 to 1)."""

    clusters: np.ndarray
    second: np.ndarray
    margin: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """What a run says of patients, an entry a row of their table, and what to know about it."""

    classes: tuple[str, ...]
    routed: Routed
    proba: np.ndarray  # patients × classes
    matched: Matched
    blank: np.ndarray  # how many of the columns that the run uses are not known, of each patient
    outside: np.ndarray  # who does not meet the conditions of the run's subgroup
    ids: pd.Series | None  # the patient id, where the table has it
    notes: tuple[Note, ...] = ()

    @property
    def n_patients(self) -> int:
        return len(self.proba)

    def flagged(self) -> list[list[str]]:
        """Each patient's columns with a value far outside; led by ~ where a unit is likely."""
        found: list[list[str]] = [[] for _ in range(self.n_patients)]
        for name, flags in self.matched.flags.items():
            for row in np.flatnonzero(flags):
                found[row].append(f"~{name}" if flags[row] == UNIT else name)
        return found
