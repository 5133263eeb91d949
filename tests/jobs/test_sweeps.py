"""Sweeps and checks of runs as jobs: nothing is computed twice, and a check stays with its run."""

import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.running.studies import study_plan
from cacviz.engine.running.sweeps import plans
from cacviz.engine.running.sweeps.plans import SweepPlan
from cacviz.engine.types import RunConfig
from cacviz.jobs import queue, worker
from cacviz.jobs import sweeps as jobs
from cacviz.store import states, studies, sweeps
from cacviz.store.cohorts import save_cohort

PLAN = SweepPlan("kmeans", (1, 2), seeds=2)


@pytest.fixture
def cohort_id():
    return save_cohort(make_demo(300))


@pytest.fixture
def fitted_by(monkeypatch):
    """Which configurations are really fitted."""
    from cacviz.engine.running import studies as engine

    seen, fit = [], engine.scored_fit

    def noted(cohort, config):
        seen.append(config)
        return fit(cohort, config)

    monkeypatch.setattr(engine, "scored_fit", noted)
    monkeypatch.setattr("cacviz.engine.running.sweeps.cells.scored_fit", noted)
    return seen


def test_a_sweep_takes_its_fits_from_a_comparison_and_gives_its_own(
    in_process, cohort_id, fitted_by
):
    study = studies.study_folder(queue.start_study(cohort_id, study_plan(["kmeans"], [2], 1)))
    worker.work(study)
    assert len(fitted_by) == 4  # lr, gbm, k = 1, k = 2 of one split
    folder = sweeps.sweep_folder(jobs.start_sweep(cohort_id, PLAN))
    worker.work(folder)
    assert states.progress_of(folder).state == "done"
    assert len(fitted_by) == 4 + 2  # the second seed alone
    rows = sweeps.sweep_rows(folder.name)
    assert [r["number"] for r in rows] == [0, 0, 1, 1]
    wider = studies.study_folder(queue.start_study(cohort_id, study_plan(["kmeans"], [2], 2)))
    worker.work(wider)
    assert len(fitted_by) == 6 + 2  # lr and gbm of the second split
    assert len(studies.study_rows(wider.name)) == 8


def test_a_sweep_asked_for_again_is_the_same_one(in_process, cohort_id):
    first = jobs.start_sweep(cohort_id, PLAN)
    assert jobs.start_sweep(cohort_id, PLAN) == first
    jobs.stop(first)
    assert jobs.progress(first).state == "stopped"
    assert jobs.start_sweep(cohort_id, PLAN) == first
    assert jobs.progress(first).state == "queued"
    queue.delete_cohort(cohort_id)
    assert sweeps.list_sweeps() == []


def test_the_check_of_a_run_is_kept_with_it(in_process, cohort_id, monkeypatch):
    few = {"resamples": 2, "halvings": 1, "twins": 2, "own_twins": 2, "permutations": 2}
    small = SweepPlan("kmeans", (2,), seeds=1, **few)
    monkeypatch.setattr(jobs, "check_plan", lambda config: small)
    run_id = queue.start_run(cohort_id, RunConfig("kmeans", 2))
    assert sweeps.load_stability(run_id) is None
    folder = sweeps.sweep_folder(jobs.start_check(run_id))
    assert sweeps.list_sweeps(run=run_id)[0].id == folder.name
    worker.work(folder)
    found = sweeps.load_stability(run_id)
    assert (found.k, found.method) == (2, "kmeans")
    assert [c.resamples for c in found.clusters] == [2, 2]
    kinds = {row["kind"] for row in sweeps.sweep_rows(folder.name)}
    assert kinds == {*plans_all()}


def plans_all():
    return (plans.FIT, plans.HALVES, plans.TWIN, plans.OWN_TWIN, plans.PERMUTED, plans.RESAMPLE)
