"""A change makes no second cohort, and a job keeps what was decided on the day it was asked for."""

from dataclasses import replace

import pytest

from cacviz.engine.cohorts.choosing import with_outcome, with_roles
from cacviz.engine.cohorts.making import changed
from cacviz.engine.running.studies import study_plan
from cacviz.engine.types import Outcome
from cacviz.jobs import queue, worker
from cacviz.store import atomic, runs, studies
from cacviz.store.cohorts import change_cohort, list_cohorts, load_cohort, save_cohort
from tests.jobs.small_worker import fit_small

PLAN = study_plan(["kmeans"], [2], 2)


def leave_out_pulse(cohort_id, held):
    return change_cohort(cohort_id, lambda c: with_roles(c, {"pulse": "left out"}), held)


def test_a_version_that_nothing_was_made_from_leaves_nothing_behind(ward, ward_id):
    leave_out_pulse(ward_id, ward)
    assert [row.id for row in list_cohorts()] == [ward_id]
    assert load_cohort(ward_id).names("feature") == ["age"]


def test_a_run_is_fitted_with_the_choices_of_the_day_it_was_asked_for(
    in_process, small_models, ward, ward_id, config
):
    run_id = queue.start_run(ward_id, config)
    after = leave_out_pulse(ward_id, ward)
    worker.work(runs.run_folder(run_id), fit_small)
    stored = runs.load_run(run_id)
    assert stored.summary.fingerprint == ward.fingerprint != after.fingerprint
    assert stored.map2d.shape == (60, 2)  # by both features
    assert runs.cohort_of_run(stored.asked).choices == ward.choices


def test_a_run_of_other_choices_leaves_the_cohort_as_it_is(
    in_process, small_models, ward, ward_id, config
):
    other = changed(ward, with_outcome, Outcome("pulse", cuts=(80.0,)))
    run_id = queue.start_run(ward_id, config, cohort=other)
    worker.work(runs.run_folder(run_id), fit_small)
    assert runs.load_run(run_id).summary.outcome == other.outcome
    assert load_cohort(ward_id).choices == ward.choices


def test_a_comparison_keeps_the_choices_of_its_day_and_another_begins_after_a_change(
    no_spawn, ward, ward_id
):
    first = queue.start_study(ward_id, PLAN)
    after = leave_out_pulse(ward_id, ward)
    second = queue.start_study(ward_id, PLAN)
    assert second != first
    assert queue.start_study(ward_id, PLAN) == second
    asked = {row.id: row.asked for row in studies.list_studies(ward_id)}
    assert runs.cohort_of_run(asked[first]).choices == ward.choices
    assert runs.cohort_of_run(asked[second]).choices == after.choices
    assert queue.start_study(ward_id, PLAN, ward) == first  # what is on screen counts


def test_deleting_a_cohort_takes_its_runs_and_comparisons_and_no_others(
    no_spawn, ward, ward_id, config
):
    kept = save_cohort(replace(ward, name="other"))
    runs.create_run(ward_id, config)
    queue.start_study(ward_id, PLAN)
    run_id, study_id = runs.create_run(kept, config), queue.start_study(kept, PLAN)
    queue.delete_cohort(ward_id)
    assert [row.id for row in list_cohorts()] == [kept]
    assert [row.id for row in runs.list_runs()] == [run_id]
    assert [row.id for row in studies.list_studies()] == [study_id]
    assert load_cohort(kept).n_patients == 60


def test_a_cohort_that_is_gone_already_is_no_error(ward_id):
    queue.delete_cohort(ward_id)
    queue.delete_cohort(ward_id)
    assert list_cohorts() == []
    with pytest.raises(atomic.StoreError, match="not stored here any more"):
        load_cohort(ward_id)
