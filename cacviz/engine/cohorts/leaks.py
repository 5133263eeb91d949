"""Columns that may tell the outcome because they were recorded after it: suspicions with reasons.

By what a column does: it tells the outcome almost alone, one of its levels (or its being missing)
excludes or implies an outcome, or it follows a column that was left out. And by what it is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.late_names import late_family
from cacviz.engine.cohorts.leaking.follow_ups import gap_tellers, later_visits
from cacviz.engine.cohorts.leaking.levels import as_scale, telling_level
from cacviz.engine.cohorts.leaking.twins import twins
from cacviz.engine.scoring.ranking import rank_auc
from cacviz.engine.scoring.tests import association_p
from cacviz.engine.types import Cohort, Severity

LEAK_AUC, STRONG_AUC = 0.95, 0.9
MAX_ROWS = 30_000  # enough to tell 0.95 from 0.94 to the third digit
N_BINS = 50
N_FOLDS = 5


class Suspicion(NamedTuple):
    """One column, why it is suspected (a code of `wording.leaks`), how gravely, and the figures."""

    column: str
    code: str
    severity: Severity
    values: dict[str, Any]


def suspicions(cohort: Cohort, rows: np.ndarray | None = None) -> list[Suspicion]:
    """Every suspected feature once, by its gravest reason; the gravest first.

    `rows` are the patients to look at; without them all whose outcome is known.
    """
    everyone = np.arange(cohort.n_patients) if rows is None else rows
    everyone = everyone[cohort.y[everyone] >= 0]
    rows = _sampled(everyone)
    if len(np.unique(cohort.y[rows])) < 2 or cohort.outcome is None:
        return []
    found: dict[str, Suspicion] = {}
    for one in (
        *_by_behaviour(cohort, rows, everyone),
        *_by_name(cohort),
        *_by_visit(cohort),
        *_by_twin(cohort, rows),
    ):
        found.setdefault(one.column, one)
    for name, other in gap_tellers(cohort, rows, [*found]):
        found.setdefault(name, Suspicion(name, "gap", "warning", {"of": other}))
    return sorted(found.values(), key=lambda s: s.severity != "grave")


def _by_behaviour(cohort: Cohort, rows: np.ndarray, everyone: np.ndarray) -> Iterator[Suspicion]:
    y = cohort.y[rows]
    folds = np.random.default_rng(0).integers(0, N_FOLDS, len(rows))
    strong = []
    for name in cohort.names("feature"):
        values, kind = cohort.frame[name].iloc[rows], cohort.column(name).kind
        auc = column_auc(values, kind, y, folds)
        if auc >= LEAK_AUC:
            yield Suspicion(name, "tells", "grave", {"auc": auc})
            continue
        level = telling_level(values, kind, y)
        if level is not None and len(rows) < len(everyone):  # it is told of everyone, or not at all
            level = telling_level(cohort.frame[name].iloc[everyone], kind, cohort.y[everyone])
        if level is not None:
            level["class"] = cohort.classes[level["class"]]
            yield Suspicion(name, "level", "grave", level)
        elif auc >= STRONG_AUC:
            strong.append(Suspicion(name, "strong", "warning", {"auc": auc}))
    yield from strong


def _by_name(cohort: Cohort) -> Iterator[Suspicion]:
    assert cohort.outcome is not None
    outcome = cohort.outcome.column
    for column in cohort.columns:
        if column.role == "feature" and cohort.frame[column.name].nunique(dropna=False) > 1:
            family = late_family(column.name, column.label, outcome=outcome)
            if family:
                yield Suspicion(column.name, family, "warning", {})


def _by_visit(cohort: Cohort) -> Iterator[Suspicion]:
    features = set(cohort.names("feature"))
    visits = later_visits(c.name for c in cohort.columns)
    for name, first in visits.items():
        if name in features:
            yield Suspicion(name, "visit", "warning", {"of": first})


def late_dates(cohort: Cohort) -> list[str]:
    """Dates that were left out and that tell the outcome by their name, or by being there."""
    rows = np.flatnonzero(cohort.y >= 0)
    y = cohort.y[rows]
    if cohort.outcome is None or len(np.unique(y)) < 2:
        return []
    outcome = cohort.outcome.column
    return [
        c.name
        for c in cohort.columns
        if c.kind == "date"
        and c.role == "left out"
        and (
            late_family(c.name, c.label, outcome=outcome)
            or telling_level(cohort.frame[c.name].iloc[rows], "date", y)
        )
    ]


def _by_twin(cohort: Cohort, rows: np.ndarray) -> Iterator[Suspicion]:
    for name, other in twins(cohort, rows):
        left_out = cohort.column(other).role != "feature"
        yield Suspicion(name, "twin", "warning", {"of": other, "left_out": left_out})


def column_auc(values: pd.Series, kind: str, y: np.ndarray, folds: np.ndarray) -> float:
    """The better of ranking by value and of the outcome's rate in a level or bin, held out.

    Missing is a level of its own. Beyond two classes: the class that is told best from the rest.
    """
    n_classes = int(y.max()) + 1
    numbers = as_scale(values, kind) if kind in ("number", "yesno", "date") else None
    if numbers is None or np.isnan(numbers).all():
        levels = pd.factorize(values)[0] + 1
        return _rate_auc(levels, y, folds, n_classes)
    best = _rate_auc(_binned(numbers), y, folds, n_classes)
    known = ~np.isnan(numbers)
    for c in range(1 if n_classes == 2 else 0, n_classes):
        inside = y[known] == c
        if min(inside.sum(), (~inside).sum()) >= 5:
            auc = rank_auc(numbers[known], inside)
            best = max(best, auc, 1 - auc)
    return best


def missing_signs(cohort: Cohort, suspected: set[str]) -> list[str]:
    """Features whose being missing goes with the outcome, the strongest first.

    Not those that are suspected: their gaps may come of the outcome itself.
    """
    if not cohort.classes:
        return []
    strength = {}
    known = cohort.y >= 0
    for name in cohort.names("feature"):
        gone = cohort.frame[name].isna().to_numpy()
        if name in suspected or not 0.05 <= gone.mean() <= 0.95:
            continue
        if _rate_gap(gone, cohort.y, known) >= 0.05:
            p = association_p(gone, cohort.y)
            if p < 1e-6:
                strength[name] = p
    return sorted(strength, key=strength.__getitem__)


def _rate_gap(gone: np.ndarray, y: np.ndarray, known: np.ndarray) -> float:
    """The largest difference of a class's share between missing and measured."""
    n_classes = int(y.max()) + 1
    with_gap = np.bincount(y[known & gone], minlength=n_classes)
    without = np.bincount(y[known & ~gone], minlength=n_classes)
    if not with_gap.sum() or not without.sum():
        return 0.0
    return float(np.abs(with_gap / with_gap.sum() - without / without.sum()).max())


