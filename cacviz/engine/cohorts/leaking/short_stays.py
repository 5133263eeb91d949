"""A length of stay that death cut short: who died early did not go home early."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cacviz.engine.cohorts.late_names import late_family
from cacviz.engine.reading.kinds import as_yesno
from cacviz.engine.types import Check, Cohort, Column, Note, Remedy

LEAST = 5  # deaths among the shortest stays
ALIVE = ("surviv", "alive", "lebt", "vivo", "vivant")  # a yes that is no death


def short_stays(cohort: Cohort) -> Iterator[Check]:
    """Deaths among the patients of the shortest stays, where the outcome is a length of stay."""
    outcome = cohort.outcome
    if outcome is None or (not outcome.cuts and not outcome.quantiles):
        return
    column = cohort.column(outcome.column)
    if late_family(column.name, column.label) != "stay":
        return
    for other in cohort.columns:
        if other.kind == "yesno" and late_family(other.name, other.label) == "survival":
            short = cohort.y == 0
            died = _died(cohort, other) & short
            if died.sum() >= LEAST:
                values = {
                    "outcome": column.name,
                    "class": cohort.classes[0],
                    "died": int(died.sum()),
                    "n": int(short.sum()),
                    "column": other.name,
                }
                yield Check(Note("short stays", values=values), (other.name,), (Remedy(keep=True),))
                return


def _died(cohort: Cohort, column: Column) -> np.ndarray:
    sign = 0.0 if any(word in column.name.lower() for word in ALIVE) else 1.0
    return as_yesno(cohort.frame[column.name]) == sign
