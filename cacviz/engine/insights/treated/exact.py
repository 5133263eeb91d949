"""The interaction test where cells are small: tables drawn with the events of each group and arm.

Given how many events each group and each arm had, the tables that could have come are weighted by
∏ C(n, events); no risk has to be estimated, so the test never calls too often (Zelen's exact test,
for any number of groups and arms). The tables are walked through from one that stands as far from
the observed one as all others do, which makes the p-value exact for any number of steps (Besag and
Clifford, 1989).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

N_DRAWS = 999
N_STEPS = 300
JUMPS = np.array([1, 2, 4, 8])
FAR = int(JUMPS.max())
CORNERS = ((0, 0, 1), (0, 1, -1), (1, 0, -1), (1, 1, 1))  # row, column, and who gains

Statistic = Callable[[np.ndarray], np.ndarray]


def exact_p(n: np.ndarray, events: np.ndarray, statistic: Statistic, seed: int) -> float:
    """How often a table with these margins has a statistic as large as the observed one."""
    rng = np.random.default_rng(seed)
    start = walk(n, events[None], rng)
    drawn = walk(n, np.repeat(start, N_DRAWS, axis=0), rng)
    reached = statistic(drawn) >= statistic(events[None])[0] - 1e-9
    return float((1 + reached.sum()) / (N_DRAWS + 1))


def walk(n: np.ndarray, tables: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Each table after many exchanges of events that leave its margins alone."""
    weights, (k, arms) = _weights(n.astype(np.int64)), n.shape
    flat = tables.reshape(len(tables), -1).astype(np.int64)
    shape, everyone = (N_STEPS, len(tables)), np.arange(len(tables))
    rows, columns = _pairs(k, shape, rng), _pairs(arms, shape, rng)
    jumps, chances = rng.choice(JUMPS, shape), np.log(rng.random(shape))
    for step in range(N_STEPS):
        change = np.zeros(len(tables))
        cells = [rows[i][step] * arms + columns[j][step] for i, j, _ in CORNERS]
        for cell, (_, _, sign) in zip(cells, CORNERS, strict=True):
            now = flat[everyone, cell] + FAR
            change += weights[cell, now + sign * jumps[step]] - weights[cell, now]
        taken = np.where(chances[step] < change, jumps[step], 0)
        for cell, (_, _, sign) in zip(cells, CORNERS, strict=True):
            flat[everyone, cell] += sign * taken
    return flat.reshape(tables.shape)


def _pairs(size: int, shape: tuple[int, int], rng: np.random.Generator):
    """Two different places out of `size`, in either order, for each step and table."""
    first = rng.integers(size, size=shape)
    return first, (first + rng.integers(1, size, size=shape)) % size


def _weights(n: np.ndarray) -> np.ndarray:
    """log C(n, events) of each cell by events; minus infinity where there are no such events.

    Events begin at FAR, so that a jump beyond the ends has a place.
    """
    most = int(n.max())
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, most + 1)))])
    found = np.full((n.size, most + 1 + 2 * FAR), -np.inf)
    for cell, size in enumerate(n.ravel()):
        some = np.arange(size + 1)
        found[cell, FAR : FAR + size + 1] = logs[size] - logs[some] - logs[size - some]
    return found