def _sampled(rows: np.ndarray) -> np.ndarray:
    some = min(MAX_ROWS, len(rows))
    return np.sort(np.random.default_rng(0).choice(rows, some, replace=False))


def _binned(numbers: np.ndarray) -> np.ndarray:
    """Bins of equal counts, from 1; 0 is missing."""
    known = ~np.isnan(numbers)
    edges = np.unique(np.quantile(numbers[known], np.linspace(0, 1, N_BINS + 1)[1:-1]))
    return np.where(known, np.digitize(numbers, edges) + 1, 0)


def _rate_auc(levels: np.ndarray, y: np.ndarray, folds: np.ndarray, n_classes: int) -> float:
    """AUC of each level's class rates, learned on the other folds (shrunk to the mean)."""
    n_levels = int(levels.max()) + 1
    shape = (N_FOLDS, n_levels, n_classes)
    flat = np.ravel_multi_index((folds, levels, y), shape)
    counts = np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)
    others = counts.sum(axis=0) - counts
    overall = np.bincount(y, minlength=n_classes) / len(y)
    rates = (others + overall) / (others.sum(axis=2, keepdims=True) + 1)
    scores = rates[folds, levels]
    aucs = [rank_auc(scores[:, c], y == c) for c in range(n_classes) if 0 < (y == c).sum() < len(y)]
    return float(np.max(aucs)) if aucs else 0.5
