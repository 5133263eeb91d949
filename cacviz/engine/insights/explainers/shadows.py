"""Is a column a factor, or noise? It must tell more of the outcome than shuffled copies of itself.

In each subtype boosted trees learn the outcome from four fifths of the training and validation
patients; on the last fifth a column is replaced by copies in which its values are shuffled among
patients. A column that has nothing to do with the outcome loses nothing by it, however many levels
it has and however well it was learned by heart: its gain is 0 on average, and a one-sided test over
patients, not rows, says how far from it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cacviz.engine.insights.explainers.distilling import Lesson
from cacviz.engine.types import TRAIN, VALIDATION

FOLDS = 5
COPIES = 5
FEWEST = 20  # patients of either outcome that the test needs in a subtype
LEVEL = 0.005  # one-sided: of 1,000 columns of noise, 5 pass
TINY = 1e-4


def shadow_p(lesson: Lesson, cluster, code, names: Sequence[str], seed=0) -> dict[str, float]:
    """p of each named column against its shuffled copies; NaN with too few events to tell."""
    rows = lesson.rows(cluster, TRAIN, VALIDATION)
    X, y, patient = lesson.X[rows], lesson.y[rows] == code, _patients(lesson, rows)
    if min(len(np.unique(patient[y])), len(np.unique(patient[~y]))) < FEWEST:
        return dict.fromkeys(names, math.nan)
    rng = np.random.default_rng(seed)
    folds = (rng.permutation(patient.max() + 1) % FOLDS)[patient]
    lost = {name: np.zeros(len(rows)) for name in names}
    for fold in range(FOLDS):
        _lose(lesson, X, y, folds == fold, lost, rng)
    return {name: _one_sided(np.bincount(patient, values)) for name, values in lost.items()}


def _patients(lesson: Lesson, rows) -> np.ndarray:
    """A number from 0 for each row's patient: the rows of one are no witnesses of their own."""
    if lesson.patients is None:
        return np.arange(len(rows))
    return np.unique(lesson.patients[rows], return_inverse=True)[1]


def _lose(lesson: Lesson, X, y, left_out, lost, rng) -> None:
    """Log loss that each column's shuffled copies add on patients who were left out."""
    model = _boosting(X[~left_out], y[~left_out])
    used = {int(name[1:]) for name in model.get_booster().get_score()}
    inside, outcome = X[left_out], y[left_out]
    plain = _log_loss(model, inside, outcome)
    for name, values in lost.items():
        places = lesson.held(name).places
        if used.isdisjoint(places):
            continue
        for _ in range(COPIES):
            copy = inside.copy()
            copy[:, places] = inside[rng.permutation(len(inside))][:, places]
            values[left_out] += (_log_loss(model, copy, outcome) - plain) / COPIES


def _boosting(X, y):
    from xgboost import XGBClassifier  # loads a large library: only in a worker

    return XGBClassifier(
        n_estimators=60,
        learning_rate=0.12,
        max_depth=2,
        min_child_weight=3,
        subsample=0.8,
        colsample_bytree=0.5,
        reg_lambda=2.0,
        max_bin=64,
        tree_method="hist",
        random_state=0,
        n_jobs=1,
    ).fit(X, y.astype(int))


def _log_loss(model, X, y) -> np.ndarray:
    risk = np.clip(model.predict_proba(X)[:, 1], TINY, 1 - TINY)
    return -np.where(y, np.log(risk), np.log(1 - risk))


def _one_sided(values: np.ndarray) -> float:
    if not values.any():
        return 1.0
    z = values.mean() / (values.std(ddof=1) / math.sqrt(len(values)))
    return float(math.erfc(z / math.sqrt(2)) / 2)
