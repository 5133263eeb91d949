"""Logistic regressions, one a cluster, and what they say of patients nobody has seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cacviz.engine.cac.explained.rounds import means_of, squared_distances
from cacviz.engine.scoring.ranking import rank_auc


class Model(NamedTuple):
    """Centres of the clusters, and a logistic regression for each: slopes and a constant."""

    centres: np.ndarray  # k × d
    weights: np.ndarray  # k × (d + 1)

    def cluster(self, X: np.ndarray) -> np.ndarray:
        """The nearest centre: a new patient needs no outcome."""
        return squared_distances(X, self.centres).argmin(axis=1)

    def risk(self, X: np.ndarray) -> np.ndarray:
        """The risk that the expert of the nearest centre gives."""
        odds = (with_constant(X) * self.weights[self.cluster(X)]).sum(axis=1)
        return 1 / (1 + np.exp(-odds))


def fit(X: np.ndarray, y: np.ndarray, labels: np.ndarray, k: int) -> Model:
    """An expert a cluster, fitted on its members (the paper's)."""
    weights = [logistic(X[labels == j], y[labels == j], y.mean()) for j in range(k)]
    return Model(means_of(X, labels, k, X.mean(axis=0)[None]), np.array(weights))


def logistic(X: np.ndarray, y: np.ndarray, prior: float) -> np.ndarray:
    """Newton's steps to a logistic regression with scikit-learn's penalty (C = 1).

    Where one outcome is absent there is nothing to learn: a constant, shrunk by one patient.
    """
    Z = with_constant(X)
    weights = np.zeros(Z.shape[1])
    if len(np.unique(y)) < 2:
        share = (y.sum() + prior) / (len(y) + 1)
        weights[-1] = np.log(share / (1 - share))
        return weights
    penalty = np.diag([1.0] * X.shape[1] + [0.0])
    for _ in range(25):
        p = 1 / (1 + np.exp(-Z @ weights))
        slope = Z.T @ (p - y) + penalty @ weights
        curve = (Z * (p * (1 - p))[:, None]).T @ Z + penalty + 1e-9 * np.eye(Z.shape[1])
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def with_constant(X: np.ndarray) -> np.ndarray:
    """Features and a column of ones."""
    return np.column_stack([X, np.ones(len(X))])


def auc(model: Model, X: np.ndarray, y: np.ndarray) -> float:
    """How well the model ranks patients with the event above the others."""
    return rank_auc(model.risk(X), y == 1)
