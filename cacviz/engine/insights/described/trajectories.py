"""Mean course of a variable in each subtype, hour by hour, with intervals and counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cacviz.engine.insights.types import Trajectory
from cacviz.engine.types import Series

Z = 1.959964  # two-sided 95%


def trajectories(
    series: Series,
    variable: str,
    members: Sequence[np.ndarray],
    *,
    carried: bool = False,
    fewest: int = 1,
) -> tuple[Trajectory, ...]:
    """The course in each set of patients (rows of the series).

    A patient counts in the hours in which the variable was measured; `carried` counts the last
    value that was known, too. With fewer than `fewest` patients an hour tells nothing.
    """
    place = series.variables.index(variable)
    values = series.values[:, :, place].astype(np.float64)
    if not carried:
        values = np.where(series.measured[:, :, place], values, np.nan)
    return tuple(_trajectory(j, values[rows], fewest) for j, rows in enumerate(members))


def _trajectory(cluster: int, values: np.ndarray, fewest: int) -> Trajectory:
    """Mean of each hour with Student's 95% interval, over patients."""
    known = np.isfinite(values)
    n = known.sum(axis=0)
    filled = np.where(known, values, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = filled.sum(axis=0) / n
        spread = np.where(known, (values - mean) ** 2, 0.0).sum(axis=0)
        half = student_quantile(n - 1) * np.sqrt(spread / (n - 1) / n)
    told = n >= max(1, fewest)
    mean, half = np.where(told, mean, np.nan), np.where(n > 1, half, np.nan)
    counts = np.where(told | (n == 0), n, -1)  # -1: hidden
    return Trajectory(cluster, len(values), counts, mean, mean - half, mean + half)


def student_quantile(freedom: np.ndarray) -> np.ndarray:
    """The 97.5% point of Student's t, by Hill's exact forms below 3 and an expansion from there.

    The pages that draw trajectories load no scipy; the error is below 0.1%.
    """
    v = np.maximum(np.asarray(freedom, dtype=np.float64), 1.0)
    z2 = Z * Z
    terms = (
        (z2 + 1) / (4 * v)
        + (5 * z2**2 + 16 * z2 + 3) / (96 * v**2)
        + (3 * z2**3 + 19 * z2**2 + 17 * z2 - 15) / (384 * v**3)
        + (79 * z2**4 + 776 * z2**3 + 1482 * z2**2 - 1920 * z2 - 945) / (92160 * v**4)
    )
    exact = {1.0: 12.706205, 2.0: 4.302653, 3.0: 3.182446}
    found = Z * (1 + terms)
    for degrees, value in exact.items():
        found = np.where(v == degrees, value, found)
    return found
