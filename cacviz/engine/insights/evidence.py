"""Real tests: variables kept out of clustering, on patients kept out of training, Holm-adjusted."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests

from cacviz.engine.insights.effects import chi_square, cramers_v, level_counts
from cacviz.engine.insights.measured import Measured, measure
from cacviz.engine.insights.types import FEW, HeldOutTest, Survival
from cacviz.engine.types import Cohort, Column, Role

LEVEL = 0.05
TESTED: tuple[Role, ...] = ("external check", "sensitive")
N_TABLES = 1999
SKEWED = 1.0


class Tested(NamedTuple):
    """A test's name, its p and an effect size."""

    test: str
    p: float
    effect: float
    effect_name: str


def held_out_tests(
    cohort: Cohort, clusters, test, *, survival: Survival | None = None, seed=0
) -> tuple[HeldOutTest, ...]:
    """The outcome first, then each external-check and sensitive column, then survival."""
    rows = independent_rows(cohort, test)
    columns = [_outcome(cohort), *measure(cohort, cohort.names(*TESTED))]
    made = [_test(m, clusters, rows, seed) for m in columns]
    if survival is not None and np.isfinite(survival.p):
        made.append(_log_rank(survival))
    return adjusted([t for t in made if t is not None])


def _log_rank(survival: Survival) -> HeldOutTest:
    title = f"Time to {survival.event}"
    tested = Tested("log-rank", survival.p, float("nan"), "")
    return _as_test(Column(survival.time, "number", "time", title), tested, survival.n)


def independent_rows(cohort: Cohort, rows) -> np.ndarray:
    """One row a patient: encounters of the same patient would count as several witnesses."""
    ids = cohort.names("patient id")
    if not ids:
        return rows
    repeated = cohort.frame[ids[0]].iloc[rows].astype(str).duplicated().to_numpy()
    return rows[~repeated]


def adjusted(tests: list[HeldOutTest]) -> tuple[HeldOutTest, ...]:
    """The tests of a run with Holm's adjustment over all of them, and their sentences."""
    if not tests:
        return ()
    p = multipletests([t.p for t in tests], method="holm")[1]
    return tuple(_concluded(t, float(q)) for t, q in zip(tests, p, strict=True))


def _concluded(test: HeldOutTest, p) -> HeldOutTest:
    significant = p < LEVEL
    word = "differs" if significant else "does not clearly differ"
    sentence = (
        f"{test.title} {word} between the subtypes on {test.n:,} held-out patients "
        f"({test.test}, adjusted p {'< 0.001' if p < 0.001 else f'= {p:.3f}'})."
    )
    return replace(test, p_adjusted=p, significant=bool(significant), sentence=sentence)


def _outcome(cohort: Cohort) -> Measured:
    assert cohort.outcome is not None  # a run has one
    column = cohort.column(cohort.outcome.column)
    shown = Column(column.name, "category", "outcome", column.label, column.unit)
    return Measured(shown, "category", cohort.y, cohort.classes)


def _test(m: Measured, clusters, rows, seed) -> HeldOutTest | None:
    """None where fewer than two subtypes have enough patients to compare."""
    rows = rows[m.known[rows]]
    present = [j for j in np.unique(clusters[rows]) if (clusters[rows] == j).sum() >= FEW]
    rows = rows[np.isin(clusters[rows], present)]
    if len(present) < 2 or len(np.unique(m.values[rows])) < 2:
        return None
    groups = np.searchsorted(present, clusters[rows])
    if m.shape == "number":
        tested = compare_numbers(m.values[rows], groups)
    else:
        weights = np.ones((1, len(rows)))
        counts = level_counts(m.values[rows], len(m.levels), groups, len(present), weights)[0]
        tested = compare_counts(counts[:, counts.sum(axis=0) > 0], seed=seed)
    return _as_test(m.column, tested, len(rows))


def _as_test(column: Column, tested: Tested, n) -> HeldOutTest:
    return HeldOutTest(
        name=column.name,
        title=column.title,
        role=column.role,
        test=tested.test,
        n=n,
        p=tested.p,
        p_adjusted=tested.p,
        significant=False,
        effect=tested.effect,
        effect_name=tested.effect_name,
        sentence="",
    )


def compare_numbers(values, groups) -> Tested:
    """Analysis of variance where the number is roughly symmetric, else Kruskal–Wallis."""
    parts = [values[groups == j] for j in np.unique(groups)]
    n, k = len(values), len(parts)
    residuals = np.concatenate([p - p.mean() for p in parts])
    spread = residuals.std()
    if spread > 0 and abs(stats.skew(residuals)) < SKEWED and min(map(len, parts)) >= 30:
        p = float(stats.f_oneway(*parts).pvalue)
        between = sum(len(p) * (p.mean() - values.mean()) ** 2 for p in parts)
        return Tested("one-way ANOVA", p, float(between / (n * values.var())), "eta²")
    statistic, p = stats.kruskal(*parts)
    effect = max(0.0, float((statistic - k + 1) / (n - k)))
    return Tested("Kruskal–Wallis", float(p), effect, "epsilon²")


def compare_counts(counts, *, seed=0) -> Tested:
    """Chi-square; Fisher or random tables of the same margins where a cell expects under five."""
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
