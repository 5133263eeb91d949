"""Real tests: only what made no subtype, only held-out patients, adjusted over all of them."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.described.evidence import (
    followed_rows,
    held_out_tests,
    independent_rows,
)
from cacviz.engine.types import Column, Outcome


def test_features_that_made_the_subtypes_are_never_tested(wards):
    cohort, ward = wards
    names = [t.name for t in held_out_tests(cohort, ward, np.arange(120))]
    assert names == ["died", "height"]


def test_rows_without_patient_id_are_patients_of_their_own():
    frame = pd.DataFrame({"id": ["a", "a", None, None, "b"], "died": [0, 1, 0, 1, 0]})
    columns = [Column("id", "category", role="patient id"), Column("died", "yesno")]
    cohort = make_cohort("c", frame, columns, Outcome("died"))
    assert independent_rows(cohort, np.arange(5)).tolist() == [0, 2, 3, 4]


def test_of_those_without_an_outcome_as_many_in_proportion_are_followed_and_nobody_who_taught():
    patient = np.r_[np.arange(80), np.arange(60, 80)]  # the last twenty rows are of earlier ones
    frame = pd.DataFrame({"id": patient, "died": np.arange(100) % 2})
    columns = [Column("id", "number", role="patient id"), Column("died", "yesno")]
    cohort = make_cohort("c", frame, columns, Outcome("died"))
    taught, test, unused = np.arange(45), np.arange(45, 60), np.arange(60, 80)
    rows = followed_rows(cohort, test, unused, taught, 0)
    assert set(test) < set(rows)
    assert len(rows) == 15 + 5  # a quarter was held out, so a quarter of twenty
    later = np.arange(80, 100)  # rows of patients 60 to 79
    assert list(followed_rows(cohort, test, later, np.arange(60, 80), 0)) == list(test)


def test_encounters_of_one_patient_count_once():
    frame = pd.DataFrame({"id": np.repeat(np.arange(20), 10), "died": np.repeat([0, 1], 100)})
    columns = [Column("id", "number", role="patient id"), Column("died", "yesno")]
    cohort = make_cohort("c", frame, columns, Outcome("died"))
    (test,) = held_out_tests(cohort, np.repeat([0, 1], 100), np.arange(200))
    assert test.n == 20


def test_adjusted_p_is_holms_over_all_tests(wards):
    cohort, ward = wards
    tests = held_out_tests(cohort, ward, np.arange(120))
    smaller, larger = sorted(tests, key=lambda t: t.p)
    assert smaller.p_adjusted == pytest.approx(min(1, 2 * smaller.p))
    assert larger.p_adjusted == pytest.approx(max(larger.p, smaller.p_adjusted))


@pytest.mark.heavy
def test_noise_is_seldom_called_significant():
    """Held-out patients of random subtypes: any of four tests, below 6% over 200 cohorts."""
    found = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame(rng.normal(size=(150, 3)), columns=["a", "b", "c"])
        frame["died"] = rng.integers(0, 2, 150)
        columns = [Column(n, "number", role="external check") for n in "abc"]
        cohort = make_cohort("n", frame, [*columns, Column("died", "yesno")], Outcome("died"))
        tests = held_out_tests(cohort, rng.integers(0, 3, 150), np.arange(150))
        found += any(t.significant for t in tests)
    assert found / 200 <= 0.06


@pytest.mark.parametrize(("arms", "wanted"), [(4, "chi-square"), (200, "Welch's ANOVA")])
def test_arms_that_are_told_by_numbers_are_counted_and_doses_have_a_mean(arms, wanted):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"arm": rng.integers(0, arms, 600), "died": rng.integers(0, 2, 600)})
    columns = [Column("arm", "number", role="treatment"), Column("died", "yesno")]
    cohort = make_cohort("c", frame, columns, Outcome("died"))
    tests = held_out_tests(cohort, rng.integers(0, 3, 600), np.arange(600))
    assert {t.name: t.test for t in tests}["arm"] == wanted
