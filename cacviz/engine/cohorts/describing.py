"""A cohort's columns as a table: what each holds, and how much of it is missing."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cacviz.engine.reading.kinds import as_numbers, as_words, shorten
from cacviz.engine.reading.levels import ordered_levels
from cacviz.engine.types import Cohort, Kind
from cacviz.engine.types.telling import short_number

MOST_SHOWN = 4  # levels of a column in its description


Facts = dict[tuple, dict]  # by how a column is read: what is in it


def describe(cohort: Cohort, known: Facts | None = None) -> pd.DataFrame:
    """A row a column: name, label, unit, kind, role, missing share, distinct values, examples.

    `known` keeps what was counted of a column as long as it is read in the same way.
    """
    known = {} if known is None else known
    rows = []
    for c in cohort.columns:
        key = (c.name, c.kind, c.missing, c.levels, cohort.choices.subset)
        if key not in known:
            known[key] = _facts(cohort.frame[c.name], c.kind)
        about = {"name": c.name, "label": c.label, "unit": c.unit, "kind": c.kind, "role": c.role}
        rows.append(about | known[key])
    return pd.DataFrame(rows)


def _facts(values: pd.Series, kind: Kind) -> dict:
    return {
        "missing": float(values.isna().mean()) if len(values) else 0.0,
        "distinct": values.nunique(),
        "values": _example(values, kind),
    }


def _example(values: pd.Series, kind: Kind) -> str:
    values = values.dropna()
    if not len(values):
        return ""
    if kind == "number":
        low, middle, high = np.quantile(as_numbers(values), [0, 0.5, 1])
        return f"{short_number(low)} to {short_number(high)}, median {short_number(middle)}"
    if kind == "date":
        return f"{values.min():%Y-%m-%d} to {values.max():%Y-%m-%d}"
    levels = ordered_levels(as_words(values).value_counts().to_dict())
    shown = ", ".join(shorten(level, 24) for level in levels[:MOST_SHOWN])
    return shown + (", …" if len(levels) > MOST_SHOWN else "")
