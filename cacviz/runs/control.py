"""Start, follow, stop, resume and delete runs; the queue.

Nobody stays behind to mind the queue: whoever ends, asks or looks (`tend`) starts what is next,
one at a time under the store's lock.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from cacviz.engine.types import RunConfig
from cacviz.runs import cohorts, files, paths, states, store
from cacviz.runs.environment import worker_env, worker_limit
from cacviz.runs.processes import alive, end, mark_of, my_mark, spawn
from cacviz.runs.reports import read_history
from cacviz.runs.states import Progress, State

WORKER, LOG = "cacviz.runs.worker", "worker.log"
GRACE = 1.0  # seconds to stop by itself before a worker is ended


def start_run(cohort_id: str, config: RunConfig, name: str = "", *, note: str = "") -> str:
    """Queue a run and start it as soon as there is room; its id."""
    run_id = store.create_run(cohort_id, config, name, note=note)
    tend()
    return run_id


@files.plainly()
def tend() -> None:
    """Start queued runs, the oldest first, as far as the limit on workers allows."""
    with files.locked(paths.lock_file()):
        open_runs = [(f, states.progress_of(f).state) for f in _unfinished()]
        room = worker_limit() - sum(state == "running" for _, state in open_runs)
        queued = [folder for folder, state in open_runs if state == "queued"]
        for folder in queued[: max(0, room)]:
            _start(folder)


def progress(run_id: str) -> Progress:
    """How far the run is."""
    return states.progress_of(store.run_folder(run_id))


def history(run_id: str) -> list[dict]:
    """The rows of history that the run has written so far."""
    return read_history(store.run_folder(run_id))


def follow(run_id: str, *, every: float = 0.2) -> Iterator[Progress]:
    """The run's progress again and again, the last time when it is over."""
    while True:
        tend()
        now = progress(run_id)
        yield now
        if now.over:
            return
        time.sleep(every)


@files.plainly()
def stop_run(run_id: str, *, grace: float = GRACE) -> State:
    """Stop a queued or running run within two seconds, and give the state it ended in."""
    folder = store.run_folder(run_id)
    with files.locked(paths.lock_file()):
        if states.progress_of(folder).over:
            return states.progress_of(folder).state
        files.write_file(folder / states.STOP, b"")
        mark = states.worker_of(folder)
        if not alive(mark):
            _settle(folder)
    if mark is not None:
        end(mark, grace=grace)
        with files.locked(paths.lock_file()):
            _settle(folder)
    tend()
    return states.progress_of(folder).state


@files.plainly()
def resume_run(run_id: str) -> None:
    """Queue a stopped, interrupted or failed run again; it goes on from its checkpoint."""
    folder = store.run_folder(run_id)
    with files.locked(paths.lock_file()):
        if not states.progress_of(folder).resumable:
            return  # somebody else was faster
        for name in (states.LOCK, states.STOP):
            (folder / name).unlink(missing_ok=True)
        states.write_status(folder, "queued")
    tend()


@files.plainly()
def delete_run(run_id: str) -> None:
    """Take a run away for good, stopping it first."""
    folder = store.run_folder(run_id)
    stop_run(run_id)
    mark = states.worker_of(folder)
    if mark is not None:
        end(mark, grace=0)  # it may have a result and still be at work on it
    files.remove(folder)
    tend()


def delete_cohort(cohort_id: str) -> None:
    """Take a cohort away for good, with every run made from it."""
    for row in store.list_runs(cohort_id):
        with suppress(files.StoreError):
            delete_run(row.id)
    from cacviz.runs import studies  # it builds on this module

    studies.delete_studies(cohort_id)
    cohorts.remove_cohort(cohort_id)


@files.plainly()
def sweep() -> int:
    """Remove what crashes left half-written, anywhere in the data folder; how many things.

    With it go tables without a cohort and kernels of old versions. For the start of the app: what
    a living process is writing stays.
    """
    for folder in store.run_folders():
        if not alive(states.worker_of(folder)) and states.progress_of(folder).state == "done":
            drop_aids(folder)
    for kernels in paths.old_kernels():
        files.remove(kernels)
    places = [Path(place) for place, _, _ in os.walk(paths.data_dir())]
    return sum(files.sweep(place) for place in places) + cohorts.sweep_tables()


def claim(folder: Path) -> bool:
    """Make this process the run's worker, unless another works on it or it is over."""
    with files.locked(paths.lock_file()):
        mark = states.worker_of(folder)
        taken = mark != my_mark() and (alive(mark) or states.progress_of(folder).over)
        if taken or (folder / states.STOP).exists():
            return False
        states.write_worker(folder, my_mark())
        files.sweep(folder)
        return True


def fail(folder: Path, message: str, *, refused: bool = False) -> None:
    """Say in one sentence why the run ended, even on a full disk."""
    (folder / store.RESERVE).unlink(missing_ok=True)
    with suppress(OSError):  # then the run shows as interrupted, which is true as well
        states.write_status(folder, "failed", message, refused=refused)


def drop_aids(folder: Path) -> None:
    """What only an unfinished run needs."""
    for name in (states.CHECKPOINT, store.RESERVE):
        (folder / name).unlink(missing_ok=True)


def _start(folder: Path) -> None:
    try:
        with files.plainly():
            env = worker_env(store.read_asked(folder).threads)
            pid = spawn(WORKER, str(folder), log=folder / LOG, env=env)
            states.write_worker(folder, mark_of(pid))
    except files.StoreError as error:
        fail(folder, str(error))  # a worker that did start finds it over and goes


def _settle(folder: Path) -> None:
    """What the worker had no time for: leave no half-written file and say that it stopped."""
    files.sweep(folder)
    if states.progress_of(folder).state == "stopped":
        states.write_status(folder, "stopped")


def _unfinished() -> list[Path]:
    """Runs without a result; a look at the name only, since most runs are done."""
    return [f for f in store.run_folders() if not (f / states.RESULT).exists()]
