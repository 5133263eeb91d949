"""Scores on probabilities: the paper's macro means and the positive class, with intervals."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from cacviz.engine.types import Scored


def auprc_macro(y, proba):
    """Mean over classes of the average precision of one-hot columns: the paper's AUPRC."""
    return _mean_over_classes(average_precision_score, y, proba)


def auprc_positive(y, proba):
    """Average precision of the last class (for two classes: the positive one)."""
    positive = np.asarray(y) == proba.shape[1] - 1
    if not positive.any():
        return float("nan")
    return float(average_precision_score(positive, proba[:, -1]))


def auc(y, proba):
    """Area under the ROC curve; the macro mean of one class against the rest beyond two."""
    return _mean_over_classes(roc_auc_score, y, proba)


def f1_macro(y, proba):
    """Macro F1 of the most probable class."""
    labels = np.arange(proba.shape[1])
    return float(f1_score(y, proba.argmax(axis=1), labels=labels, average="macro", zero_division=0))


def f1_positive(y, proba):
    """F1 of the last class at the most probable class."""
    last = proba.shape[1] - 1
    return float(f1_score(np.asarray(y) == last, proba.argmax(axis=1) == last, zero_division=0))


METRICS = {
    "auprc_macro": auprc_macro,
    "auprc_positive": auprc_positive,
    "auc": auc,
    "f1_macro": f1_macro,
    "f1_positive": f1_positive,
}


def _mean_over_classes(score, y, proba):
    """Classes that no patient has, or that every patient has, carry no information: left out."""
    y = np.asarray(y)
    columns = [c for c in range(proba.shape[1]) if 0 < np.count_nonzero(y == c) < len(y)]
    if not columns:
        return float("nan")
    return float(np.mean([score(y == c, proba[:, c]) for c in columns]))


def score(y, proba):
    """Every metric as a plain number."""
    return {name: metric(y, proba) for name, metric in METRICS.items()}


def score_with_intervals(y, proba, *, n_boot=200, seed=0):
    """Every metric with a 95 % percentile interval from resampled patients."""
    y, rng = np.asarray(y), np.random.default_rng(seed)
    draws = [rng.integers(0, len(y), len(y)) for _ in range(n_boot)]
    return {
        name: _with_interval(metric(y, proba), [metric(y[d], proba[d]) for d in draws])
        for name, metric in METRICS.items()
    }


def _with_interval(value, draws):
    draws = [d for d in draws if np.isfinite(d)]
    low, high = np.percentile(draws, [2.5, 97.5]) if draws else (np.nan, np.nan)
    return Scored(float(value), float(low), float(high))


def share_with_interval(count, n, *, level=0.95):
    """A share with its Wilson interval; honest for small n and for shares near 0 or 1."""
    if n == 0:
        return Scored(float("nan"), float("nan"), float("nan"))
    z, p = norm.ppf(0.5 + level / 2), count / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Scored(float(p), float(max(0.0, middle - half)), float(min(1.0, middle + half)))
