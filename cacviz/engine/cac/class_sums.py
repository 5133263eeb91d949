"""What a CAC fit keeps of its clusters: the class sums and all that follows from them."""

from typing import NamedTuple

import numpy as np

# Columns of `scalars`: |mean|², |total|², sum of |class mean|², classes present, patients.
MEAN, TOTAL, SQUARES, PRESENT, SIZE = 0, 1, 2, 3, 4
LOOK = -1.0  # a limit that no drift stays below


class Sums(NamedTuple):
    """What a sweep keeps of the clusters (k clusters, c classes, d features)."""

    counts: np.ndarray  # k × c
    sums: np.ndarray  # k × c × d
    class_means: np.ndarray  # k × c × d
    means: np.ndarray  # k × d
    totals: np.ndarray  # k × d, sum of the present class means
    norms: np.ndarray  # k × c, |class mean|²
    totals_at: np.ndarray  # k × c, total · class mean
    scalars: np.ndarray  # k × 5: see MEAN … SIZE
    const: np.ndarray  # k × c × 2 (ENTER, LEAVE)
    quad: np.ndarray  # k × c × 2
    rows: np.ndarray  # k × c × 2 × d
    separation: np.ndarray  # k
    free: np.ndarray  # k × c, whether a patient of the class may leave
    prices: np.ndarray  # k, room for one patient's prices
    drift: np.ndarray  # (k + 1) × c × 3: const, quad, row; LEAVE of each cluster, ENTER of any
    limits: np.ndarray  # n, the drift up to which a patient stays; below zero = look


class Rules(NamedTuple):
    """The cost's settings in a form the kernel takes."""

    alpha: float
    balanced: bool
    min_class_size: int


class Rounds(NamedTuple):
    """What Hartigan's method did: entry 0 is the k-means start, then one per round."""

    labels: list[np.ndarray]
    costs: list[float]
    moves: list[int]


def empty_sums(shape, n_clusters, n_classes):
    """Room for the sums of a matrix of this shape, taken once a fit."""
    (n, d), k, c = shape, n_clusters, n_classes
    by_class = (k, c, d)
    return Sums(
        counts=np.zeros((k, c), dtype=np.int64),
        sums=np.zeros(by_class),
        class_means=np.zeros(by_class),
        means=np.zeros((k, d)),
        totals=np.zeros((k, d)),
        norms=np.zeros((k, c)),
        totals_at=np.zeros((k, c)),
        scalars=np.zeros((k, 5)),
        const=np.zeros((k, c, 2)),
        quad=np.zeros((k, c, 2)),
        rows=np.zeros((k, c, 2, d)),
        separation=np.zeros(k),
        free=np.zeros((k, c), dtype=np.bool_),
        prices=np.zeros(k),
        drift=np.zeros((k + 1, c, 3)),
        limits=np.full(n, LOOK),
    )


def total_cost(state, norm_sum, rules):
    """phi summed over the clusters, from their sums."""
    sizes = state.scalars[:, SIZE]
    scatter = norm_sum - float(sizes @ state.scalars[:, MEAN])
    if rules.balanced:
        within = norm_sum - float((state.counts * state.norms).sum())
        return (1 - rules.alpha) * scatter + rules.alpha * within
    return scatter - rules.alpha * float(sizes @ state.separation)
