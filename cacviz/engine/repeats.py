"""Whether subtypes are little more than the levels of one column."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cacviz.engine.kinds import as_words
from cacviz.engine.types import Cohort

ALIKE = 0.6  # adjusted Rand index from which subtypes say little beyond the column


def repeat_notes(cohort: Cohort, clusters: np.ndarray, rows: np.ndarray) -> list[str]:
    """A sentence where one category or yes/no feature all but makes the subtypes."""
    if len(np.unique(clusters[rows])) < 2:
        return []
    alike = {
        name: _agreement(cohort.frame[name].iloc[rows], clusters[rows])
        for name in cohort.names("feature")
        if cohort.column(name).kind in ("category", "yesno")
    }
    name = max(alike, key=alike.__getitem__, default=None)
    if name is None or alike[name] < ALIKE:
        return []
    return [
        f"These subtypes are little more than the levels of “{cohort.column(name).title}” "
        f"(adjusted Rand index {alike[name]:.2f}). To see what else sets patients apart, leave it "
        "out or give it the role external check."
    ]


def _agreement(values: pd.Series, clusters: np.ndarray) -> float:
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(pd.factorize(as_words(values))[0], clusters))
