"""What is read from files: records in time, their hourly series, and tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from cacviz.engine.types.choices import Column, Note

RecordForm = Literal["long", "wide", "p2012", "p2019"]
TimeUnit = Literal["seconds", "minutes", "hours", "days"]
Start = Literal["zero", "first"]
Reason = Literal["not in static table", "no records", "too short", "outcome in window"]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a file of records has what; whatever is empty is found out from the file.

    `event` is a variable that turns 1 when the outcome is met; it is never a feature. Hours count
    from the file's own zero, or from each patient's `first` row.
    """

    id: str = ""
    time: str = ""
    variable: str = ""
    value: str = ""
    event: str = ""
    form: RecordForm | Literal[""] = ""
    unit: TimeUnit | Literal[""] = ""
    start: Start | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Patients who were left out for one reason, and the first few of them."""

    reason: Reason
    n_patients: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Measurements of patients in time, an entry each, in the order patient, variable, time, value.

    `ids`, `observed`, `onset` and the rows of `static` have an entry a patient. `step` is 1 where
    a row of the file stands for a whole hour, 0 where it is an instant.
    """

    ids: np.ndarray  # whole numbers or words, ascending
    variables: tuple[str, ...]
    patient: np.ndarray  # int32, place in `ids`
    variable: np.ndarray  # int16, place in `variables`
    hours: np.ndarray  # float32
    values: np.ndarray  # float32, never missing
    observed: np.ndarray  # float32, hours from zero to the end of the last row; NaN without rows
    id_name: str = "patient"
    step: float = 0.0
    form: RecordForm = "long"
    static: Table | None = None
    onset: np.ndarray | None = None  # float32, hour in which the outcome is first met, NaN = never
    event: str = ""  # what the onset is of
    exclusions: tuple[Exclusion, ...] = ()  # who was left out so far
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """The first hours of a stay, from which alone features are made.

    `shortest` is how long a patient must have been observed; None asks for the whole window where
    the file has a row an hour, and else for nothing. `keep_empty` keeps who has no record.
    """

    hours: int = 24
    shortest: float | None = None
    keep_empty: bool = False


@dataclass(frozen=True, slots=True)
class Flow:
    """How many patients a file has, and who was left out on the way to the cohort, in order.

    `notes` are what was noticed in the records themselves; `lengths` is how many hours of records
    a patient has before any is cut: the least, quartiles, the most.
    """

    n_read: int
    exclusions: tuple[Exclusion, ...] = ()
    notes: tuple[Note, ...] = ()
    hours: int = 0  # the window
    form: RecordForm = "long"
    lengths: tuple[float, ...] = ()

    @property
    def n_kept(self) -> int:
        return self.n_read - sum(e.n_patients for e in self.exclusions)


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Patients by hours by variables, within a window, each hour with its last measurement.

    `values` are carried forward and NaN before the first measurement; `measured` says which were
    not carried; `since` is hours since the last measurement, 0 where measured, -1 before the first.
    """

    variables: tuple[str, ...]
    values: np.ndarray  # float32
    measured: np.ndarray  # bool
    since: np.ndarray  # int16

    @property
    def n_hours(self) -> int:
        return self.values.shape[1]

    def take(self, rows: np.ndarray) -> Series:
        """Some of the patients, by place or by mask."""
        return Series(self.variables, self.values[rows], self.measured[rows], self.since[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A file's rows and each column's kind as they were read, and what was noticed on the way.

    `sheets` are those of a spreadsheet, the one that was read first; `digest` tells tables apart.
    A table made from records has, row by row, their hourly `series`, and the `flow` to it.
    """

    frame: pd.DataFrame
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    digest: str = ""
    series: Series | None = None
    flow: Flow | None = None
