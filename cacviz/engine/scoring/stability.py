"""Would the clusters be found again? Arithmetic on clusterings of the same patients."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cacviz.engine.scoring.agreement import adjusted_rand_index, crossing

FOUND_AGAIN = 0.75  # Jaccard from which a cluster counts as recovered (Hennig 2007)
PATTERN = 0.6  # mean Jaccard from which there is a pattern, if no cluster to name


def best_jaccards(reference: np.ndarray, found: np.ndarray, k: int) -> np.ndarray:
    """For each of k reference clusters, its Jaccard with the found cluster most like it.

    0 where none of the patients at hand was in it.
    """
    counts = np.bincount(reference * (found.max() + 1) + found, minlength=k * (found.max() + 1))
    both = counts.reshape(k, -1).astype(float)
    either = both.sum(axis=1, keepdims=True) + both.sum(axis=0, keepdims=True) - both
    return (both / np.maximum(either, 1)).max(axis=1)


def strengths(found: np.ndarray, routed: np.ndarray, k: int) -> np.ndarray:
    """Share of the pairs of each found cluster that the other half's rule keeps together.

    Their smallest is the prediction strength (Tibshirani and Walther 2005); a cluster of fewer
    than two patients keeps no pair.
    """
    counts = np.zeros((k, int(routed.max(initial=0)) + 1))
    np.add.at(counts, (found, routed), 1)
    n = counts.sum(axis=1)
    together = (counts * (counts - 1)).sum(axis=1)
    return np.where(n > 1, together / np.maximum(n * (n - 1), 1), 0.0)


def mean_agreement(labelings: Sequence[np.ndarray]) -> float:
    """Mean adjusted Rand index of each pair of clusterings; NaN of fewer than two."""
    pairs = [(a, b) for i, a in enumerate(labelings) for b in labelings[i + 1 :]]
    if not pairs:
        return float("nan")
    return float(np.mean([adjusted_rand_index(crossing(a, b)) for a, b in pairs]))


def consensus(labelings: Sequence[np.ndarray]) -> np.ndarray:
    """Of each pair of patients, in what share of the clusterings that have both they are together.

    A clustering has -1 for a patient it did not see; NaN for a pair that none saw (Monti 2003).
    """
    n = len(labelings[0])
    together, both = np.zeros((n, n)), np.zeros((n, n))
    for labels in labelings:
        seen = labels >= 0
        both += np.outer(seen, seen)
        together += (labels[:, None] == labels[None]) & np.outer(seen, seen)
    return np.where(both > 0, together / np.maximum(both, 1), np.nan)


def exceedance_p(value: float, null: Sequence[float]) -> float:
    """p = (1 + # at least as large) / (B + 1); NaN without a value or a null."""
    drawn = np.asarray(null, dtype=float)
    drawn = drawn[np.isfinite(drawn)]
    if not np.isfinite(value) or not len(drawn):
        return float("nan")
    return float((1 + np.sum(drawn >= value - 1e-12)) / (len(drawn) + 1))
