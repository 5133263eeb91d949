"""Comparisons in processes of their own: done, stopped, resumed and deleted as runs are."""

import psutil
import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.running.studies import cell_of, study_plan
from cacviz.jobs import queue
from cacviz.store import paths, states, studies
from cacviz.store.cohorts import save_cohort

pytestmark = pytest.mark.worker
PLAN = study_plan(["kmeans"], [2], 2)
LONG = study_plan(["kmeans"], [2, 3, 4, 5], 50)


@pytest.fixture
def cohort_id():
    return save_cohort(make_demo(300))


def finish(study_id):
    return list(queue.follow_study(study_id, every=0.05))[-1]


def family(study_id):
    """The worker of a study and the processes of its fits."""
    leader = psutil.Process(states.worker_of(studies.study_folder(study_id)).pid)
    return [leader, *leader.children(recursive=True)]


def test_a_study_runs_in_its_worker_and_keeps_a_row_a_fit(cohort_id):
    study_id = queue.start_study(cohort_id, PLAN)
    assert finish(study_id).state == "done"
    assert [cell_of(row) for row in studies.study_rows(study_id)] == PLAN.cells()
    (listed,) = studies.list_studies(cohort_id)
    assert listed.asked.plan == PLAN
    assert queue.start_study(cohort_id, PLAN) == study_id  # nothing to do: not done again
    assert queue.study_progress(study_id).state == "done"
    queue.delete_cohort(cohort_id)
    assert studies.list_studies() == []


def test_a_stopped_study_goes_on_with_what_is_missing(cohort_id, wait_for):
    study_id = queue.start_study(cohort_id, PLAN)
    wait_for(lambda: studies.study_rows(study_id))
    assert queue.stop_study(study_id) in ("stopped", "done")
    before = studies.study_rows(study_id)
    assert before
    queue.resume_study(study_id)
    assert finish(study_id).state == "done"
    after = studies.study_rows(study_id)
    assert [cell_of(row) for row in after] == PLAN.cells()
    kept = {cell_of(row): row for row in after}
    assert all(kept[cell_of(row)] == row for row in before)  # seconds too: not computed again


def test_delete_ends_a_study_over_two_processes_and_leaves_nothing(
    cohort_id, wait_for, monkeypatch
):
    monkeypatch.setenv("CACVIZ_WORKERS", "2")
    study_id = queue.start_study(cohort_id, LONG)
    assert states.slots_of(studies.study_folder(study_id)) == 2
    wait_for(lambda: studies.study_rows(study_id))
    processes = family(study_id)
    assert len(processes) >= 3
    queue.delete_study(study_id)
    wait_for(lambda: not any(p.is_running() for p in processes))
    assert not list(paths.studies_dir().iterdir())
    assert queue.start_study(cohort_id, PLAN) != study_id
