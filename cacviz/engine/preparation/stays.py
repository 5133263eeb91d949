"""Stays of patients in hours, beside what else is known of them: what methods of series read."""

from __future__ import annotations

from dataclasses import dataclass

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


def stays_of(cohort: Cohort, static: np.ndarray) -> Stays:
    """The cohort's hours as they were measured, and its static features as prepared.

    A variable whose summaries were all taken out of the features is out of the hours as well.
    """
    series = series_of(cohort)
    used = [i for i, name in enumerate(series.variables) if _used(cohort, name)]
    if not used:
        raise CohortError(
            "No variable of the hourly records is left: the summaries of all of them have other "
            "roles. Give one or more of them the role feature, or choose a method without hours."
        )
    values, measured = series.values[:, :, used], series.measured[:, :, used]
    return Stays(np.where(measured, values, np.float32(np.nan)), static)


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
    return not roles or "feature" in roles
