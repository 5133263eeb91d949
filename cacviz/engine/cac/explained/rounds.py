"""Algorithm 1 for two outcomes in numpy: every patient priced at once, the first mover moves."""

from __future__ import annotations

import numpy as np

from cacviz.engine.cac.class_sums import Rounds

MOST_ROUNDS = 60


def lloyd(X: np.ndarray, k: int, seed: int = 0, starts: int = 8) -> np.ndarray:
    """k-means, the best of several starts."""
    rng = np.random.default_rng(seed)
    found = [_one_start(X, k, rng) for _ in range(starts)]
    return min(found, key=lambda pair: pair[1])[0]


def _one_start(X: np.ndarray, k: int, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """k-means++ and Lloyd's steps until nobody changes; labels and what is left of the scatter."""
    means = X[rng.integers(len(X))][None]
    while len(means) < k:
        far = squared_distances(X, means).min(axis=1)
        share = far / far.sum() if far.sum() > 0 else np.full(len(X), 1 / len(X))
        means = np.vstack([means, X[rng.choice(len(X), p=share)]])
    labels = np.full(len(X), -1)
    for _ in range(100):
        distances = squared_distances(X, means)
        new = distances.argmin(axis=1)
        if (new == labels).all():
            break
        labels = new
        means = means_of(X, labels, k, fallback=means)
    return labels, float(distances.min(axis=1).sum())


def squared_distances(X: np.ndarray, means: np.ndarray) -> np.ndarray:
    """Squared distance of every patient to every centre."""
    return ((X[:, None, :] - means[None]) ** 2).sum(axis=2)


def means_of(X: np.ndarray, labels: np.ndarray, k: int, fallback: np.ndarray) -> np.ndarray:
    """Each cluster's mean; that of an empty one is taken from `fallback`."""
    member = np.eye(k)[labels]
    sizes = member.sum(axis=0)[:, None]
    return np.where(sizes > 0, member.T @ X / np.maximum(sizes, 1), fallback)


def class_means(X: np.ndarray, y: np.ndarray, labels: np.ndarray, k: int):
    """Counts (k × 2) and means (k × 2 × d) of the two outcomes in each cluster; 0 where none."""
    member = np.eye(2 * k)[2 * labels + y]
    counts = member.sum(axis=0)
    means = member.T @ X / np.maximum(counts, 1)[:, None]
    return counts.reshape(k, 2), means.reshape(k, 2, -1)


def cost(X: np.ndarray, y: np.ndarray, labels: np.ndarray, k: int, alpha: float) -> float:
    """The paper's phi over all clusters: scatter − α · n · squared gap of the outcomes' means."""
    scatter = ((X - means_of(X, labels, k, X[:1])[labels]) ** 2).sum()
    counts, means = class_means(X, y, labels, k)
    return float(scatter - alpha * (counts.sum(axis=1) * _gaps(counts, means)).sum())


def _gaps(counts: np.ndarray, means: np.ndarray) -> np.ndarray:
    """‖μ₊ − μ₋‖² of each cluster; 0 where an outcome is absent."""
    return ((means[:, 1] - means[:, 0]) ** 2).sum(axis=1) * (counts.min(axis=1) > 0)


def changes(X: np.ndarray, y: np.ndarray, labels: np.ndarray, k: int, alpha: float) -> np.ndarray:
    """What the cost changes by if a patient moves to a cluster: n × k; inf where it must stay."""
    counts, means = class_means(X, y, labels, k)
    sizes, gaps = counts.sum(axis=1), _gaps(counts, means)
    middles = (counts[:, :, None] * means).sum(axis=1) / np.maximum(sizes, 1)[:, None]
    away = squared_distances(X, middles)
    own, other = counts[:, y].T, counts[:, 1 - y].T  # n × k, of the patient's class and the other
    mine, theirs = means[:, y].transpose(1, 0, 2), means[:, 1 - y].transpose(1, 0, 2)

    def after(sign: int) -> np.ndarray:
        """The gap of a cluster when the patient has come (1) or gone (−1)."""
        left = own + sign
        moved = (own[..., None] * mine + sign * X[:, None]) / np.maximum(left, 1)[..., None]
        return ((moved - theirs) ** 2).sum(axis=2) * ((left > 0) & (other > 0))

    come = sizes / (sizes + 1) * away - alpha * ((sizes + 1) * after(1) - sizes * gaps)
    leave = -sizes / np.maximum(sizes - 1, 1) * away - alpha * (
        (sizes - 1) * after(-1) - sizes * gaps
    )
    rows = np.arange(len(X))
    total = come + leave[rows, labels][:, None]
    total[rows, labels] = np.inf
    total[own[rows, labels] < 2] = np.inf  # the last of its class may not leave
    return total


def rounds(X: np.ndarray, y: np.ndarray, start: np.ndarray, k: int, alpha: float) -> Rounds:
    """Hartigan's rounds from a start until nobody moves; entry 0 is the start."""
    labels = start.astype(np.int64).copy()
    found = Rounds([labels.copy()], [cost(X, y, labels, k, alpha)], [0])
    for _ in range(MOST_ROUNDS):
        moves = _sweep(X, y, labels, k, alpha, 1e-9 * (1 + abs(found.costs[-1]) / len(X)))
        found.labels.append(labels.copy())
        found.costs.append(cost(X, y, labels, k, alpha))
        found.moves.append(moves)
        if moves == 0:
            break
    return found


def _sweep(X, y, labels, k, alpha, tolerance) -> int:
    """One round, in the patients' order; works inside `labels`."""
    moves, at = 0, 0
    while True:
        prices = changes(X, y, labels, k, alpha)[at:]
        willing = np.flatnonzero(prices.min(axis=1) < -tolerance)
        if not len(willing):
            return moves
        first = willing[0]
        labels[at + first] = prices[first].argmin()
        moves, at = moves + 1, at + first + 1
