"""Hartigan sweeps for the CAC cost: arrays in, arrays out.

The price of x entering or leaving a cluster (the paper's Gamma+ and Gamma-; METHODS 1.2, 1.5) is
quadratic in x with a scalar quadratic part, so for given class sums it is

    price(x) = const + quad |x|² + row · x

with one (const, quad, row) per cluster, class and direction. A candidate therefore costs one dot
product; the rows are renewed from the class sums only when a move changes their cluster.

Late rounds look at few patients. Where x stays, the margin is kept; how much const, quad and row
have drifted since then bounds how far x's prices can have come, and x is passed over until the
bound reaches the margin. Who is passed over could not have moved: the same moves for less work.
"""

import numpy as np
from numba import njit

# Rules and Sums: numba's cache files of cacviz 0.1 name them here, and it must be able to read them
from cacviz.engine.cac.class_sums import (
    LOOK,
    MEAN,
    PRESENT,
    SIZE,
    SQUARES,
    TOTAL,
    Rules,  # noqa: F401
    Sums,  # noqa: F401
)

ENTER, LEAVE = 0, 1
ROUNDING = 1e-9  # of 1 + |x|²: far above what rounding does to a price
HUGE = 1e300


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
    """Renew one row; gives how far it went."""
    far = 0.0
    for t in range(rows.shape[3]):
        value = by_mean * means[j, t] + by_total * totals[j, t] + by_class * class_means[j, c, t]
        far += (value - rows[j, c, way, t]) ** 2
        rows[j, c, way, t] = value
    return np.sqrt(far)


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
            far = _set_row(
                s.rows, j, c, way, by_mean, s.means, by_total, s.totals, by_class, s.class_means
            )
            drift = s.drift[j if way == LEAVE else -1, c]
            drift[0] += abs(const - s.const[j, c, way])
            drift[1] += abs(quad - s.quad[j, c, way])
            drift[2] += far
            s.const[j, c, way], s.quad[j, c, way] = const, quad


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


@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _drifted(drift, j, c, norm, length):
    """At most this far have the prices of a patient of cluster j and class c come, all told."""
    stay, go = drift[j, c], drift[-1, c]
    return stay[0] + go[0] + (stay[1] + go[1]) * norm + (stay[2] + go[2]) * length


@njit(cache=True, fastmath=True, error_model="numpy")
def _next_mover(X, norms, y, labels, rows, const, quad, prices, free, drift, limits, start, least):
    """The first patient from `start` on who lowers the cost by moving, and where to.

    Two candidates share a pass over the patient; plain indexing, as array views would cost as much
    as the arithmetic at a hundred features.
    """
    (n, d), k = X.shape, rows.shape[0]
    for i in range(start, n):
        source, c, norm = labels[i], y[i], norms[i]
        drifted = _drifted(drift, source, c, norm, np.sqrt(norm))
        if not free[source, c] or drifted < limits[i]:
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
        cheapest, target = HUGE, source
        for j in range(k):
            if j != source and prices[j] < cheapest:
                cheapest, target = prices[j], j
        margin = cheapest + prices[source] + least
        if margin < 0.0:
            return i, target
        limits[i] = drifted + margin - ROUNDING * (1.0 + norm)
    return n, 0


@njit(cache=True)
def sweep(X, norms, y, labels, state, rules, tolerance):
    """One round: each patient in order goes where the cost falls most; gives the moves made."""
    s, moves, i = state, 0, 0
    while True:
        i, target = _next_mover(
            X,
            norms,
            y,
            labels,
            s.rows,
            s.const,
            s.quad,
            s.prices,
            s.free,
            s.drift,
            s.limits,
            i,
            tolerance,
        )
        if i == X.shape[0]:
            return moves
        source, c = labels[i], y[i]
        labels[i], s.limits[i] = target, LOOK
        s.counts[source, c] -= 1
        s.counts[target, c] += 1
        for t in range(X.shape[1]):
            s.sums[source, c, t] -= X[i, t]
            s.sums[target, c, t] += X[i, t]
        refresh(state, rules, source)
        refresh(state, rules, target)
        moves, i = moves + 1, i + 1
