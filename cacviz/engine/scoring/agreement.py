"""How far two clusterings of the same patients agree."""

from __future__ import annotations

from typing import Any

import numpy as np


def crossing(
    first: np.ndarray, second: np.ndarray, n_first: int = 0, n_second: int = 0
) -> np.ndarray:
    """How many patients are in each cluster of one run and each of another.

    The numbers of clusters are needed where the last of them may be empty.
    """
    shape = n_first or int(first.max()) + 1, n_second or int(second.max()) + 1
    return np.bincount(first * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape)


def cohens_kappa(counts: np.ndarray) -> Any:
    """Agreement on the same clusters beyond chance, from the crossing (or a stack of them)."""
    n = np.maximum(counts.sum(axis=(-2, -1)), 1e-300)
    same = np.trace(counts, axis1=-2, axis2=-1) / n
    chance = (counts.sum(axis=-1) * counts.sum(axis=-2)).sum(axis=-1) / n**2
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(chance < 1, (same - chance) / (1 - chance), 1.0)
    return found[()]


def adjusted_rand_index(counts: np.ndarray) -> float:
    """Agreement of two clusterings beyond chance, from their crossing: 1 is the same, 0 chance."""

    def pairs(n: np.ndarray) -> float:
        return float((n * (n - 1) / 2).sum())

    rows, columns = pairs(counts.sum(axis=1)), pairs(counts.sum(axis=0))
    every = pairs(np.array([counts.sum()]))
    expected = rows * columns / every if every else 0.0
    highest = (rows + columns) / 2
    return 1.0 if highest == expected else (pairs(counts) - expected) / (highest - expected)
