"""Rounds of Hartigan moves from a start until nobody moves (Algorithm 1), and clusters' means."""

from __future__ import annotations

import numpy as np

from cacviz.engine.cac.class_sums import Rounds, empty_sums, total_cost
from cacviz.engine.cac.kernel import gather, sweep

RENEW = 8  # rounds after which the class sums are gathered anew, against rounding


def hartigan(X, y, labels, n_clusters, n_classes, *, rules, max_iter, on_round=None):
    """Rounds of Hartigan moves until none lowers the cost (Algorithm 1)."""
    labels, norms = labels.astype(np.int64), np.einsum("ij,ij->i", X, X)
    small = np.min_scalar_type(n_clusters)  # a hundred rounds of a large cohort are kept
    state = empty_sums(X.shape, n_clusters, n_classes)
    gather(X, y, labels, state, rules)
    rounds = Rounds([labels.astype(small)], [total_cost(state, norms.sum(), rules)], [0])
    for number in range(1, max_iter + 1):
        tolerance = 1e-9 * (1 + abs(rounds.costs[-1]) / len(X))
        moves = sweep(X, norms, y, labels, state, rules, tolerance)
        if number % RENEW == 0:
            gather(X, y, labels, state, rules)
        rounds.labels.append(labels.astype(small))
        rounds.costs.append(total_cost(state, norms.sum(), rules))
        rounds.moves.append(int(moves))
        if on_round is not None:
            on_round(number, rounds)
        if moves == 0:
            break
    return rounds


def centroids(X, labels, n_clusters):
    """Mean of each cluster; an empty one takes the mean of all, where nobody is nearest to it."""
    means = np.empty((n_clusters, X.shape[1]))
    for j in range(n_clusters):
        members = labels == j
        means[j] = X[members].mean(axis=0) if members.any() else X.mean(axis=0)
    return means
