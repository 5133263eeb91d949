"""A worker that was begun before its job takes the job, or goes."""

from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from cacviz.engine.types import RunConfig
from cacviz.jobs import early, queue
from cacviz.store import runs, states


@pytest.fixture
def waiting(small):
    """A worker that waits for a job, by its pid."""
    with queue.expected_run():
        yield early._waiting[0].pid


def worker_pid(run_id):
    return states.worker_of(runs.run_folder(run_id)).pid


def finish(run_id):
    *_, last = queue.follow_run(run_id)
    return last


def test_a_worker_that_waits_takes_the_next_job(waiting, ward_id):
    run_id = queue.start_run(ward_id, RunConfig(epochs=3))
    assert worker_pid(run_id) == waiting
    assert finish(run_id).state == "done"
    assert early._waiting == []
    assert queue.history(run_id)[-1]["epoch"] == 3


def test_its_faults_are_told_in_the_log_of_its_job(small, ward_id):
    small(fault="value")
    with queue.expected_run():
        run_id = queue.start_run(ward_id, RunConfig(epochs=5))
    assert finish(run_id).state == "failed"
    assert "ValueError" in (runs.run_folder(run_id) / queue.LOG).read_text()


def test_a_worker_for_which_there_is_no_job_goes(small):
    with queue.expected_run():
        waiting = psutil.Process(early._waiting[0].pid)
    assert early._waiting == []
    waiting.wait(300)


def test_one_with_other_threads_is_not_taken(waiting, ward_id):
    assert early.take(Path("anything"), threads=7) is None
    assert early._waiting == []


def test_a_job_whose_early_worker_is_gone_has_another(waiting, ward_id):
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(waiting)
        process.kill()
        process.wait(300)
    run_id = queue.start_run(ward_id, RunConfig(epochs=2))
    assert worker_pid(run_id) != waiting
    assert finish(run_id).state == "done"
