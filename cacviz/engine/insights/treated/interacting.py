"""Do effects differ between groups? Pearson's test of a model without interaction; power."""

from __future__ import annotations

import math

import numpy as np

from cacviz.engine.insights.treated.exact import exact_p
from cacviz.engine.insights.treated.types import How, Interaction

SMALLEST = 5  # expected patients of a cell below which the exact test is taken
FEWEST = 10  # events of all patients, and others, below which nothing is tested
LEVEL, POWER, GAP = 0.05, 0.8, 0.1


def interaction_of(n: np.ndarray, events: np.ndarray, *, seed=0) -> Interaction | None:
    """Groups × arms: does the logistic model of main effects alone fit the events?

    The score test of the interaction: Pearson's chi-square of the cells. Where cells expect few,
    its exact version; None where patients or events are too few to test anything.
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
    detectable, power = _detectable(n, fitted)
    return Interaction(
        float(p), float(statistic), int(freedom), int(n.sum()), how, detectable, power
    )


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
    freedom = (n.shape[0] - 1) * (n.shape[1] - 1)
    return float(ncx2.sf(chi2.isf(LEVEL, freedom), freedom, max(away, 1e-12)))


def _detectable(n, fitted) -> tuple[float, float]:
    """The gap between two groups' effects that is found with 80 % power, and the power of 0.1.

    The largest group against all others, in every arm but the first.
    """
    gaps = np.array([0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8])
    powers = np.array([power_of(n, _apart(n, fitted, gap)) for gap in gaps])
    enough = np.flatnonzero(powers >= POWER)
    detectable = float(gaps[enough[0]]) if len(enough) else math.nan
    if len(enough) and enough[0] > 0:
        low, high = powers[enough[0] - 1], powers[enough[0]]
        before = gaps[enough[0] - 1]
        detectable = float(before + (gaps[enough[0]] - before) * (POWER - low) / (high - low))
    return detectable, float(powers[gaps.tolist().index(GAP)])


def _apart(n, fitted, gap):
    """Risks whose effects differ by `gap` between the largest group and the others."""
    first = np.zeros(len(n), dtype=bool)
    first[n.sum(axis=1).argmax()] = True
    risks = fitted.copy()
    risks[first, 1:] += gap / 2
    risks[~first, 1:] -= gap / 2
    return np.clip(risks, 0.001, 0.999)
