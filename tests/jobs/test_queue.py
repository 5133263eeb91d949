"""Runs in real worker processes, with a small fit: start, follow, stop, resume, delete."""

import signal
import stat
import time

import numpy as np
import psutil
import pytest

from cacviz.engine.types import RunConfig
from cacviz.jobs import queue
from cacviz.store import atomic, runs, states
from cacviz.store.history import HISTORY
from tests.jobs.small_worker import features

pytestmark = pytest.mark.worker
LONG = RunConfig(epochs=100_000)  # none comes to its end


def finish(run_id):
    return list(queue.follow_run(run_id, every=0.02))[-1]


def wait_for(run_id, truth, seconds=300.0):
    deadline = time.monotonic() + seconds
    while not truth(queue.progress(run_id)):
        assert time.monotonic() < deadline, queue.progress(run_id)
        queue.tend()  # as pages do: a worker that is just leaving may still hold the room
        time.sleep(0.01)


def at_step(number):
    return lambda progress: progress.over or (progress.step or 0) >= number


def worker_pid(run_id):
    return states.worker_of(runs.run_folder(run_id)).pid


def names(run_id):
    return [path.name for path in runs.run_folder(run_id).iterdir()]


def test_a_run_is_fitted_saved_and_read_back(small, ward_id, ward, config):
    run_id = queue.start_run(ward_id, config, "first", note="why")
    assert finish(run_id).state == "done"
    stored = runs.load_run(run_id)
    preparation, model = runs.load_model(run_id)
    again = model.predict_proba(preparation.transform(features(ward)))
    np.testing.assert_array_equal(again, stored.proba)
    assert stored.summary.config == config
    assert stored.environment["threads"] == 1
    assert stored.environment["libraries"]["numpy"] == np.__version__
    assert [row["epoch"] for row in queue.history(run_id)] == list(range(1, 9))
    (row,) = runs.list_runs()
    assert (row.card.name, row.card.note) == ("first", "why")
    assert (row.state, row.figures["sizes"]) == ("done", [60])


def test_everything_is_private_to_its_owner(small, ward_id, config, data_folder):
    finish(queue.start_run(ward_id, config))
    for path in [data_folder, *data_folder.rglob("*")]:
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path


def test_a_killed_worker_is_interrupted_at_once_and_resumes_to_the_same_bits(small, ward_id):
    config = RunConfig(epochs=60)
    whole = queue.start_run(ward_id, config)
    finish(whole)
    # a worker that leaves starts whatever waits, and as it was told itself
    wait_for(whole, lambda _: not psutil.pid_exists(worker_pid(whole)))
    small(pause=0.01, hold=20)
    run_id = queue.start_run(ward_id, config)
    wait_for(run_id, at_step(20))
    psutil.Process(worker_pid(run_id)).send_signal(signal.SIGKILL)
    wait_for(run_id, lambda p: p.state == "interrupted")
    assert "Interrupted at epoch" in queue.progress(run_id).message
    queue.resume_run(run_id)
    assert finish(run_id).state == "done"
    np.testing.assert_array_equal(runs.load_run(run_id).proba, runs.load_run(whole).proba)
    assert [row["epoch"] for row in queue.history(run_id)] == list(range(1, 61))
    lines = (runs.run_folder(run_id) / HISTORY).read_bytes().splitlines()
    assert len(lines) < 60 + 15  # it went on, and did not start again
    wait_for(run_id, lambda _: states.CHECKPOINT not in names(run_id))


def test_stop_ends_the_worker_and_leaves_nothing_half(small, ward_id):
    """How soon is a figure of benchmarks/reliability.py: within two seconds."""
    small(pause=0.01)
    run_id = queue.start_run(ward_id, LONG)
    wait_for(run_id, at_step(3))
    pid = worker_pid(run_id)
    assert queue.stop_run(run_id) == "stopped"
    assert not psutil.pid_exists(pid)
    assert not [n for n in names(run_id) if n.startswith(atomic.HIDDEN)]
    assert queue.progress(run_id).resumable


def test_a_worker_deaf_to_the_wish_is_ended(small, ward_id):
    small(pause=600)  # its first row would come in ten minutes
    run_id = queue.start_run(ward_id, LONG)
    wait_for(run_id, lambda p: p.phase == "preparing")
    pid = worker_pid(run_id)
    assert queue.stop_run(run_id) == "stopped"
    assert not psutil.pid_exists(pid)
    assert queue.history(run_id) == []


def test_a_worker_ended_by_the_machine_is_interrupted_not_stopped(small, ward_id):
    small(pause=0.01)
    run_id = queue.start_run(ward_id, LONG)
    wait_for(run_id, at_step(3))
    psutil.Process(worker_pid(run_id)).terminate()
    wait_for(run_id, lambda p: p.over)
    assert queue.progress(run_id).state == "interrupted"


def test_one_worker_at_a_time_and_the_next_is_handed_on(small, ward_id):
    small(pause=0.05)
    first, second = (queue.start_run(ward_id, RunConfig(epochs=6)) for _ in range(2))
    assert queue.progress(second).state == "queued"
    deadline = time.monotonic() + 300
    while not queue.progress(second).over:  # nobody tends but the first worker
        states_now = [queue.progress(run).state for run in (first, second)]
        assert states_now.count("running") <= 1
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert queue.progress(second).state == "done"
    wait_for(first, lambda _: not psutil.pid_exists(worker_pid(first)))  # nor is it a zombie


def test_a_queued_run_can_be_stopped_and_resumed(small, ward_id, config):
    small(pause=0.01)
    first, second = queue.start_run(ward_id, LONG), queue.start_run(ward_id, config)
    assert queue.stop_run(second) == "stopped"
    assert queue.stop_run(first) == "stopped"
    queue.resume_run(second)
    assert finish(second).state == "done"


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("cohort", "The outcome has one value only."),
        ("memory", "needs more memory"),
        ("value", "fault in the program (ValueError)"),
    ],
)
def test_a_failure_is_one_sentence_and_the_log_holds_no_values(
    small, ward_id, config, fault, sentence
):
    small(fault=fault)
    run_id = queue.start_run(ward_id, config)
    last = finish(run_id)
    assert last.state == "failed"
    assert sentence in last.message
    assert last.refused == (fault == "cohort")
    log = (runs.run_folder(run_id) / queue.LOG).read_text()
    assert "small_worker.py" in log
    assert "JOHN" not in log + last.message


def test_delete_leaves_nothing_of_a_running_run(small, ward_id, data_folder):
    small(pause=0.01)
    run_id = queue.start_run(ward_id, LONG)
    wait_for(run_id, at_step(2))
    pid = worker_pid(run_id)
    queue.delete_run(run_id)
    assert not psutil.pid_exists(pid)
    assert not list((data_folder / "runs").iterdir())
    with pytest.raises(atomic.StoreError, match="not here any more"):
        queue.progress(run_id)


def test_two_workers_on_one_run_are_one(small, ward_id):
    small(pause=0.02)
    run_id = queue.start_run(ward_id, RunConfig(epochs=50))
    folder = runs.run_folder(run_id)
    env = queue.worker_env(1)
    other = queue.spawn(queue.WORKER, str(folder), log=folder / "other.log", env=env)
    psutil.Process(other).wait(300)
    assert worker_pid(run_id) != other
    assert finish(run_id).state == "done"
