"""Hartigan sweeps for the CAC cost: arrays in, arrays out.

The price of x entering or leaving a cluster (the paper's Gamma+ and Gamma-; METHODS 1.2, 1.5) is
quadratic in x with a scalar quadratic part, so for given class sums it is

    price(x) = const + quad |x|² + row · x

with one (const, quad, row) per cluster, class and direction. A candidate therefore costs one dot
product; the rows are renewed from the class sums only when a move changes their cluster.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

ENTER, LEAVE = 0, 1
# Columns of `scalars`: |mean|², |total|², sum of |class mean|², classes present, patients.
MEAN, TOTAL, SQUARES, PRESENT, SIZE = 0, 1, 2, 3, 4


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


class Rules(NamedTuple):
    """The cost's settings in a form the kernel takes."""

    alpha: float
    balanced: bool
    min_class_size: int


@njit(cache=True)
def _mean_gap(present, squares, total):
    """Mean squared distance between the class means of a cluster (METHODS 1.5); 0 for one class."""
    if present < 2:
        return 0.0
    return 2.0 / (present * (present - 1)) * (present * squares - total)


@njit(cache=True)
def _reward(n, n_c, sign, present, squares, total, class_norm, class_total):
    """The cluster's n × separation once x has moved: const, quad, weights of total and class mean.

    Only the mean of x's own class changes, by `step` of the way from it to x.
    """
    after = n + sign
    if n_c + sign == 0:  # the last patient of its class leaves
        squares, total = squares - class_norm, total + class_norm - 2.0 * class_total
        return after * _mean_gap(present - 1, squares, total), 0.0, 0.0, 0.0
    p = present + 1.0 if n_c == 0 else present
    if p < 2:
        return 0.0, 0.0, 0.0, 0.0
    scale = after * 2.0 / (p * (p - 1))
    if n_c == 0:  # the first patient of its class enters
        return scale * (p * squares - total), scale * (p - 1), -2.0 * scale, 0.0
    step = sign / (n_c + sign)
    own = 2.0 * step * p - 2.0 * step * step * (p - 1)
    const = p * squares - total + 2.0 * step * class_total
    const += ((p - 1) * step * step - 2.0 * step * p) * class_norm
    return scale * const, scale * (p - 1) * step * step, -2.0 * scale * step, scale * own


@njit(cache=True)
def _weights(state, rules, j, c, way):
    """(const, quad, and the weights of mean, total and class mean in the row) of one price."""
    sign = 1.0 if way == ENTER else -1.0
    n, n_c = state.scalars[j, SIZE], float(state.counts[j, c])
    if n + sign == 0 or (way == LEAVE and n_c == 0):
        return 0.0, 0.0, 0.0, 0.0, 0.0
    scatter, class_norm = sign * n / (n + sign), state.norms[j, c]
    if rules.balanced:
        within = rules.alpha * sign * n_c / (n_c + sign) if n_c + sign > 0 else 0.0
        scatter *= 1.0 - rules.alpha
        const = scatter * state.scalars[j, MEAN] + within * class_norm
        return const, scatter + within, -2.0 * scatter, 0.0, -2.0 * within
    present, squares, total = (
        state.scalars[j, PRESENT],
        state.scalars[j, SQUARES],
        state.scalars[j, TOTAL],
    )
    const, quad, by_total, by_class = _reward(
        n, n_c, sign, present, squares, total, class_norm, state.totals_at[j, c]
    )
    alpha = rules.alpha
    const = scatter * state.scalars[j, MEAN] - alpha * (const - n * state.separation[j])
    return const, scatter - alpha * quad, -2.0 * scatter, -alpha * by_total, -alpha * by_class


@njit(cache=True, fastmath=True, error_model="numpy")
def _set_means(counts, sums, class_means, means, totals, norms, totals_at, scalars, j):
    """Renew the means of cluster j and their norms from its class sums."""
    n_classes, d = sums.shape[1], sums.shape[2]
    size, present, squares, mean_norm, total_norm = 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(n_classes):
        size += counts[j, c]
    for t in range(d):
        means[j, t], totals[j, t] = 0.0, 0.0
    for c in range(n_classes):
        inverse, norm = 1.0 / max(counts[j, c], 1), 0.0
        for t in range(d):
            value = sums[j, c, t] * inverse if counts[j, c] > 0 else 0.0
            class_means[j, c, t] = value
            norm += value * value
            totals[j, t] += value
            means[j, t] += value * (counts[j, c] / size)
        norms[j, c] = norm
        present += counts[j, c] > 0
        squares += norm
    for t in range(d):
        mean_norm += means[j, t] * means[j, t]
        total_norm += totals[j, t] * totals[j, t]
    for c in range(n_classes):
        at = 0.0
        for t in range(d):
            at += totals[j, t] * class_means[j, c, t]
        totals_at[j, c] = at
    scalars[j, SIZE], scalars[j, PRESENT], scalars[j, SQUARES] = size, present, squares
    scalars[j, MEAN], scalars[j, TOTAL] = mean_norm, total_norm


