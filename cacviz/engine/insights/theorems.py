"""The paper's theorems for the run at hand: what they promise a subtype, and what came true."""

from __future__ import annotations

from typing import Any

import numpy as np

from cacviz.engine.cac.experts import make_expert
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.types import SubtypeTheory, Theorems
from cacviz.engine.scoring.bounds import (
    Generalisation,
    MarginBounds,
    entropy,
    generalisation,
    log_loss_bounds,
    margin_bounds,
    own_odds,
    softplus,
)


def prove_run(material: Material) -> Theorems:
    """Bounds and true losses of each subtype that has training patients of two outcomes."""
    y, train = material.cohort.y, material.train
    proba = np.asarray(material.fitted.model.predict_proba(material.inputs))
    odds = own_odds(proba, y)
    linear = proba.shape[1] == 2
    subtypes = [
        _subtype(material, j, odds, linear)
        for j in range(material.n_clusters)
        if len(np.unique(y[train[material.routed[train] == j]])) > 1
    ]
    return Theorems(
        subtypes=tuple(subtypes),
        one=_linear(material, train, None, 1) if linear else None,
        own_experts=any(_weights(material, s.cluster) is not None for s in subtypes),
        n_clusters=material.n_clusters,
    )


def _subtype(material: Material, cluster: int, odds: np.ndarray, linear: bool) -> SubtypeTheory:
    y = material.cohort.y
    rows = material.train[material.routed[material.train] == cluster]
    new = material.test[material.routed[material.test] == cluster]
    return SubtypeTheory(
        cluster=cluster,
        n=len(rows),
        n_held_out=len(new),
        trivial=entropy(np.bincount(y[rows])),
        log_loss=log_loss_bounds(odds[rows], y[rows]),
        held_out=float(softplus(-odds[new]).mean()) if len(new) else float("nan"),
        margin=_margin(material, rows),
        general=_linear(material, rows, cluster, material.n_clusters) if linear else None,
    )


def _margin(material: Material, rows: np.ndarray) -> MarginBounds | None:
    """Theorem 3, for methods that have class vectors."""
    network: Any = getattr(material.fitted.model, "network_", None)
    if not hasattr(network, "class_vectors"):
        return None
    vectors = network.class_vectors.detach().numpy()
    z = material.space[rows]
    z = z / np.maximum(np.linalg.norm(z, axis=1, keepdims=True), 1e-12)
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    model: Any = material.fitted.model
    cosines = (z @ vectors.T).astype(np.float64)
    return margin_bounds(cosines, material.cohort.y[rows], model.margin, model.scale)


def _linear(material: Material, rows: np.ndarray, cluster: int | None, k: int) -> Generalisation:
    """Theorem 1: the subtype's own logistic regression, or one fitted here in its place."""
    X, y = material.prepared.X[rows], material.cohort.y[rows]
    weights = None if cluster is None else _weights(material, cluster)
    if weights is None:
        expert = make_expert("lr", material.seed).fit(X, y)
        weights = np.append(expert.coef_[0], expert.intercept_[0])
    said = X @ weights[:-1] + weights[-1]
    squares = (X**2).sum(axis=1) + 1
    trivial = entropy(np.bincount(y))
    norm = float(np.linalg.norm(weights))
    return generalisation(np.where(y == 1, said, -said), squares, norm, k, trivial)


def _weights(material: Material, cluster: int) -> np.ndarray | None:
    """Slopes and constant of the subtype's own logistic regression, where it has one."""
    experts = getattr(material.fitted.model, "experts_", None)
    estimator: Any = experts[cluster].estimator if experts else None
    if not hasattr(estimator, "coef_") or not hasattr(estimator, "predict_proba"):
        return None
    return np.append(estimator.coef_[0], estimator.intercept_[0])
