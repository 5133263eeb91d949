import os
import signal
import stat
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from cacviz import runs
from cacviz.engine.types import RunConfig
from cacviz.runs import control, files, paths, states, store, studies
from cacviz.runs.reports import HISTORY

LONG = RunConfig(epochs=2000)


def finish(run_id):
    return list(runs.follow(run_id, every=0.02))[-1]


def wait_for(run_id, truth, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not truth(runs.progress(run_id)):
        assert time.monotonic() < deadline, runs.progress(run_id)
        time.sleep(0.01)


def at_step(number):
    return lambda progress: progress.over or (progress.step or 0) >= number


def worker_pid(run_id):
    return states.worker_of(store.run_folder(run_id)).pid


def test_a_run_is_fitted_saved_and_read_back(small, ward_id, ward, config):
    run_id = runs.start_run(ward_id, config, "first")
    assert finish(run_id).state == "done"
    stored = runs.load_run(run_id)
    preparation, model = runs.load_model(run_id)
    again = model.predict_proba(preparation.transform(ward.frame))
    np.testing.assert_array_equal(again, stored.proba)
    assert stored.summary.config == config
    assert stored.environment["threads"] == 1
    assert stored.environment["libraries"]["numpy"] == np.__version__
    assert [row["epoch"] for row in runs.history(run_id)] == list(range(1, 9))
    (row,) = runs.list_runs()
    assert (row.card.name, row.state, row.figures["sizes"]) == ("first", "done", [60])


def test_everything_is_private_to_its_owner(small, ward_id, config, data_folder):
    finish(runs.start_run(ward_id, config))
    for path in [data_folder, *data_folder.rglob("*")]:
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path


def test_a_killed_worker_is_interrupted_at_once_and_resumes_to_the_same_bits(small, ward_id):
    small(pause=0.01)
    config = RunConfig(epochs=60)
    whole = runs.start_run(ward_id, config)
    finish(whole)
    run_id = runs.start_run(ward_id, config)
    wait_for(run_id, at_step(20))
    psutil.Process(worker_pid(run_id)).send_signal(signal.SIGKILL)
    wait_for(run_id, lambda p: p.state == "interrupted", seconds=1)
    assert "Interrupted at epoch" in runs.progress(run_id).message
    runs.resume_run(run_id)
    assert finish(run_id).state == "done"
    np.testing.assert_array_equal(runs.load_run(run_id).proba, runs.load_run(whole).proba)
    assert [row["epoch"] for row in runs.history(run_id)] == list(range(1, 61))
    lines = (store.run_folder(run_id) / HISTORY).read_bytes().splitlines()
    assert len(lines) < 60 + 15  # it went on, and did not start again
    wait_for(run_id, lambda _: states.CHECKPOINT not in names(run_id))


def test_stop_ends_the_worker_within_two_seconds_and_leaves_nothing_half(small, ward_id):
    small(pause=0.01)
    run_id = runs.start_run(ward_id, LONG)
    wait_for(run_id, at_step(3))
    pid, began = worker_pid(run_id), time.monotonic()
    assert runs.stop_run(run_id) == "stopped"
    assert time.monotonic() - began < 2
    assert not psutil.pid_exists(pid)
    assert not [n for n in names(run_id) if n.startswith(files.HIDDEN)]
    assert runs.progress(run_id).resumable


def test_a_worker_deaf_to_the_wish_is_ended(small, ward_id):
    small(pause=30)
    run_id = runs.start_run(ward_id, LONG)
    wait_for(run_id, lambda p: p.phase == "preparing")
    began = time.monotonic()
    assert runs.stop_run(run_id) == "stopped"
    assert time.monotonic() - began < 2


def test_a_worker_ended_by_the_machine_is_interrupted_not_stopped(small, ward_id):
    small(pause=0.01)
    run_id = runs.start_run(ward_id, LONG)
    wait_for(run_id, at_step(3))
    psutil.Process(worker_pid(run_id)).terminate()
    wait_for(run_id, lambda p: p.over)
    assert runs.progress(run_id).state == "interrupted"


def test_one_worker_at_a_time_and_the_next_is_handed_on(small, ward_id):
    small(pause=0.05)
    first, second = (runs.start_run(ward_id, RunConfig(epochs=6)) for _ in range(2))
    assert runs.progress(second).state == "queued"
    deadline = time.monotonic() + 30
    while not runs.progress(second).over:  # nobody tends but the first worker
        states_now = [runs.progress(run).state for run in (first, second)]
        assert states_now.count("running") <= 1
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert runs.progress(second).state == "done"
    wait_for(first, lambda _: not psutil.pid_exists(worker_pid(first)))  # nor is it a zombie


def test_a_queued_run_can_be_stopped_and_resumed(small, ward_id, config):
    small(pause=0.01)
    first, second = runs.start_run(ward_id, LONG), runs.start_run(ward_id, config)
    assert runs.stop_run(second) == "stopped"
    assert runs.stop_run(first) == "stopped"
    runs.resume_run(second)
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
    run_id = runs.start_run(ward_id, config)
    last = finish(run_id)
    assert last.state == "failed"
    assert sentence in last.message
    assert last.refused == (fault == "cohort")
    log = (store.run_folder(run_id) / control.LOG).read_text()
    assert "small_worker.py" in log
    assert "JOHN" not in log + last.message


def test_a_reused_pid_is_no_worker(small, ward_id, config):
    run_id = runs.create_run(ward_id, config)
    folder = store.run_folder(run_id)
    states.write_status(folder, "running")
    files.write_json(folder / states.LOCK, {"pid": psutil.Process().pid, "start": "1.another"})
    assert runs.progress(run_id).state == "interrupted"


def test_delete_leaves_nothing_of_a_running_run(small, ward_id, data_folder):
    small(pause=0.01)
    run_id = runs.start_run(ward_id, LONG)
    wait_for(run_id, at_step(2))
    pid = worker_pid(run_id)
    runs.delete_run(run_id)
    assert not psutil.pid_exists(pid)
    assert not list((data_folder / "runs").iterdir())
    with pytest.raises(runs.StoreError, match="not here any more"):
        runs.progress(run_id)


def test_two_workers_on_one_run_are_one(small, ward_id, data_folder):
    small(pause=0.02)
    run_id = runs.start_run(ward_id, RunConfig(epochs=50))
    folder = store.run_folder(run_id)
    env = control.worker_env(1)
    other = control.spawn(control.WORKER, str(folder), log=folder / "other.log", env=env)
    psutil.Process(other).wait(20)
    assert worker_pid(run_id) != other
    assert finish(run_id).state == "done"


def names(run_id):
    return [path.name for path in store.run_folder(run_id).iterdir()]


LOOKS = [runs.sweep, runs.tend, runs.list_runs, runs.list_cohorts, studies.list_studies]


@pytest.mark.parametrize("look", [runs.data_dir, *LOOKS])
def test_a_data_folder_that_cannot_be_made_is_a_sentence(look, tmp_path, monkeypatch):
    (tmp_path / "notes.txt").write_text("")
    with monkeypatch.context() as patch:
        patch.setenv(paths.DATA_DIR, str(tmp_path / "notes.txt" / "data"))
        with pytest.raises(runs.StoreError, match=r"cannot be used .* or name another"):
            look()


@pytest.mark.parametrize("look", LOOKS)
def test_a_data_folder_that_cannot_be_read_is_a_sentence(look, monkeypatch, ward_id):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "iterdir", refuse)
        with pytest.raises(runs.StoreError, match=r"cannot be read or written .Permission denied"):
            look()


def test_sweep_reaches_every_folder_of_the_store(ward_id, config, data_folder):
    run = store.run_folder(runs.create_run(ward_id, config))
    study, kernels = paths.studies_dir() / store.new_id(), data_folder / "numba" / "0123"
    homes = [data_folder, run, run / "insights", study, study / "result", kernels]
    for home in homes:
        home.mkdir(parents=True, exist_ok=True)
        (home / ".tmp-1-2.gone-abcd").mkdir()
    assert runs.sweep() == len(homes)
    assert not list(data_folder.rglob(".tmp-*"))


def test_kernels_that_nobody_asked_for_in_a_month_are_swept(data_folder):
    current, month = paths.numba_dir(), paths.KERNELS_KEPT
    old, young = data_folder / "numba" / "old", data_folder / "numba" / "young"
    for folder, age in ((old, month + 9), (young, month - 9), (current, month + 9)):
        folder.mkdir(exist_ok=True)
        os.utime(folder, (time.time() - age,) * 2)
    runs.sweep()
    assert set((data_folder / "numba").iterdir()) == {young, current}
    assert time.time() - paths.numba_dir().stat().st_mtime < 9
