"""How good a run is, and for whom: held-out patients alone, words below ten events."""

from dataclasses import replace

import numpy as np
import pytest

from cacviz.engine.cohorts.choosing import with_roles
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.cohorts.making import changed
from cacviz.engine.insights.judged.groups import groups_of, members
from cacviz.engine.insights.judged.judging import Held, judge, judge_run
from cacviz.engine.insights.judged.types import ENOUGH, Group
from cacviz.engine.insights.material import Material
from cacviz.engine.metrics import auc, resample_weights
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import TEST, VALIDATION, RunConfig


@pytest.fixture(scope="module")
def judged(demo, demo_run):
    return judge_run(Material(demo, demo_run))


def test_the_areas_are_the_runs_own(judged, demo_run):
    (view,) = judged.views
    everyone = view.judged[0]
    assert everyone.auc.value == pytest.approx(demo_run.summary.test["auc"].value)
    assert everyone.auprc.value == pytest.approx(demo_run.summary.test["auprc_positive"].value)
    assert everyone.auc.low < everyone.auc.value < everyone.auc.high
    assert everyone.n == (demo_run.part == TEST).sum()


def test_the_one_model_for_all_is_the_runs_own_control(judged, demo, demo_run):
    test = demo_run.part == TEST
    assert judged.beside == "k=1"
    control = next(c for c in demo_run.summary.controls if c.key == "k=1")
    assert auc(demo.y[test], judged.one_proba) == pytest.approx(control.scores["auc"].value)
    older = judge_run(Material(demo, replace(demo_run, one=None)))
    assert np.array_equal(older.one_proba, judged.one_proba)


def test_subtypes_hold_every_held_out_patient_once(judged):
    (view,) = judged.views
    subtypes = [j for j in view.judged if j.group.kind == "subtype"]
    assert sum(j.n for j in subtypes) == view.judged[0].n
    for j in subtypes:
        assert j.told == (min(j.events, j.n - j.events) >= ENOUGH)


def test_no_held_out_outcome_moves_the_remedy(demo, demo_run, judged):
    y = demo.y.copy()
    test = demo_run.part == TEST
    y[test] = np.random.default_rng(0).permutation(y[test])
    other = judge_run(Material(replace(demo, y=y), demo_run))
    assert other.remedy == judged.remedy
    assert other.views[0].judged[0].calibration.brier != judged.views[0].judged[0].calibration.brier


def test_the_scores_of_everybody_are_those_of_the_run_with_their_intervals(demo_run, judged):
    everybody = judged.views[0].judged[0]
    assert everybody.auc == demo_run.summary.test["auc"]
    assert everybody.auprc == demo_run.summary.test["auprc_positive"]


@pytest.mark.heavy
@pytest.mark.parametrize("method", ["lr", "gbm"])
def test_patients_who_taught_the_model_do_not_recalibrate_it(method):
    cohort = make_demo(700)
    fitted = fit_run(split_cohort(cohort, 0), RunConfig(method=method, n_clusters=1))
    found = judge_run(Material(cohort, fitted))
    assert np.bincount(cohort.y[fitted.part == VALIDATION]).min() >= ENOUGH
    assert found.remedy is None
    assert found.views[0].judged[0].after is None


def test_below_ten_events_nothing_but_counts_is_told():
    event = np.r_[np.ones(9), np.zeros(50)]
    draws = resample_weights(59, n_boot=10)
    found = judge(Group("all"), Held(event, np.linspace(0, 1, 59), None, event, draws))
    assert (found.n, found.events, found.told) == (59, 9, False)
    assert found.calibration is None


def test_levels_of_a_sensitive_column_are_judged_and_a_number_in_quarters(demo, demo_run):
    cohort = changed(demo, with_roles, {"Sex": "sensitive", "Age": "sensitive"})
    groups = [g for g in groups_of(cohort, 3) if g.kind == "sensitive"]
    assert [g.column for g in groups].count("Sex") == 2
    ages = [members(g, cohort, demo_run.clusters) for g in groups if g.column == "Age"]
    assert len(ages) == 4
    assert np.sum(ages, axis=0).max() == 1
