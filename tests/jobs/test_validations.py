"""A validation as a job: asked, done in the worker, kept with the run, gone with it."""

import math

import pytest

from cacviz.engine import fit_run, split_cohort
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.running.sweeps.stability import Reference, Stability
from cacviz.engine.types import RunConfig
from cacviz.jobs import environment, queue, worker
from cacviz.jobs.validations import start_validation
from cacviz.store import applying, cohorts, runs, states, sweeps, validations


@pytest.fixture(scope="module")
def fitted():
    cohort = make_demo(400)
    return cohort, fit_run(split_cohort(cohort, 0), RunConfig("kmeans", 2))


@pytest.fixture
def run_id(fitted):
    cohort, found = fitted
    made = runs.create_run(cohorts.save_cohort(cohort), found.summary.config)
    runs.save_result(runs.run_folder(made), found, environment.describe(1))
    return made


def test_a_validation_is_done_kept_and_goes_with_its_run(run_id, in_process):
    other = cohorts.save_cohort(make_demo(300, seed=3))
    name = start_validation(run_id, other, "In-hospital_death")
    folder = validations.validation_folder(name)
    assert [job for job, _ in in_process][-1] == folder
    worker.work(folder)
    (row,) = validations.list_validations(run_id)
    assert row.progress.state == "done"
    found = validations.load_validation(name)
    assert found.n == 300
    assert found.verdict.word in ("replicated", "in part", "not replicated", "cannot be told")
    (folder / states.LOCK).unlink()  # this process was the worker, and shall live
    queue.delete_run(run_id)
    assert validations.list_validations() == []


def test_what_the_check_of_a_run_found_is_known_when_it_is_judged_elsewhere(run_id):
    assert math.isnan(applying.load_home(run_id).structure)
    nothing, found = Reference(0.1, 0.1, 99, 0.5), Reference(0.4, 0.1, 99, 0.01)
    checked = Stability(2, "kmeans", (), 0.9, 0.9, 0.9, found, nothing, nothing)
    sweeps.save_stability(run_id, checked)
    assert applying.load_home(run_id).structure == 0.01


def test_a_wrong_outcome_is_one_sentence(run_id, in_process):
    other = cohorts.save_cohort(make_demo(300, seed=3))
    name = start_validation(run_id, other, "nothing")
    worker.work(validations.validation_folder(name))
    (row,) = validations.list_validations(run_id)
    assert row.progress.state == "failed"
    assert "no column 'nothing'" in row.progress.message
