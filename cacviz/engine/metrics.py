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


def resample_weights(n, *, groups=None, n_boot=400, seed=0):
    """How often each patient is drawn in each bootstrap sample; whole groups where given."""
    codes = np.arange(n) if groups is None else np.unique(groups, return_inverse=True)[1]
    size = codes.max() + 1
    draws = np.random.default_rng(seed).integers(0, size, (n_boot, size))
    return np.array([np.bincount(d, minlength=size)[codes] for d in draws], dtype=np.float32)


def resampled_scores(y, proba, weights):
    """Every metric on every bootstrap sample: a dict of arrays, NaN where it is undefined."""
    y, n_classes = np.asarray(y), proba.shape[1]
    inside = [c for c in range(n_classes) if 0 < np.count_nonzero(y == c) < len(y)]
    if not inside:
        return {name: np.full(len(weights), np.nan) for name in METRICS}
    by_class = {c: _weighted_ap_auc(y == c, proba[:, c], weights) for c in inside}
    f1 = _weighted_f1(y, proba.argmax(axis=1), n_classes, weights)
    missing = np.full(len(weights), np.nan)
    return {
        "auprc_macro": np.mean([ap for ap, _ in by_class.values()], axis=0),
        "auprc_positive": by_class[n_classes - 1][0] if n_classes - 1 in by_class else missing,
        "auc": np.mean([area for _, area in by_class.values()], axis=0),
        "f1_macro": f1.mean(axis=1),
        "f1_positive": f1[:, -1],
    }


def _weighted_ap_auc(positive, risk, weights):
    """Average precision and AUC of each weighted sample; one sort serves all of them."""
    order = np.argsort(-risk, kind="stable")
    ends = np.flatnonzero(np.r_[np.diff(risk[order]) != 0, True])
    w = weights[:, order].astype(np.float64)
    hits = np.cumsum(w * positive[order], axis=1)[:, ends]
    alarms = np.cumsum(w, axis=1)[:, ends]
    misses = alarms - hits
    n_pos, n_neg = hits[:, -1], misses[:, -1]
    new_hits, new_misses = np.diff(hits, prepend=0), np.diff(misses, prepend=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = hits / np.maximum(alarms, 1)
        ap = (new_hits * precision).sum(axis=1) / n_pos
        area = (new_misses * (hits - new_hits / 2)).sum(axis=1) / (n_pos * n_neg)
    return ap, np.where(np.isfinite(area), area, np.nan)


def _weighted_f1(y, predicted, n_classes, weights):
    eye = np.eye(n_classes)
    truth, guess = eye[y], eye[predicted]
    hits, total = weights @ (truth * guess), weights @ truth + weights @ guess
    return np.where(total > 0, 2 * hits / np.maximum(total, 1), 0.0)


def score_with_intervals(y, proba, weights):
    """Every metric with a 95% percentile interval over bootstrap samples of patients."""
    draws, values = resampled_scores(y, proba, weights), score(y, proba)
    return {name: with_interval(values[name], draws[name]) for name in METRICS}


def with_interval(value, draws):
    """A value with the middle 95% of its draws."""
    draws = draws[np.isfinite(draws)]
    low, high = np.percentile(draws, [2.5, 97.5]) if len(draws) else (np.nan, np.nan)
    return Scored(float(value), float(low), float(high))


def share_of(flags, groups=None):
    """The share of true ones; rows of one group go together and count for less."""
    flags = np.asarray(flags)
    return share_with_interval(flags.sum(), len(flags), shrunk=_design_effect(flags, groups))


def _design_effect(flags, groups):
    """By how much the variance of a share grows because rows of a group are alike; 1 or more."""
    if groups is None or not len(flags):
        return 1.0
    share = flags.mean()
    if not 0 < share < 1:  # nothing tells how alike rows are: a patient counts once
        return len(flags) / len(np.unique(groups))
    sums = np.bincount(np.unique(groups, return_inverse=True)[1], weights=flags - share)
    return max(1.0, float((sums**2).sum() / (share * (1 - share) * len(flags))))


def share_with_interval(count, n, *, level=0.95, shrunk=1.0):
    """A share with its Wilson interval; honest for small n and for shares near 0 or 1."""
    if n == 0:
        return Scored(float("nan"), float("nan"), float("nan"))
    z, p, n = norm.ppf(0.5 + level / 2), count / n, n / shrunk
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Scored(float(p), float(max(0.0, middle - half)), float(min(1.0, middle + half)))
