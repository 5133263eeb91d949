"""Real tests: variables kept out of clustering, on patients kept out of training, Holm-adjusted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cacviz.engine.insights.described.measured import Measured, measure
from cacviz.engine.insights.types import FEW, HeldOutTest, Survival
from cacviz.engine.preparation.splits import patients_of
from cacviz.engine.scoring.effects import level_counts
from cacviz.engine.scoring.tests import Tested, compare_counts, compare_numbers, holm
from cacviz.engine.types import Cohort, Column, Role

LEVEL = 0.05
TESTED: tuple[Role, ...] = ("external check", "sensitive", "treatment")


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
    title = f"Time to the event ({survival.event})"
    tested = Tested("log-rank", survival.p, float("nan"), "")
    return _as_test(Column(survival.time, "number", "time", title), tested, survival.n)


def independent_rows(cohort: Cohort, rows) -> np.ndarray:
    """One row a patient: encounters of the same patient would count as several witnesses."""
    patients = patients_of(cohort, rows)
    return rows if patients is None else rows[np.sort(np.unique(patients, return_index=True)[1])]


def followed_rows(cohort: Cohort, test, unused, taught, seed) -> np.ndarray:
    """Held-out patients, and as many in proportion of those whose outcome is not known.

    Where the outcome is an event by some day, it is not known of whoever left before; without them
    survival would look worse than it was. `taught` are the rows that the run learned from.
    """
    patients = patients_of(cohort, np.arange(cohort.n_patients))
    if patients is not None:
        unused = unused[~np.isin(patients[unused], np.unique(patients[taught]))]
    n = round(len(unused) * len(test) / max(1, len(test) + len(taught)))
    drawn = np.random.default_rng(seed).choice(unused, n, replace=False)
    return np.sort(np.r_[test, drawn])


def adjusted(tests: list[HeldOutTest]) -> tuple[HeldOutTest, ...]:
    """The tests of a run with Holm's adjustment over all of them."""
    if not tests:
        return ()
    p = holm([t.p for t in tests])
    return tuple(_concluded(t, float(q)) for t, q in zip(tests, p, strict=True))


def _concluded(test: HeldOutTest, p) -> HeldOutTest:
    return replace(test, p_adjusted=p, significant=bool(p < LEVEL))


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
    )
