"""Where CAC's separation weight starts to collapse: the start, and the critical value of it."""

from __future__ import annotations

import numpy as np

from cacviz.engine.types import TRAIN, RunConfig, Split

LARGE = 2**28  # bytes of a matrix from which a second copy hurts
N_INIT = 10  # as CAC has it
MOST = 5_000  # training patients from whom the value is estimated before a run


def start_labels(X, n_clusters, *, n_init, random_state):
    """k-means, the best of several starts; works inside X, which comes back as it was."""
    from sklearn.cluster import KMeans  # not for a page that only asks for a constant

    if n_clusters == 1:
        return np.zeros(len(X), dtype=np.int64)
    # With a tolerance KMeans takes variances, and with them a second copy of a large matrix.
    limits = {"tol": 0, "max_iter": 100} if X.nbytes > LARGE else {}
    kmeans = KMeans(n_clusters, n_init=n_init, random_state=random_state, copy_x=False, **limits)
    return kmeans.fit_predict(X).astype(np.int64)


def critical_alpha(y, labels, n_classes, *, separation="paper"):
    """The separation weight at which a cluster's cost starts to reward one odd patient.

    For two classes the smallest pi (1 - pi) over the clusters (docs/methods.md, 2); beyond two,
    the pair of classes that tips first: p (p - 1) / 2 pi_a pi_b. A cluster of one class tips when
    its first odd patient pays for itself. The balanced separation is bounded up to 1.
    """
    if separation == "balanced":
        return 1.0
    table = np.array([np.bincount(y[labels == j], minlength=n_classes) for j in np.unique(labels)])
    return min(_tipping(counts[counts > 0]) for counts in table)


def _tipping(counts):
    n, p = counts.sum(), len(counts)
    if p == 1:
        return n / (n + 1) ** 2
    rarest = np.sort(counts)[:2]
    return float(p * (p - 1) / 2 * rarest[0] * rarest[1] / n**2)


def expected_critical_alpha(split: Split, config: RunConfig) -> float:
    """The critical value before a run: exact up to 5,000 training patients, else from a sample."""
    from cacviz.engine.preparation.preparing import Preparation

    if config.get("separation") == "balanced":
        return 1.0
    cohort, rows = split.cohort, split.rows(TRAIN)
    if len(rows) > MOST:
        rows = np.sort(np.random.default_rng(config.seed).choice(rows, MOST, replace=False))
    frame, y = cohort.frame.iloc[rows], cohort.y[rows]
    X = (
        Preparation(config.get("scaling", "standard"))
        .fit(frame, cohort.columns, y)
        .transform(frame)
        .X
    )
    rng = np.random.RandomState(config.seed)  # as CAC hands it to k-means
    labels = start_labels(
        X - X.mean(axis=0), config.n_clusters, n_init=config.get("n_init", N_INIT), random_state=rng
    )
    return float(critical_alpha(y, labels, len(cohort.classes)))
