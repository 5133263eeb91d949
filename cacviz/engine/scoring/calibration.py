"""Do risks mean what they say? Slope, intercept, Brier score, bins, and a remedy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

EDGE = 1e-6  # risks beyond it are alike on the log scale
ROUNDS = 25
CLOSE = 1e-6


class Line(NamedTuple):
    """log odds observed = intercept + slope · log odds said; 0 and 1 are right."""

    intercept: float
    slope: float


def log_odds(risk: np.ndarray) -> np.ndarray:
    risk = np.clip(risk, EDGE, 1 - EDGE)
    return np.log(risk / (1 - risk))


def calibration_lines(
    event: np.ndarray, said: np.ndarray, weights: Sequence[np.ndarray]
) -> list[Line]:
    """Slope by a logistic regression on the log odds that were said; NaN where there is none.

    The intercept is calibration-in-the-large: fitted with the slope held at 1. One line for each
    vector of weights; the first is where the search for the others begins.
    """
    ones, none = np.ones(len(said)), np.zeros(len(said))
    both, large = np.column_stack([ones, said]), ones[:, None]
    starts = [_logistic(X, event, weights[0], o) for X, o in ((both, none), (large, said))]
    starts = [np.where(np.isfinite(beta), beta, 0.0) for beta in starts]
    return [
        Line(
            float(_logistic(large, event, w, said, starts[1])[0]),
            float(_logistic(both, event, w, none, starts[0])[1]),
        )
        for w in weights
    ]


def _logistic(
    X: np.ndarray,
    event: np.ndarray,
    weights: np.ndarray,
    offset: np.ndarray,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Maximum likelihood by Newton's steps; NaN where it has no finite answer."""
    beta = np.zeros(X.shape[1]) if start is None else start
    for _ in range(ROUNDS):
        risk = 1 / (1 + np.exp(-np.clip(X @ beta + offset, -35, 35)))
        gradient = X.T @ (weights * (event - risk))
        curvature = (X * (weights * risk * (1 - risk))[:, None]).T @ X
        try:
            step = np.linalg.solve(curvature, gradient)
        except np.linalg.LinAlgError:
            return np.full(len(beta), np.nan)
        beta = beta + np.clip(step, -5, 5)
        if np.abs(step).max() < CLOSE:
            return beta
    return np.full(len(beta), np.nan)


def brier(event: np.ndarray, risk: np.ndarray, weights: np.ndarray) -> float:
    """Mean squared distance of risk and outcome; 0 is perfect."""
    return float(np.sum(weights * (risk - event) ** 2) / np.sum(weights))


class Bin(NamedTuple):
    """Patients of like risk: how many, the mean risk, and how many had the event."""

    n: int
    risk: float
    events: int


def bins_of(event: np.ndarray, risk: np.ndarray, most: int = 10) -> list[Bin]:
    """Up to ten groups of equal size by risk; equal risks stay together."""
    n_bins = int(min(most, max(1, len(risk) // 20)))
    edges = np.unique(np.quantile(risk, np.linspace(0, 1, n_bins + 1)[1:-1]))
    place = np.searchsorted(edges, risk, side="left")
    return [
        Bin(int(inside.sum()), float(risk[inside].mean()), int(event[inside].sum()))
        for inside in (place == b for b in range(len(edges) + 1))
        if inside.any()
    ]


def fit_recalibration(y: np.ndarray, proba: np.ndarray) -> tuple[float, tuple[float, ...]] | None:
    """Slope b and a shift a a class, so that softmax(b · log p + a) fits these patients best.

    For two classes it is logistic recalibration. None where a class has no patient or no finite
    answer exists.
    """
    n_classes = proba.shape[1]
    if np.bincount(y, minlength=n_classes).min() == 0:
        return None
    from scipy.optimize import minimize  # slow to import

    logs = np.log(np.clip(proba, EDGE, 1))

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        z = theta[0] * logs + np.r_[0.0, theta[1:]]
        z = z - z.max(axis=1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(axis=1, keepdims=True)
        rows = np.arange(len(y))
        excess = p.copy()
        excess[rows, y] -= 1
        slope = float((excess * logs).sum() / len(y))
        value = float(-np.log(np.maximum(p[rows, y], 1e-300)).mean())
        return value, np.r_[slope, excess[:, 1:].sum(axis=0) / len(y)]

    found = minimize(loss, np.r_[1.0, np.zeros(n_classes - 1)], jac=True, method="BFGS")
    if not np.isfinite(found.x).all() or found.x[0] <= 0:
        return None
    return float(found.x[0]), (0.0, *(float(a) for a in found.x[1:]))


def recalibrated(proba: np.ndarray, slope: float, shifts: tuple[float, ...]) -> np.ndarray:
    """The risks after that remedy; their order within a class against another stays."""
    z = slope * np.log(np.clip(proba, EDGE, 1)) + np.array(shifts)
    p = np.exp(z - z.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)
