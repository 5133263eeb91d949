"""Puts records on a grid of hours: the last measurement of each hour, carried forward.

And tells how full the grid is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Records, Series

MAX_CELLS = 250_000_000  # some 1.7 GB with what goes with them


def hourly(records: Records, n_hours: int) -> Series:
    """Patients × hours × variables of records that are within the window already.

    Hour h holds what was found from h up to h + 1; the last of it counts, and of two at the same
    instant the higher. What is known at the very end of the window belongs to the last hour.
    """
    shape = (len(records.ids), n_hours, len(records.variables))
    if np.prod(shape, dtype=np.int64) > MAX_CELLS:
        raise CohortError(
            f"{shape[0]:,} patients × {n_hours:,} hours × {shape[2]:,} variables are more than "
            f"{MAX_CELLS:,} values. Choose a shorter window or fewer variables."
        )
    hour = np.minimum(records.hours.astype(np.int64), n_hours - 1)
    assert not len(hour) or records.hours.max() <= n_hours, "records beyond the window"
    cell = (records.patient.astype(np.int64) * n_hours + hour) * shape[2] + records.variable
    last = np.ones(len(cell), dtype=bool)
    last[:-1] = cell[1:] != cell[:-1]  # in order of time, so an hour's records are neighbours
    values = np.full(shape, np.nan, dtype=np.float32)
    values.reshape(-1)[cell[last]] = records.values[last]
    measured = np.isfinite(values)
    return Series(records.variables, *carried(values, measured))


def carried(values: np.ndarray, measured: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values carried forward in place, what was measured, and hours since it was."""
    since = np.where(measured, 0, -1).astype(np.int16)
    for hour in range(1, values.shape[1]):
        carry = ~measured[:, hour] & (since[:, hour - 1] >= 0)
        np.copyto(values[:, hour], values[:, hour - 1], where=carry)
        np.copyto(since[:, hour], since[:, hour - 1] + np.int16(1), where=carry)
    for part in (values, measured, since):
        part.setflags(write=False)
    return values, measured, since


def shuffled(series: Series, rng: np.random.Generator) -> Series:
    """Each variable's courses dealt to other patients: what belonged together no longer does."""
    parts = [part.copy() for part in (series.values, series.measured, series.since)]
    for j in range(len(series.variables)):
        order = rng.permutation(len(series.values))
        for part in parts:
            part[:, :, j] = part[order, :, j]
    return Series(series.variables, *parts)


class Sampling(NamedTuple):
    """How often variables were measured, the most often measured first."""

    variables: tuple[str, ...]
    by_hour: np.ndarray  # hours × variables, share of patients measured in the hour
    ever: np.ndarray  # share of patients who were measured at all
    hours: np.ndarray  # of those, in how many hours (median)


def sampling(series: Series) -> Sampling:
    """Shares of patients; what was carried forward is no measurement."""
    counts = series.measured.sum(axis=1)  # patients × variables
    seen = counts > 0
    medians = [
        float(np.median(c[s])) if s.any() else 0.0 for c, s in zip(counts.T, seen.T, strict=True)
    ]
    order = np.argsort(-counts.sum(axis=0), kind="stable")
    return Sampling(
        tuple(series.variables[i] for i in order),
        series.measured.mean(axis=0)[:, order],
        seen.mean(axis=0)[order],
        np.array(medians)[order],
    )
