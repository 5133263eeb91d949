"""Penalised logistic regression with offsets, weights and soft targets; x ends in a constant."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

CONSTANT = 1.0  # the most penalty on the constant
MOST_ROUNDS, SMALLEST_FALL = 60, 1e-6
TINY = 1e-9


class Lesson(NamedTuple):
    """What a path is learned from; `offset` is what it adds to, `weight` a column."""

    x: np.ndarray
    target: np.ndarray  # patients × classes, rows sum to 1
    offset: np.ndarray | float = 0.0
    weight: np.ndarray | float = 1.0


def fit(lesson, penalty, start=None):
    """The path, features × classes, that minimises weighted log loss + penalty · ‖path‖² / 2."""
    x, target, offset, weight = lesson
    shape = x.shape[1], target.shape[1]
    each = np.full((shape[0], 1), penalty)
    each[-1] = min(penalty, CONSTANT)

    def loss(flat):
        path = flat.reshape(shape)
        risk = softmax(offset + x @ path)
        missed = -(weight * target * np.log(risk + TINY)).sum()
        slope = x.T @ (weight * (risk - target)) + each * path
        return missed + (each * path**2).sum() / 2, slope.ravel()

    first = np.zeros(shape).ravel() if start is None else start.ravel()
    options = {"maxiter": MOST_ROUNDS, "ftol": SMALLEST_FALL}
    return minimize(loss, first, jac=True, method="L-BFGS-B", options=options).x.reshape(shape)


def softmax(logits):
    """Rows of logits as probabilities."""
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)
