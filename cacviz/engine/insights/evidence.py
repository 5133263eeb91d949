"""Real tests: variables kept out of clustering, on patients kept out of training, Holm-adjusted."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy import stats

from cacviz.engine.insights.effects import chi_square, cramers_v, level_counts
from cacviz.engine.insights.measured import Measured, measure
from cacviz.engine.insights.types import FEW, HeldOutTest, Survival
from cacviz.engine.splits import patients_of
from cacviz.engine.study_statistics import holm
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
    patients = patients_of(cohort, rows)
    return rows if patients is None else rows[np.sort(np.unique(patients, return_index=True)[1])]


def adjusted(tests: list[HeldOutTest]) -> tuple[HeldOutTest, ...]:
    """The tests of a run with Holm's adjustment over all of them, and their sentences."""
    if not tests:
        return ()
    p = holm([t.p for t in tests])
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
    """Welch's analysis of variance: of the numbers where they are symmetric, else of their ranks.

    Subtypes differ in size and spread by design, which the classical tests do not bear.
    """
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
