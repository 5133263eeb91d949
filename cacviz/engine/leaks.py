"""How well one column alone tells the outcome: the alarm for values recorded afterwards."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from cacviz.engine.kinds import as_numbers, shorten
from cacviz.engine.notes import listed
from cacviz.engine.preparation import association_p
from cacviz.engine.types import Cohort

LEAK_AUC = 0.95
MAX_ROWS = 30_000  # enough to tell 0.95 from 0.94 to the third digit
N_BINS = 50
N_FOLDS = 5


def leaking_columns(cohort: Cohort, rows: np.ndarray | None = None) -> dict[str, float]:
    """The features whose AUC alone is 0.95 or more, either way, with that AUC, highest first.

    `rows` are the patients to look at; without them all whose outcome is known.
    """
    rows = _sampled(cohort, np.arange(cohort.n_patients) if rows is None else rows)
    y = cohort.y[rows]
    if len(np.unique(y)) < 2:
        return {}
    folds = np.random.default_rng(0).integers(0, N_FOLDS, len(rows))
    found = {}
    for name in cohort.names("feature"):
        auc = column_auc(cohort.frame[name].iloc[rows], cohort.column(name).kind, y, folds)
        if auc >= LEAK_AUC:
            found[name] = auc
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def leak_notes(cohort: Cohort, rows: np.ndarray | None = None) -> list[str]:
    """What a run must say that used a column which tells the outcome almost alone."""
    found = leaking_columns(cohort, rows)
    if not found:
        return []
    does, which = ("predicts", "it") if len(found) == 1 else ("each predict", "one of them")
    return [
        f"{with_aucs(found)} {does} the outcome almost alone. If {which} was recorded after the "
        "outcome, every figure here is too good: leave it out and run again."
    ]


def with_aucs(found: Mapping[str, float], most: int = 8) -> str:
    """The columns with their AUC, as a sentence has them."""
    shown = [f"'{shorten(name)}' (AUC {auc:.2f})" for name, auc in list(found.items())[:most]]
    shown += [f"{len(found) - most} more"] if len(found) > most else []
    return listed(shown)


def column_auc(values: pd.Series, kind: str, y: np.ndarray, folds: np.ndarray) -> float:
    """The better of ranking by value and of the outcome's rate in a level or bin, held out.

    Missing is a level of its own. Beyond two classes: the macro mean of one against the rest.
    """
    n_classes = int(y.max()) + 1
    numbers = as_numbers(values) if kind in ("number", "yesno", "date") else None
    if kind == "date":
        numbers = values.astype("datetime64[s]").to_numpy().astype("int64").astype(float)
        numbers[values.isna().to_numpy()] = np.nan
    if numbers is None or np.isnan(numbers).all():
        levels = pd.factorize(values)[0] + 1
        return _rate_auc(levels, y, folds, n_classes)
    best = _rate_auc(_binned(numbers), y, folds, n_classes)
    known = ~np.isnan(numbers)
    if n_classes == 2 and np.bincount(y[known], minlength=2).min() >= 5:
        auc = _auc(numbers[known], y[known] == 1)
        best = max(best, auc, 1 - auc)
    return best


def missing_signs(cohort: Cohort) -> list[str]:
    """Features whose being missing goes with the outcome, the strongest first."""
    if not cohort.classes:
        return []
    strength = {}
    known = cohort.y >= 0
    for name in cohort.names("feature"):
        gone = cohort.frame[name].isna().to_numpy()
        if 0.05 <= gone.mean() <= 0.95 and _rate_gap(gone, cohort.y, known) >= 0.05:
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


def _sampled(cohort: Cohort, rows: np.ndarray) -> np.ndarray:
    rows = rows[cohort.y[rows] >= 0]
    if len(rows) <= MAX_ROWS:
        return rows
    return np.sort(np.random.default_rng(0).choice(rows, MAX_ROWS, replace=False))


def _binned(numbers: np.ndarray) -> np.ndarray:
    """Bins of equal counts, from 1; 0 is missing."""
    known = ~np.isnan(numbers)
    edges = np.unique(np.quantile(numbers[known], np.linspace(0, 1, N_BINS + 1)[1:-1]))
    return np.where(known, np.digitize(numbers, edges) + 1, 0)


def _rate_auc(levels: np.ndarray, y: np.ndarray, folds: np.ndarray, n_classes: int) -> float:
    """Macro AUC of each level's class rates, learned on the other folds (shrunk to the mean)."""
    n_levels = int(levels.max()) + 1
    shape = (N_FOLDS, n_levels, n_classes)
    flat = np.ravel_multi_index((folds, levels, y), shape)
    counts = np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)
    others = counts.sum(axis=0) - counts
    overall = np.bincount(y, minlength=n_classes) / len(y)
    rates = (others + overall) / (others.sum(axis=2, keepdims=True) + 1)
    scores = rates[folds, levels]
    aucs = [_auc(scores[:, c], y == c) for c in range(n_classes) if 0 < (y == c).sum() < len(y)]
    return float(np.mean(aucs)) if aucs else 0.5


def _auc(scores: np.ndarray, positive: np.ndarray) -> float:
    """Mann-Whitney: ties count half."""
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middles = np.cumsum(counts) - (counts - 1) / 2
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    ranks = middles[places[positive]].sum()
    return float((ranks - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative))
