"""Stays of patients in hours, beside what else is known of them: what methods of series read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cacviz.engine.exceptions import CohortError
from cacviz.engine.series.summaries import STATISTICS
from cacviz.engine.types import Cohort, Series


@dataclass(frozen=True, slots=True, eq=False)
class Stays:
    """Patients × hours × variables, NaN where nothing was measured, and their static features.

    `static` are patients × features: summaries of the hours, and what does not change in them.
    Some of the patients are taken by `stays[rows]`, as from an array.
    """

    hours: np.ndarray  # float32
    static: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.hours)

    def __getitem__(self, rows) -> Stays:
        return Stays(self.hours[rows], None if self.static is None else self.static[rows])


class Grid(NamedTuple):
    """The hours that a run is about: how many, and of which variables, in order."""

    n_hours: int
    variables: tuple[str, ...]


def grid_of(cohort: Cohort) -> Grid:
    """The cohort's hours and its variables that are used.

    A variable whose summaries were all taken out of the features is out of the hours as well; so is
    one of which a summary is the outcome, for its hours would tell it.
    """
    series = series_of(cohort)
    return Grid(series.n_hours, tuple(v for v in series.variables if _used(cohort, v)))


def stays_of(cohort: Cohort, static: np.ndarray) -> Stays:
    """The cohort's hours as they were measured, and its static features as prepared."""
    grid = grid_of(cohort)
    if not grid.variables:
        raise CohortError(
            "No variable of the hourly records is left: the summaries of all of them have other "
            "roles. Give one or more of them the role feature, or choose a method without hours."
        )
    return stays_on(grid, series_of(cohort), static)


def stays_on(grid: Grid, series: Series, static: np.ndarray) -> Stays:
    """Patients' hours on the grid of a run; a variable that they lack was never measured."""
    if series.n_hours != grid.n_hours:
        raise CohortError(
            f"The run reads the first {grid.n_hours} hours of a stay, and these records were cut "
            f"to {series.n_hours}. Choose a window of {grid.n_hours} hours."
        )
    place = {name: i for i, name in enumerate(series.variables)}
    found = [place.get(name, -1) for name in grid.variables]
    measured = series.measured[:, :, found] & (np.array(found) >= 0)
    return Stays(np.where(measured, series.values[:, :, found], np.float32(np.nan)), static)


def series_of(cohort: Cohort) -> Series:
    """The hourly series of a cohort, or what to do about a cohort without."""
    if cohort.series is None:
        raise CohortError(
            "This method reads hourly records, and the cohort has a row a patient only. Open a "
            "file of records (patient, time, variable, value), or choose a method without hours."
        )
    return cohort.series


def _used(cohort: Cohort, variable: str) -> bool:
    made = {f"{variable}_{statistic}" for statistic in STATISTICS}
    roles = [c.role for c in cohort.columns if c.name in made]
    return "outcome" not in roles and (not roles or "feature" in roles)
