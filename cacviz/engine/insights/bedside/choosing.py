"""Which variables a rule takes, the most telling first: forward selection on training patients."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cacviz.engine.insights.bedside.types import MOST
from cacviz.engine.insights.bedside.variables import Variable
from cacviz.engine.scoring.agreement import cohens_kappa, crossing

SHRINK = 1e-3


def order_variables(X, labels, variables: Sequence[Variable], most=MOST) -> list[Variable]:
    """Variables in the order in which each adds most agreement to those before it.

    Agreement is Cohen's kappa of a linear discriminant on the prepared columns with the labels.
    """
    linear = _Linear(X, labels)
    chosen: list[Variable] = []
    left = list(variables)
    while left and len(chosen) < most:
        scores = [linear.kappa([*chosen, v]) for v in left]
        chosen.append(left.pop(int(np.argmax(scores))))
    return chosen


class _Linear:
    """Linear discriminants on any of the columns: means and one covariance are computed once."""

    def __init__(self, X, labels):
        self.X, self.labels = X, labels
        present = np.unique(labels)
        self.present = present
        self.means = np.array([X[labels == j].mean(axis=0) for j in present])
        within = X - self.means[np.searchsorted(present, labels)]
        self.spread = within.T @ within / len(X)
        self.prior = np.log([np.mean(labels == j) for j in present])
        self.k = int(labels.max()) + 1

    def kappa(self, variables: Sequence[Variable]) -> float:
        columns = [place for v in variables for place in v.places]
        spread = self.spread[np.ix_(columns, columns)] + SHRINK * np.eye(len(columns))
        means = self.means[:, columns]
        weights = np.linalg.solve(spread, means.T)
        scores = self.X[:, columns] @ weights - (means.T * weights).sum(axis=0) / 2 + self.prior
        found = self.present[scores.argmax(axis=1)]
        return cohens_kappa(crossing(self.labels, found, self.k, self.k))
