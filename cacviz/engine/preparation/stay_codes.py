"""Hours of patients as network inputs: scaled, carried forward, with what was measured when."""

from __future__ import annotations

import numpy as np

from cacviz.engine.exceptions import CohortError
from cacviz.engine.preparation.codes import InputCodes
from cacviz.engine.preparation.stays import Stays
from cacviz.engine.series.summaries import STATISTICS, summaries
from cacviz.engine.types import Records


class StayCodes:
    """What networks read of a stay, fitted on training patients: one row of numbers a patient.

    First the codes of the static features, as of a cohort without hours; then three blocks of hours
    × variables: rank-normal values carried forward (0 before the first), 1 where measured, and
    hours since the last measurement. Where there are no static features, summaries of the hours
    stand in for them.
    """

    def fit(self, stays):
        self.n_hours = stays.hours.shape[1]
        self.hourly = InputCodes().fit(_flat(_telling(stays.hours)))
        self.static = InputCodes().fit(static_of(stays))
        measured = np.isfinite(stays.hours[:, :, self.hourly.kept])
        self.n_features = float(max(measured.sum() / len(stays), 1.0))
        return self

    @property
    def n_inputs(self):
        """Of the static part, which comes first."""
        return self.static.n_inputs

    @property
    def n_values(self):
        return self.static.n_values

    @property
    def patterns(self):
        return self.static.patterns

    @property
    def n_variables(self):
        """Those that tell patients apart."""
        return self.hourly.n_values

    def inputs(self, stays):
        """All that networks read of each patient."""
        n = len(stays)
        values, measured = self.hourly.values(_flat(stays.hours))
        shape = (n, self.n_hours, self.n_variables)
        values, measured = values.reshape(shape), measured.reshape(shape)
        carried, since = carried_with_age(values, measured > 0)
        blocks = (part.reshape(n, -1) for part in (carried, measured, since))
        return np.hstack([self.static.inputs(static_of(stays)), *blocks], dtype=np.float32)

    def arrays(self):
        """Everything fitted, by name; `from_arrays` gives the same codes again."""
        parts = {"hourly": self.hourly, "static": self.static}
        found = {f"{p}/{k}": v for p, codes in parts.items() for k, v in codes.arrays().items()}
        return found | {"shape": np.array([self.n_hours, self.n_features])}

    @classmethod
    def from_arrays(cls, arrays):
        codes = cls()
        n_hours, n_features = arrays["shape"]
        codes.n_hours, codes.n_features = int(n_hours), float(n_features)
        for part in ("hourly", "static"):
            own = {k.removeprefix(f"{part}/"): v for k, v in arrays.items() if k.startswith(part)}
            setattr(codes, part, InputCodes.from_arrays(own))
        return codes


def carried_with_age(values, measured):
    """Values carried forward, 0 before the first; and the time since, from 0 (now) to 1 (never)."""
    n_hours = values.shape[1]
    hour = np.arange(n_hours, dtype=np.int16)[None, :, None]
    last = np.maximum.accumulate(np.where(measured, hour, np.int16(-1)), axis=1)
    carried = np.take_along_axis(values, np.maximum(last, 0).astype(np.int64), axis=1)
    carried = np.where(last >= 0, carried, np.float32(0))
    since = np.log1p(hour - last, dtype=np.float32) / np.log1p(np.float32(n_hours))
    return carried, np.where(last >= 0, since, np.float32(1))


def static_of(stays):
    """The static features of stays, or the summaries of their hours."""
    return hour_summaries(stays.hours) if stays.static is None else stays.static


def hour_summaries(hours):
    """First, last, lowest, highest, median, count and slope of each variable: patients × all."""
    n, n_hours, n_variables = hours.shape
    patient, variable, hour = np.nonzero(np.isfinite(hours).transpose(0, 2, 1))
    names = tuple(str(i) for i in range(n_variables))
    records = Records(
        ids=np.arange(n),
        variables=names,
        patient=patient.astype(np.int32),
        variable=variable.astype(np.int16),
        hours=hour.astype(np.float32),
        values=hours[patient, hour, variable].astype(np.float32),
        observed=np.full(n, n_hours, dtype=np.float32),
        step=1.0,
    )
    plan = ((names, tuple(STATISTICS)),)
    return np.column_stack(list(summaries(records, plan, n_hours).values()))


def as_stays(X):
    """An array of patients × hours × variables, or stays, as stays whose numbers were checked."""
    stays = X if isinstance(X, Stays) else Stays(np.asarray(X, dtype=np.float32))
    if stays.hours.ndim != 3 or not all(stays.hours.shape[1:]):
        raise ValueError(
            "X must be patients × hours × variables, NaN where nothing was measured; "
            f"it has the shape {stays.hours.shape}."
        )
    for part in (stays.hours, stays.static):
        if part is not None and np.isinf(part).any():
            raise ValueError("X has infinite numbers. Put NaN where nothing was measured.")
    if stays.static is not None and len(stays.static) != len(stays):
        raise ValueError(f"{len(stays)} stays have {len(stays.static)} rows of static features.")
    return stays


def _telling(hours):
    """The hours, if a variable of them was found at two values or more."""
    measured = np.isfinite(hours)
    low = np.where(measured, hours, np.inf).min(axis=(0, 1))
    high = np.where(measured, hours, -np.inf).max(axis=(0, 1))
    if not (high > low).any():
        raise CohortError(
            "Each variable of the hourly records has one value or none among training patients, so "
            "their hours tell nothing. Check that the column of values is the right one, or choose "
            "a method without hours: it reads how often and when each was noted."
        )
    return hours


def _flat(hours):
    return hours.reshape(-1, hours.shape[2])
