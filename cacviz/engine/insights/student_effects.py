"""How a subtype's risk moves with one feature, all else as it is."""

from __future__ import annotations

import numpy as np

from cacviz.engine.insights.types import Effect
from cacviz.engine.types import Column

N_STEPS = 15


def one_feature_effect(X, columns, column: Column, risk) -> Effect | None:
    """Mean risk of these patients as the feature takes each of its values in turn.

    `columns` are the feature's columns of X; None where it cannot be varied.
    """
    if column.kind == "number":
        grid = _grid(X[:, columns[0]])
        words: tuple[str, ...] = ()
    elif len(columns) and column.kind == "yesno":
        grid, words = np.array([0.0, 1.0]), ("no", "yes")
    else:
        return None
    if len(grid) < 2:
        return None
    means = []
    for value in grid:
        changed = X.copy()
        changed[:, columns[0]] = value
        changed[:, columns[1:]] = 0.0  # it is measured now
        means.append(float(risk(changed).mean()))
    return Effect(
        column.name,
        column.title,
        column.unit,
        tuple(float(v) for v in grid),
        words,
        tuple(means),
    )


def _grid(values) -> np.ndarray:
    """Values from the 2nd to the 98th percentile, so that few patients bend no end."""
    known = values[~np.isnan(values)]
    if len(known) < 10:
        return np.empty(0)
    return np.unique(np.quantile(known, np.linspace(0.02, 0.98, N_STEPS)))
