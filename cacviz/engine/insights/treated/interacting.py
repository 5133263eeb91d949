"""Do effects differ between groups? Pearson's test of a model without interaction; power."""

from __future__ import annotations

import math

import numpy as np

from cacviz.engine.insights.treated.exact import exact_p
from cacviz.engine.insights.treated.types import How, Interaction

SMALLEST = 5  # expected patients of a cell below which the exact test is taken
FEWEST = 10  # events of all patients, and others, below which nothing is tested
LEVEL, POWER, TWICE = 0.05, 0.8, 2.0


def interaction_of(n: np.ndarray, events: np.ndarray, *, seed=0) -> Interaction | None:
    """Groups × arms: does the logistic model of main effects alone fit the events?

    The score test of the interaction against one common odds ratio an arm: Pearson's chi-square of
    the cells. Where cells expect few, its exact version; None where patients or events are too few
    to test anything.
    """
    groups, arms = n.sum(axis=1) > 0, n.sum(axis=0) > 0
    n, events = n[np.ix_(groups, arms)].astype(float), events[np.ix_(groups, arms)].astype(float)
    freedom = (n > 0).sum() - sum(n.shape) + 1
    few = min(events.sum(), n.sum() - events.sum()) < FEWEST
    if min(n.shape) < 2 or freedom < 1 or few:
        return None
    fitted = main_effects(n, events)
    statistic = pearson(n, events, fitted)
    inside = n > 0
    expected = np.minimum(n * fitted, n * (1 - fitted))[inside]
    how: How = "chi-square" if expected.min() >= SMALLEST else "exact"
    p = (
        chi_square_tail(statistic, freedom)
        if how == "chi-square"
        else exact_p(n, events, lambda tables: pearson(n, tables, fitted), seed)
    )
    factor, power = _detectable(n, fitted)
    return Interaction(float(p), float(statistic), int(freedom), int(n.sum()), how, factor, power)


def main_effects(n, events) -> np.ndarray:
    """Risks of each cell by a logistic model of group and arm without interaction."""
    return _fit(n[None], events[None])[0]


def _fit(n, events, steps=25):
    """The same for a stack of tables: Newton's steps, with a trace of ridge against separation."""
    draws, k, a = n.shape
    rows, columns = np.divmod(np.arange(k * a), a)
    X = np.column_stack([np.eye(k)[rows], np.eye(a)[columns][:, 1:]])
    n, events = n.reshape(draws, -1), events.reshape(draws, -1)
    beta = np.zeros((draws, X.shape[1]))
    start = np.clip(events.sum(axis=1) / n.sum(axis=1), 1e-6, 1 - 1e-6)
    beta[:, :k] = np.log(start / (1 - start))[:, None]
    ridge = 1e-4 * np.eye(X.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(beta @ X.T, -15, 15)))
        weight = n * p * (1 - p)
        hessian = np.einsum("ci,dc,cj->dij", X, weight, X) + ridge
        gradient = (events - n * p) @ X
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        beta += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-7:
            break
    return (1 / (1 + np.exp(-np.clip(beta @ X.T, -15, 15)))).reshape(draws, k, a)


def pearson(n, events, fitted):
    """Chi-square of the cells (or of a stack of tables)."""
    variance = n * fitted * (1 - fitted)
    with np.errstate(divide="ignore", invalid="ignore"):
        cells = np.where(variance > 1e-9, (events - n * fitted) ** 2 / variance, 0.0)
    return cells.sum(axis=(-2, -1))


def chi_square_tail(statistic, freedom) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(freedom, statistic))


def power_of(n, risks) -> float:
    """The chance to find the interaction in these risks with so many patients a cell."""
    from scipy.stats import chi2, ncx2

    expected = main_effects(n, n * risks)
    away = float(pearson(n, n * risks, expected))
    freedom = (n > 0).sum() - sum(n.shape) + 1
    return float(ncx2.sf(chi2.isf(LEVEL, freedom), freedom, max(away, 1e-12)))


def _detectable(n, fitted) -> tuple[float, float]:
    """The factor between two odds ratios that is found with 80% power, and the power of 2.

    The largest group against all others, in every arm but the first, around the fitted null.
    """
    factors = np.array([1.1, 1.25, 1.5, 1.75, TWICE, 2.5, 3, 4, 5, 7, 10, 15, 25])
    powers = np.array([power_of(n, _apart(n, fitted, factor)) for factor in factors])
    enough = np.flatnonzero(powers >= POWER)
    at_two = float(powers[factors.tolist().index(TWICE)])
    if not len(enough):
        return math.nan, at_two
    last = enough[0]
    if not last:
        return float(factors[0]), at_two
    part = (POWER - powers[last - 1]) / (powers[last] - powers[last - 1])
    steps = np.log(factors[last - 1 : last + 1])
    return float(np.exp(steps[0] + (steps[1] - steps[0]) * part)), at_two


def _apart(n, fitted, factor):
    """Risks whose odds ratios in the largest group are `factor` times those of the others."""
    first = np.zeros(len(n), dtype=bool)
    first[n.sum(axis=1).argmax()] = True
    risks = np.clip(fitted, 1e-6, 1 - 1e-6)
    logits = np.log(risks / (1 - risks))
    logits[first, 1:] += math.log(factor) / 2
    logits[~first, 1:] -= math.log(factor) / 2
    return 1 / (1 + np.exp(-logits))