@njit(cache=True, fastmath=True)
def _set_row(rows, j, c, way, by_mean, means, by_total, totals, by_class, class_means):
    for t in range(rows.shape[3]):
        value = by_mean * means[j, t] + by_total * totals[j, t]
        rows[j, c, way, t] = value + by_class * class_means[j, c, t]


@njit(cache=True)
def may_leave(counts, j, c, min_class_size):
    """The guard: a cluster keeps two classes of at least `min_class_size`, and is never emptied."""
    size, others = 0, 0
    for a in range(counts.shape[1]):
        size += counts[j, a]
        if a != c and counts[j, a] >= min_class_size:
            others += 1
    return size > 1 and (counts[j, c] > min_class_size or others >= 2)


@njit(cache=True)
def refresh(state, rules, j):
    """Renew everything kept of cluster j from its class sums."""
    s = state
    _set_means(
        s.counts, s.sums, s.class_means, s.means, s.totals, s.norms, s.totals_at, s.scalars, j
    )
    s.separation[j] = _mean_gap(s.scalars[j, PRESENT], s.scalars[j, SQUARES], s.scalars[j, TOTAL])
    for c in range(s.counts.shape[1]):
        s.free[j, c] = may_leave(s.counts, j, c, rules.min_class_size)
        for way in range(2):
            const, quad, by_mean, by_total, by_class = _weights(s, rules, j, c, way)
            s.const[j, c, way], s.quad[j, c, way] = const, quad
            _set_row(
                s.rows, j, c, way, by_mean, s.means, by_total, s.totals, by_class, s.class_means
            )


@njit(cache=True)
def gather(X, y, labels, state, rules):
    """Class sums from the labels, and all that follows from them."""
    state.counts[:] = 0
    state.sums[:] = 0.0
    for i in range(X.shape[0]):
        j, c = labels[i], y[i]
        state.counts[j, c] += 1
        for t in range(X.shape[1]):
            state.sums[j, c, t] += X[i, t]
    for j in range(state.counts.shape[0]):
        refresh(state, rules, j)


@njit(cache=True, fastmath=True, error_model="numpy")
def _next_mover(X, norms, y, labels, rows, const, quad, prices, free, start, tolerance):
    """The first patient from `start` on who lowers the cost by moving, and where to.

    Two candidates share a pass over the patient; plain indexing, as array views would cost as much
    as the arithmetic at a hundred features.
    """
    (n, d), k = X.shape, rows.shape[0]
    for i in range(start, n):
        source, c, norm = labels[i], y[i], norms[i]
        if not free[source, c]:
            continue
        for j in range(0, k - 1, 2):
            here, there = int(j == source), int(j + 1 == source)
            first, second = 0.0, 0.0
            for t in range(d):
                value = X[i, t]
                first += value * rows[j, c, here, t]
                second += value * rows[j + 1, c, there, t]
            prices[j] = first + const[j, c, here] + quad[j, c, here] * norm
            prices[j + 1] = second + const[j + 1, c, there] + quad[j + 1, c, there] * norm
        if k % 2 == 1:
            here, last = int(k - 1 == source), 0.0
            for t in range(d):
                last += X[i, t] * rows[k - 1, c, here, t]
            prices[k - 1] = last + const[k - 1, c, here] + quad[k - 1, c, here] * norm
        best, target = -tolerance - prices[source], source
        for j in range(k):
            if j != source and prices[j] < best:
                best, target = prices[j], j
        if target != source:
            return i, target
    return n, 0


@njit(cache=True)
def sweep(X, norms, y, labels, state, rules, tolerance):
    """One round: each patient in order goes where the cost falls most; gives the moves made."""
    s, moves, i = state, 0, 0
    while True:
        i, target = _next_mover(
            X, norms, y, labels, s.rows, s.const, s.quad, s.prices, s.free, i, tolerance
        )
        if i == X.shape[0]:
            return moves
        source, c = labels[i], y[i]
        labels[i] = target
        s.counts[source, c] -= 1
        s.counts[target, c] += 1
        for t in range(X.shape[1]):
            s.sums[source, c, t] -= X[i, t]
            s.sums[target, c, t] += X[i, t]
        refresh(state, rules, source)
        refresh(state, rules, target)
        moves, i = moves + 1, i + 1


def empty_sums(n_clusters, n_classes, d):
    """Room for the sums, taken once a fit."""
    k, c = n_clusters, n_classes
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
    )


def total_cost(state, norm_sum, rules):
    """phi summed over the clusters, from their sums."""
    sizes = state.scalars[:, SIZE]
    scatter = norm_sum - float(sizes @ state.scalars[:, MEAN])
    if rules.balanced:
        within = norm_sum - float((state.counts * state.norms).sum())
        return (1 - rules.alpha) * scatter + rules.alpha * within
    return scatter - rules.alpha * float(sizes @ state.separation)
