"""Patients with what was decided about them: cohorts, findings in them, and splits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from cacviz.engine.types.choices import Choices, Column, Kind, Note, Origin, Outcome, Role
from cacviz.engine.types.tables import Series, Table

TRAIN, VALIDATION, TEST, UNUSED = 0, 1, 2, -1


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Cohort:
    """Patients as rows, with each column's kind and role, and the outcome as class codes."""

    name: str
    table: Table
    choices: Choices
    frame: pd.DataFrame  # the table as the choices read it
    y: np.ndarray  # class code per row, -1 where the outcome is missing
    classes: tuple[str, ...]
    fingerprint: str  # of what a fit sees: neither labels nor units
    origin: Origin = "file"
    series: Series | None = None  # of the rows of `frame`, in their order

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.choices.columns

    @property
    def outcome(self) -> Outcome | None:
        return self.choices.outcome

    @property
    def n_patients(self) -> int:
        return len(self.frame)

    @property
    def n_people(self) -> int:
        """Different patients: fewer than rows where the patient id repeats."""
        ids = self.names("patient id")
        if not ids:
            return self.n_patients
        known = self.frame[ids[0]]
        return int(known.nunique() + known.isna().sum())  # each nameless row is another one

    def names(self, *roles: Role) -> list[str]:
        return self.choices.names(*roles)

    def column(self, name: str) -> Column:
        return next(c for c in self.columns if c.name == name)


@dataclass(frozen=True, slots=True)
class Remedy:
    """What a button does to columns: other roles, a code taken as missing, or another kind.

    `spelling` takes levels as one that differ in capitals alone. `keep` answers a suspicion
    instead: the columns stay as they are.
    """

    columns: tuple[str, ...] = ()
    role: Role | None = None
    missing: str = ""
    kind: Kind | None = None
    keep: bool = False
    spelling: bool = False
    roles: tuple[Role, ...] = ()  # one for each of the columns


@dataclass(frozen=True, slots=True)
class Check:
    """A finding about a cohort: what, where, how grave, and the remedies, the likeliest first."""

    note: Note
    columns: tuple[str, ...] = ()
    remedies: tuple[Remedy, ...] = ()

    @property
    def code(self) -> str:
        return self.note.code

    @property
    def grave(self) -> bool:
        return self.note.severity == "grave"


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """A cohort with each patient's part: TRAIN, VALIDATION, TEST, or UNUSED without an outcome."""

    cohort: Cohort
    part: np.ndarray
    seed: int

    def rows(self, *parts: int) -> np.ndarray:
        return np.flatnonzero(np.isin(self.part, parts))
