"""Can the chosen features tell the outcome too well together? A quick boosted model is asked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from cacviz.engine.reading.kinds import as_numbers
from cacviz.engine.types import Cohort, Note

TOO_GOOD = 0.95
MOST_OF_IT = 0.5  # of the gain, by one column
MOST_ROWS = 10_000
N_TREES = 60
COMMON = 0.01  # of the patients: rarer levels are taken together
FEWEST = 20  # patients of a class in each half


@dataclass(frozen=True, slots=True)
class Joint:
    """AUC of a quick boosted model on the half it did not see, and the column that leads it."""

    auc: float
    column: str
    share: float  # of the gain that this column has

    @property
    def doubtful(self) -> bool:
        return self.auc >= TOO_GOOD or self.share > MOST_OF_IT


def joint_note(cohort: Cohort, rows: np.ndarray | None = None) -> list[Note]:
    """A note where the features tell the outcome so well, or so much by one, that it is doubted."""
    found = quick_look(cohort, rows)
    if found is None or not found.doubtful:
        return []
    values = {"auc": found.auc, "column": found.column, "share": found.share}
    return [Note("doubt", "grave" if found.auc >= TOO_GOOD else "warning", values)]


def quick_look(cohort: Cohort, rows: np.ndarray | None = None) -> Joint | None:
    """Boosted trees on one half of the patients judged on the other, and the other way round.

    None where a half has too few patients of a class to judge by.
    """
    rows = np.flatnonzero(cohort.y >= 0) if rows is None else rows[cohort.y[rows] >= 0]
    rng = np.random.default_rng(0)
    rows = rng.permutation(rows)[:MOST_ROWS]
    y = cohort.y[rows]
    features = [n for n in cohort.names("feature") if cohort.column(n).kind not in ("date", "text")]
    met = np.unique(y, return_counts=True)[1]  # none where no outcome is chosen
    if not features or len(met) < 2 or met.min() < 2 * FEWEST:
        return None
    frame = pd.DataFrame({n: _coded(cohort, n, rows) for n in features})
    halves = rng.permutation(len(rows)) % 2
    gains = dict.fromkeys(features, 0.0)
    aucs = []
    for half in (0, 1):
        inside = halves == half
        auc, gain = _fit(frame[inside], y[inside], frame[~inside], y[~inside])
        aucs.append(auc)
        for name, value in gain.items():
            gains[name] += value
    total = sum(gains.values()) or 1.0
    best = max(gains, key=gains.__getitem__)
    return Joint(float(np.mean(aucs)), best, gains[best] / total)


def _coded(cohort: Cohort, name: str, rows: np.ndarray):
    values = cohort.frame[name].iloc[rows].reset_index(drop=True)
    if cohort.column(name).kind == "number":
        return as_numbers(values)
    codes, distinct = pd.factorize(values, use_na_sentinel=True)
    counts = np.bincount(codes[codes >= 0], minlength=len(distinct))
    common = np.flatnonzero(counts >= max(10, COMMON * len(rows)))
    # the rest together; missing is a level too, for trees cannot part it from a single other
    place = np.full(len(distinct) + 1, len(common))
    place[common], place[-1] = np.arange(len(common)), len(common) + 1
    return pd.Categorical.from_codes(place[codes], categories=range(len(common) + 2))


def _fit(X, y, X_new, y_new) -> tuple[float, dict[str, float]]:
    from xgboost import XGBClassifier  # loads a large library: only where it is asked for

    from cacviz.engine.metrics import auc

    model = XGBClassifier(
        n_estimators=N_TREES,
        learning_rate=0.15,
        max_depth=4,
        min_child_weight=5,
        subsample=0.8,
        tree_method="hist",
        enable_categorical=True,
        max_cat_to_onehot=1,
        n_jobs=1,
        random_state=0,
    )
    codes = np.searchsorted(np.unique(y), y)
    names = list(X.columns)
    plain = [f"f{i}" for i in range(len(names))]  # names of the user's may hold anything
    model.fit(X.set_axis(plain, axis=1), codes)
    proba = np.zeros((len(y_new), int(max(y.max(), y_new.max())) + 1))
    proba[:, np.unique(y)] = model.predict_proba(X_new.set_axis(plain, axis=1))
    gain = model.get_booster().get_score(importance_type="total_gain")
    return auc(y_new, proba), {names[int(k[1:])]: float(np.sum(v)) for k, v in gain.items()}
