"""How far risks are right in other patients: slope of the observed on the predicted."""

from __future__ import annotations

import math

import numpy as np

from cacviz.engine.metrics import with_interval
from cacviz.engine.types import Scored

Z = 1.959964
EDGE = 1e-6


def calibration_slope(y, proba, drawn=None) -> Scored:
    """Slope of the outcome on the log-odds of its risk (1 is right, below 1 too extreme).

    Of more than two classes each against the rest, one slope for all and an intercept a class.
    `drawn`: how often each row is in each resample of patients, where some have several rows.
    """
    codes = [1] if proba.shape[1] == 2 else range(proba.shape[1])
    risk = np.clip(np.concatenate([proba[:, c] for c in codes]), EDGE, 1 - EDGE)
    met = np.concatenate([(y == c).astype(float) for c in codes])
    own = np.repeat(np.eye(len(list(codes))), len(y), axis=0)
    X = np.column_stack([np.log(risk / (1 - risk)), own])
    if met.min() == met.max() or np.ptp(X[:, 0]) == 0:
        return Scored(*[float("nan")] * 3)
    beta, error = _logistic(X, met)
    slope = float(beta[0])
    if drawn is None:
        return Scored(slope, slope - Z * error, slope + Z * error)
    times = [np.tile(row, len(list(codes))) for row in drawn]
    return with_interval(slope, np.array([_drawn_slope(X, met, t, beta) for t in times]))


def _drawn_slope(X, met, times, beta) -> float:
    """The slope in one resample; NaN where all or none had the outcome."""
    inside = met[times > 0]
    if inside.min() == inside.max():
        return math.nan
    return float(_logistic(X, met, times, beta)[0][0])


def _logistic(X, y, times=1.0, start=None):
    """Coefficients of a logistic regression and the first's standard error (Newton's steps)."""
    beta = np.eye(X.shape[1])[0] if start is None else start.copy()
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(X @ beta, -30, 30)))
        weight = times * np.maximum(p * (1 - p), 1e-9)
        hessian = X.T @ (X * weight[:, None]) + 1e-9 * np.eye(X.shape[1])
        step = np.linalg.solve(hessian, X.T @ (times * (y - p)))
        beta += step
        if np.abs(step).max() < 1e-8:
            break
    return beta, float(np.sqrt(np.linalg.inv(hessian)[0, 0]))


def observed_over_expected(y, proba, code: int) -> float:
    """Events met over events expected; 1 is right."""
    return observed_ratio(y, proba, code).value


def observed_ratio(y, proba, code: int, drawn=None) -> Scored:
    """The same with an interval: by Poisson's law, or over resamples of patients (`drawn`)."""
    expected, met = float(proba[:, code].sum()), int((y == code).sum())
    if expected <= 0 or not met:
        return Scored(0.0 if expected > 0 else math.nan, math.nan, math.nan)
    if drawn is not None:
        draws = (drawn @ (y == code)) / np.maximum(drawn @ proba[:, code], EDGE)
        return with_interval(met / expected, draws)
    ratio, away = met / expected, math.exp(Z / math.sqrt(met))
    return Scored(ratio, ratio / away, ratio * away)
