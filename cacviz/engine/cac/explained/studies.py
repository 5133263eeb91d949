"""Small studies that are done while one looks: what helps, and what noise can look like."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cacviz.engine.cac.critical import critical_alpha
from cacviz.engine.cac.explained.experts import Model, auc, fit
from cacviz.engine.cac.explained.patients import Plane, World, patients
from cacviz.engine.cac.explained.rounds import lloyd, rounds

LEARN, NEW = 150, 2000  # patients to learn from, and new ones to be judged by
DIAL = (0.0, 0.25, 0.5, 0.75, 1.0)
NOISE_FEATURES, NOISE_PATIENTS = 8, 240


class Compared(NamedTuple):
    """The same patients under one model for all, k-means and CAC, with AUC on new patients."""

    plane: Plane
    labels: dict[str, np.ndarray]
    models: dict[str, Model]
    auc: dict[str, float]
    moved: int  # patients that CAC has in another cluster than k-means
    critical: float


def compare(world: World, seed: int = 2, fraction: float = 0.5) -> Compared:
    """Learn from 150 patients of a world by three ways, and judge by 2,000 new ones."""
    plane, new = patients(world, LEARN, seed), patients(world, NEW, seed + 1000)
    k = world.kinds
    start = lloyd(plane.X, k, seed)
    critical = critical_alpha(plane.y, start, 2)
    last = rounds(plane.X, plane.y, start, k, fraction * critical).labels[-1]
    labels = {"one": np.zeros_like(start), "kmeans": start, "cac": last}
    sizes = {"one": 1, "kmeans": k, "cac": k}
    models = {name: fit(plane.X, plane.y, labels[name], sizes[name]) for name in labels}
    scores = {name: auc(model, new.X, new.y) for name, model in models.items()}
    return Compared(plane, labels, models, scores, int((last != start).sum()), critical)


def turn_dial(world: World, seed: int = 2) -> dict[str, list[float]]:
    """AUC on new patients at each stop of the dial from the same to opposite risk."""
    found = [compare(world._replace(turned=t), seed).auc for t in DIAL]
    return {name: [scores[name] for scores in found] for name in found[0]}


class Seen(NamedTuple):
    """AUC on the patients learned from, and on patients held out, for a number of clusters."""

    clusters: int
    learned: float
    held_out: float


def on_noise(most: int = 6, seed: int = 0) -> list[Seen]:
    """Pure noise: an outcome by the toss of a coin; k-means and an expert a cluster."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(2 * NOISE_PATIENTS, NOISE_FEATURES))
    y = (rng.random(len(X)) < 0.3).astype(np.int64)
    known, held_out = slice(0, NOISE_PATIENTS), slice(NOISE_PATIENTS, None)
    found = []
    for k in range(1, most + 1):
        model = fit(X[known], y[known], lloyd(X[known], k, seed, starts=3), k)
        scores = [auc(model, X[part], y[part]) for part in (known, held_out)]
        found.append(Seen(k, *scores))
    return found
