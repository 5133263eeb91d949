"""What is ready first of a run: profiles as found, tests on held-out patients, names, survival."""

from dataclasses import replace

import numpy as np
import pytest

from cacviz.engine.cohorts.choosing import with_roles
from cacviz.engine.cohorts.making import changed
from cacviz.engine.insights.described.describing import describe_run
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.names import suggest_names


@pytest.fixture(scope="module")
def material(demo, demo_run):
    return Material(demo, demo_run)


@pytest.fixture(scope="module")
def described(material):
    return describe_run(material)


def sizes(clusters):
    return tuple(np.bincount(clusters, minlength=3).tolist())


def test_profiles_are_of_training_patients_as_found(described, material, demo_run):
    assert described.profiles.sizes == sizes(demo_run.clusters[material.train])
    assert described.profiles.held_out_sizes == sizes(demo_run.clusters[material.test])
    age = next(f for f in described.profiles.features if f.name == "Age")
    rows = material.train[demo_run.clusters[material.train] == 1]
    assert age.cells[1].mean == pytest.approx(material.cohort.frame["Age"].iloc[rows].mean())
    assert age.circular_q >= age.circular_p


def test_tests_are_of_held_out_patients_the_outcome_first(described, material):
    assert [t.role for t in described.tests][:1] == ["outcome"]
    assert {t.role for t in described.tests} == {"outcome", "external check", "sensitive", "time"}
    assert described.tests[0].n == len(material.test)
    assert all(t.n <= len(material.test) for t in described.tests)
    assert all(t.p_adjusted >= t.p for t in described.tests)


def test_names_are_those_of_the_profiles(described):
    assert described.names == suggest_names(described.profiles, 3)
    assert len(set(described.names)) == 3


def test_survival_is_of_held_out_patients_and_its_test_joins_the_others(described, material):
    assert sum(c.n for c in described.survival.curves) == described.survival.n
    assert described.survival.n <= len(material.test)
    assert described.tests[-1].test == "log-rank"
    assert described.tests[-1].p == described.survival.p


def test_without_follow_up_there_is_no_survival_and_no_log_rank(demo, demo_run):
    without = changed(demo, with_roles, {"FollowUpDays": "left out"})
    made = describe_run(Material(without, demo_run))
    assert made.survival is None
    assert "log-rank" not in [t.test for t in made.tests]


def test_one_subtype_is_described_and_compared_with_nobody(demo, demo_run):
    summary = replace(demo_run.summary, clusters=demo_run.summary.clusters[:1])
    whole = replace(demo_run, summary=summary, clusters=0 * demo_run.clusters)
    made = describe_run(Material(demo, whole))
    assert made.profiles.sizes == ((demo_run.part == 0).sum(),)
    assert made.tests == ()
    assert len(made.names) == 1
