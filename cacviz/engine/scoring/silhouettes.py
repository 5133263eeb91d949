"""Separation scores (silhouettes) of one or many clusterings of the same patients."""

import numpy as np

MOST = 10_000  # patients above which a seeded sample stands for all


def sample_rows(n, seed=0, most=MOST):
    """All rows up to `most`; a seeded sample above."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


def silhouette_samples(X, labelings, n_clusters):
    """Silhouette of each patient under each labeling; distances are computed once for all.

    labelings is a list of label arrays; gives labelings × patients, 0 for a cluster of one.
    """
    from sklearn.metrics import pairwise_distances_chunked  # not for a page that only samples

    members = [np.eye(n_clusters, dtype=np.float32)[labels] for labels in labelings]
    counts = [m.sum(axis=0) for m in members]
    result, start = np.zeros((len(labelings), len(X)), dtype=np.float64), 0
    for block in pairwise_distances_chunked(X.astype(np.float32), working_memory=32):
        rows = slice(start, start + len(block))
        for r, labels in enumerate(labelings):
            result[r, rows] = _from_sums(block @ members[r], labels[rows], counts[r])
        start += len(block)
    return result


def _from_sums(sums, own, counts):
    """(b - a) / max(a, b) from the summed distances of patients to each cluster."""
    index = np.arange(len(own))
    a = sums[index, own] / np.maximum(counts[own] - 1, 1)
    others = sums / np.maximum(counts, 1)
    others[:, counts == 0] = np.inf
    others[index, own] = np.inf
    b = others.min(axis=1)
    scale = np.maximum(a, b)
    alone = (counts[own] <= 1) | ~np.isfinite(b) | (scale == 0)
    return np.where(alone, 0.0, (b - a) / np.where(alone, 1.0, scale))


def mean_silhouettes(X, labelings, n_clusters, *, seed=0):
    """Mean silhouette of each labeling; 0 where there is one cluster only."""
    if n_clusters < 2 or not len(labelings):
        return np.zeros(len(labelings))
    rows = sample_rows(len(X), seed)
    return silhouette_samples(X[rows], [labels[rows] for labels in labelings], n_clusters).mean(1)
