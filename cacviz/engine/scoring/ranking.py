"""How well numbers rank patients with an event above the others."""

from __future__ import annotations

import numpy as np


def rank_auc(scores: np.ndarray, positive: np.ndarray) -> float:
    """Area under the ROC curve by Mann and Whitney's ranks: ties count half."""
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middles = np.cumsum(counts) - (counts - 1) / 2
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    ranks = middles[places[positive]].sum()
    return float((ranks - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative))
