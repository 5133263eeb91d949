"""Sets of patients told apart by sums: the same as by looking at every patient."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import read_cohort
from cacviz.engine.insights.contrasts import contrasts, features_of
from cacviz.engine.insights.described.measured import measure
from cacviz.engine.insights.described.profiles import largest_effects


def slowly(cohort, rows, others):
    """Each feature's effect, read patient by patient."""
    groups = np.full(cohort.n_patients, 1 if others is None else -1)
    groups[[] if others is None else others] = 1
    groups[rows] = 0
    columns = measure(cohort, cohort.names("feature"))
    effects, _ = largest_effects(columns, groups, 2)
    found = zip(columns, np.nan_to_num(effects), strict=True)
    return {m.column.title: float(e) for m, e in found if e > 0}


@pytest.mark.parametrize("compared", ["the rest", "another set"])
@pytest.mark.parametrize("seed", range(5))
def test_sums_tell_the_differences_that_a_look_at_every_patient_tells(seed, compared):
    cohort, rng = make_demo(400), np.random.default_rng(seed)
    order = rng.permutation(cohort.n_patients)
    rows, others = order[:60], None if compared == "the rest" else order[60:150]
    found = contrasts(features_of(cohort), rows, others, 100)
    assert {c.title: c.effect for c in found} == pytest.approx(slowly(cohort, rows, others))
    assert [c.effect for c in found] == sorted((c.effect for c in found), reverse=True)


@pytest.fixture
def few(tmp_path):
    """Twenty patients: a number, one that never changes, one seldom measured, and a ward."""
    n, path = np.arange(20), tmp_path / "few.csv"
    columns = {
        "weight": 40.0 + n,
        "same": np.full(20, 0.1),
        "seldom": np.where(n < 3, n / 2, np.nan),
        "ward": np.where(n < 10, "east", np.where(n < 15, "west", "north")),
        "died": np.where(n % 2, "yes", "no"),
    }
    pd.DataFrame(columns).to_csv(path, index=False)
    return read_cohort(path, outcome="died")


def test_means_and_shares_are_those_of_the_two_sets(few):
    found = {c.title: c for c in contrasts(features_of(few), np.arange(10), None, 10)}
    weight, ward = found["weight"], found["ward"]
    assert (weight.picked, weight.compared) == pytest.approx((44.5, 54.5))
    assert weight.level == ""
    assert (ward.level, ward.picked, ward.compared) == ("east", 1.0, 0.0)


def test_what_never_changes_and_what_was_hardly_measured_makes_no_difference(few):
    titles = {c.title for c in contrasts(features_of(few), np.arange(10), None, 10)}
    assert titles == {"weight", "ward"}
