"""Tests, each once: chi-square, analysis of variance, Welch's, tables drawn at random, Holm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

N_TABLES = 1999
SKEWED = 1.0


class Tested(NamedTuple):
    """A test's name, its p and an effect size."""

    test: str
    p: float
    effect: float
    effect_name: str


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for their number (Holm 1979); a missing one stays missing."""
    known = [i for i, p in enumerate(p_values) if not math.isnan(p)]
    adjusted, highest = [math.nan] * len(p_values), 0.0
    for place, i in enumerate(sorted(known, key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(known) - place) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def chi_square(counts):
    """Pearson's chi-square of groups × levels (or a stack of them), and its degrees of freedom."""
    n = counts.sum(axis=(-2, -1), keepdims=True)
    rows, columns = counts.sum(axis=-1, keepdims=True), counts.sum(axis=-2, keepdims=True)
    expected = rows * columns / np.maximum(n, 1)
    chi2 = np.divide(
        (counts - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0
    ).sum(axis=(-2, -1))
    freedom = ((rows > 0).sum(axis=(-2, -1)) - 1) * ((columns > 0).sum(axis=(-2, -1)) - 1)
    return chi2, freedom


def chi_square_p(chi2, freedom) -> float:
    """p of a chi-square statistic; NaN where there is nothing to compare."""
    from scipy.special import chdtrc

    return float(chdtrc(freedom, chi2)) if freedom > 0 else float("nan")


def cramers_v(counts):
    """Cramér's V of groups × levels, from 0 to 1."""
    chi2, _ = chi_square(counts)
    smaller = min((counts.sum(axis=1) > 0).sum(), (counts.sum(axis=0) > 0).sum()) - 1
    return float(np.sqrt(chi2 / (counts.sum() * smaller))) if smaller > 0 else 0.0


def association_p(mask, y) -> float:
    """p of the chi-square between a yes/no mask and the outcome's classes (-1: not known)."""
    known = y >= 0
    n_classes = int(y.max(initial=0)) + 1  # the last may be on one side only
    counts = np.array([np.bincount(y[known & side], minlength=n_classes) for side in (mask, ~mask)])
    p = chi_square_p(*chi_square(counts.astype(float)))
    return 1.0 if math.isnan(p) else p


def anova_p(n, mean, variance):
    """p of one-way analysis of variance: draws × columns."""
    from scipy.special import fdtrc  # scipy is slow to import

    between, within = sums_of_squares(n, mean, variance)
    groups, total = (n > 0).sum(axis=1), n.sum(axis=1)
    df1, df2 = groups - 1, total - groups
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (between / df1) / (within / df2)
        p = fdtrc(df1, df2, ratio)
    return np.where((df1 > 0) & (df2 > 0) & np.isfinite(p), p, np.where(within > 0, 1.0, np.nan))


def sums_of_squares(n, mean, variance):
    mean = np.where(n > 0, mean, 0.0)
    overall = (n * mean).sum(axis=1, keepdims=True) / np.maximum(n.sum(axis=1, keepdims=True), 1)
    between = (n * (mean - overall) ** 2).sum(axis=1)
    within = (np.maximum(n - 1, 0) * np.nan_to_num(variance)).sum(axis=1)
    return between, within


def compare_numbers(values, groups) -> Tested:
    """Welch's analysis of variance: of the numbers where they are symmetric, else of their ranks.

    Subtypes differ in size and spread by design, which the classical tests do not bear.
    """
    from scipy import stats  # slow to import

    parts = [values[groups == j] for j in np.unique(groups)]
    residuals = np.concatenate([part - part.mean() for part in parts])
    if abs(stats.skew(residuals)) < SKEWED and min(map(len, parts)) >= 30:
        return Tested(
            "Welch's ANOVA", _welch_p(values, groups), _eta_squared(values, groups), "eta²"
        )
    ranks = stats.rankdata(values)
    return Tested(
        "Welch's ANOVA of ranks", _welch_p(ranks, groups), _eta_squared(ranks, groups), "eta²"
    )


def _welch_p(values, groups) -> float:
    """p of Welch's test; groups without any spread are no witness of chance: Kruskal–Wallis."""
    from scipy import stats  # slow to import

    parts = [values[groups == j] for j in np.unique(groups)]
    if min(part.std() for part in parts) == 0:
        return float(stats.kruskal(*parts).pvalue)
    return float(stats.f_oneway(*parts, equal_var=False).pvalue)


def _eta_squared(values, groups) -> float:
    parts = [values[groups == j] for j in np.unique(groups)]
    between = sum(len(part) * (part.mean() - values.mean()) ** 2 for part in parts)
    return float(between / (len(values) * values.var()))


def compare_counts(counts, *, seed=0) -> Tested:
    """Chi-square; Fisher or random tables of the same margins where a cell expects under five."""
    from scipy import stats  # slow to import

    chi2, freedom = chi_square(counts)
    effect = cramers_v(counts)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    if expected.min() >= 5:
        return Tested("chi-square", float(stats.chi2.sf(chi2, freedom)), effect, "Cramér's V")
    if counts.shape == (2, 2):
        return Tested("Fisher", float(stats.fisher_exact(counts).pvalue), effect, "Cramér's V")
    tables = stats.random_table(counts.sum(axis=1), counts.sum(axis=0)).rvs(
        N_TABLES, random_state=np.random.default_rng(seed)
    )
    drawn, _ = chi_square(tables)
    p = (1 + np.sum(drawn >= chi2 - 1e-9)) / (N_TABLES + 1)
    return Tested("chi-square by permutation", float(p), effect, "Cramér's V")
