"""Who is judged together: everybody, each subtype, each group of a sensitive column."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from cacviz.engine.insights.judged.types import Group
from cacviz.engine.reading.kinds import as_numbers, as_words
from cacviz.engine.types import Cohort

MOST_LEVELS = 8


def groups_of(cohort: Cohort, n_clusters: int) -> list[Group]:
    """Everybody, the subtypes where there are several, and the levels of sensitive columns."""
    found = [Group("all")]
    if n_clusters > 1:
        found += [Group("subtype", cluster=j) for j in range(n_clusters)]
    for name in cohort.names("sensitive"):
        found += _levels(cohort.frame[name], name, cohort.column(name).kind)
    return found


def members(group: Group, cohort: Cohort, clusters: np.ndarray) -> np.ndarray:
    """Who is of the group, a flag for each patient of the cohort."""
    if group.kind == "all":
        return np.ones(cohort.n_patients, dtype=bool)
    if group.kind == "subtype":
        return clusters == group.cluster
    values = cohort.frame[group.column]
    if group.low == group.low:
        numbers = as_numbers(values)
        with np.errstate(invalid="ignore"):
            return (numbers > group.low) & (numbers <= group.high)
    return (as_words(values) == group.level).to_numpy(dtype=bool)


def _levels(values: pd.Series, name: str, kind: str) -> list[Group]:
    """Levels as they are; a number with many values in four parts of equal size."""
    if kind == "number" and values.nunique() > MOST_LEVELS:
        numbers = as_numbers(values)
        cuts = np.unique(np.nanquantile(numbers, [0.25, 0.5, 0.75]))
        edges = [-np.inf, *cuts.tolist(), np.inf]
        return [
            Group("sensitive", column=name, level=_between(low, high), low=low, high=high)
            for low, high in pairwise(edges)
        ]
    counts = as_words(values).value_counts()
    return [Group("sensitive", column=name, level=str(w)) for w in counts.index[:MOST_LEVELS]]


def _between(low: float, high: float) -> str:
    if np.isinf(low):
        return f"≤ {high:.6g}"
    return f"> {low:.6g}" if np.isinf(high) else f"> {low:.6g} to {high:.6g}"
