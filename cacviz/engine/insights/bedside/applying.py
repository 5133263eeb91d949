"""What a rule says of patients: each gets a subtype from a few values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cacviz.engine.insights.bedside.types import Band, Rule
from cacviz.engine.insights.bedside.variables import Variable


def apply_rule(rule: Rule, variables: Sequence[Variable]) -> np.ndarray:
    """The cluster of every patient by the rule alone."""
    known = {v.name: v for v in variables}
    n = len(next(iter(known.values())).values)
    if rule.form == "tree":
        return _by_leaves(rule, known, n)
    total = np.tile(np.array(rule.start, dtype=int), (n, 1))
    for line in rule.lines:
        for band in line.bands:
            total[within(known[line.name], band)] += band.points
    return total.argmax(axis=1)


def _by_leaves(rule: Rule, known: dict[str, Variable], n: int) -> np.ndarray:
    found = np.zeros(n, dtype=np.int64)
    for leaf in rule.leaves:
        inside = np.ones(n, dtype=bool)
        for name, band in leaf.bands:
            inside &= within(known[name], band)
        found[inside] = leaf.cluster
    return found


def within(variable: Variable, band: Band) -> np.ndarray:
    """Which patients have a value of the band."""
    if variable.kind == "number":
        return (variable.values > band.low) & (variable.values <= band.high)
    wanted = [i for i, level in enumerate(variable.levels) if level in band.levels]
    return np.isin(variable.values.astype(int), wanted)
