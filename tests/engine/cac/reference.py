"""CAC by its definition, slow and plain: every cost from scratch, no algebra to get wrong."""

import numpy as np


def phi(X, y, *, alpha, balanced=False):
    """Cost of one cluster (METHODS 1.1, 1.5)."""
    if len(X) == 0:
        return 0.0
    scatter = ((X - X.mean(axis=0)) ** 2).sum()
    classes = np.unique(y)
    means = [X[y == c].mean(axis=0) for c in classes]
    pairs = [(a, b) for a in range(len(classes)) for b in range(a)]
    if not pairs:
        return float(scatter)
    gaps = [((means[a] - means[b]) ** 2).sum() for a, b in pairs]
    if not balanced:
        return float(scatter - alpha * len(X) * np.mean(gaps))
    sizes = [np.count_nonzero(y == c) for c in classes]
    between = sum(sizes[a] * sizes[b] * g for (a, b), g in zip(pairs, gaps, strict=True))
    return float(scatter - alpha * between / len(X))


def total(X, y, labels, *, alpha, balanced=False):
    """Cost of a clustering."""
    return sum(
        phi(X[labels == j], y[labels == j], alpha=alpha, balanced=balanced)
        for j in np.unique(labels)
    )


def may_leave(y, labels, i, min_class_size=1):
    """Whether patient i may leave its cluster."""
    mates = y[labels == labels[i]]
    own = np.count_nonzero(mates == y[i])
    others = [np.count_nonzero(mates == c) for c in np.unique(mates) if c != y[i]]
    standing = sum(n >= min_class_size for n in others)
    return len(mates) > 1 and (own > min_class_size or standing >= 2)


def best_move(X, y, labels, i, k, **cost):
    """The cheapest cluster for patient i and the change of cost it brings."""
    now = total(X, y, labels, **cost)
    best, target = 0.0, labels[i]
    for j in range(k):
        if j != labels[i]:
            tried = labels.copy()
            tried[i] = j
            change = total(X, y, tried, **cost) - now
            if change < best:
                best, target = change, j
    return target, best


def sweep(X, y, labels, k, *, tolerance, min_class_size=1, **cost):
    """One round in order; gives the new labels and the moves as (patient, from, to)."""
    labels, moves = labels.copy(), []
    for i in range(len(X)):
        if not may_leave(y, labels, i, min_class_size):
            continue
        target, change = best_move(X, y, labels, i, k, **cost)
        if change < -tolerance:
            moves.append((i, int(labels[i]), int(target)))
            labels[i] = target
    return labels, moves
