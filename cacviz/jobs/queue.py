"""One queue for every kind of job: claim, start, stop, resume, follow, delete.

A job is a folder with a status. Nobody stays behind to mind the queue: whoever ends, asks or looks
(`tend`) starts what is next, one at a time under the store's lock.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from cacviz.engine.running.studies import StudyPlan
from cacviz.engine.running.sweeps.plans import SweepPlan
from cacviz.engine.types import Cohort, RunConfig
from cacviz.jobs import early
from cacviz.jobs.environment import default_threads, worker_env, worker_limit
from cacviz.jobs.waiting import INNER, all_jobs, everywhere, queued_jobs, since, waits
from cacviz.store import (
    atomic,
    cohorts,
    insights,
    paths,
    runs,
    states,
    studies,
    sweeps,
    unix,
    validations,
    wards,
)
from cacviz.store.history import read_history
from cacviz.store.states import Progress, State
from cacviz.store.studies import StudyRow
from cacviz.store.sweeps import SweepRow
from cacviz.store.unix import alive, end, mark_of, my_mark, spawn

WORKER, LOG = "cacviz.jobs.worker", "worker.log"
GRACE = 1.0  # seconds to stop by itself before a worker is ended


def start_run(
    cohort_id: str,
    config: RunConfig,
    name: str = "",
    *,
    note: str = "",
    cohort: Cohort | None = None,
) -> str:
    """Queue a run and start it as soon as there is room; its id."""
    threads = default_threads()
    run_id = runs.create_run(cohort_id, config, name, note=note, threads=threads, cohort=cohort)
    tend()
    return run_id


def expected_run() -> AbstractContextManager[None]:
    """Within it a worker loads its libraries while the file of a run to come is read."""
    return early.expected(WORKER)


@atomic.explained()
def start_study(
    cohort_id: str, plan: StudyPlan, cohort: Cohort | None = None, *, scheduler: str = ""
) -> str:
    """Queue a comparison; one like it that was stopped goes on instead."""
    if scheduler:
        wards.only_at_home("computing on other machines")
    with unix.locked(paths.lock_file()):  # whoever asks for the same at once finds this one
        same = alike(studies.list_studies(cohort_id), plan, cohort_id, cohort)
        study_id = same[0] if same else studies.create_study(cohort_id, plan, cohort, scheduler)
    resume(studies.study_folder(study_id))
    tend()
    return study_id


def alike(
    rows: Sequence[StudyRow | SweepRow],
    plan: StudyPlan | SweepPlan,
    cohort_id: str,
    cohort: Cohort | None,
) -> list[str]:
    """Those that were asked for with this very plan and of these very patients."""
    seen = cohorts.describe_cohort(cohort_id) if cohort is None else cohort
    same = (r for r in rows if r.asked.fingerprint == seen.fingerprint)
    return [row.id for row in same if row.asked.plan == plan]


@atomic.explained()
def complete(run_id: str) -> None:
    """Queue the insights of a finished run that are missing or failed, unless one is at work."""
    folder, home = runs.run_folder(run_id), insights.home_of(run_id)
    with unix.locked(paths.lock_file()):
        if alive(states.worker_of(folder)) or alive(states.worker_of(home)):
            return
        if atomic.read_manifest(folder / states.RESULT) is None:
            return
        insights.forget_failures(home)
        for name in (states.LOCK, states.STOP):
            (home / name).unlink(missing_ok=True)
        states.write_status(home, "queued")
    tend()


@atomic.explained()
def tend(leaving: Path | None = None) -> None:
    """Start queued jobs, the oldest first, as far as the limit on processes allows.

    `leaving` is the job of a worker that has ended its work and hands its room on.
    """
    with unix.locked(wards.queue_lock()):
        busy = [f for _, f in everywhere(all_jobs) if f != leaving and is_live(f)]
        room = worker_limit() - sum(map(states.slots_of, busy))
        for place, folder in sorted(everywhere(queued_jobs), key=lambda found: since(found[1])):
            if room < 1:
                return
            with wards.turn_of(place):
                slots = min(room, _wanted(folder))
                room -= slots if waits(folder) and _start(folder, slots) else 0


def is_live(folder: Path) -> bool:
    """Whether a process is at work on this job."""
    return alive(states.worker_of(folder))


def progress(run_id: str) -> Progress:
    """How far a run is."""
    return states.progress_of(runs.run_folder(run_id))


def study_progress(study_id: str) -> Progress:
    """How far a comparison is."""
    return states.progress_of(studies.study_folder(study_id))


def history(run_id: str) -> list[dict]:
    """The rows of history that a run has written so far."""
    return read_history(runs.run_folder(run_id))


def follow(folder: Path, *, every: float = 0.2) -> Iterator[Progress]:
    """A job's progress again and again, the last time when it is over."""
    while True:
        tend()
        now = states.progress_of(folder)
        yield now
        if now.over:
            return
        time.sleep(every)


def follow_run(run_id: str, *, every: float = 0.2) -> Iterator[Progress]:
    return follow(runs.run_folder(run_id), every=every)


def follow_study(study_id: str, *, every: float = 0.2) -> Iterator[Progress]:
    return follow(studies.study_folder(study_id), every=every)


@atomic.explained()
def stop(folder: Path, *, grace: float = GRACE) -> State:
    """Stop a queued or running job within two seconds, and give the state it ended in."""
    with unix.locked(paths.lock_file()):
        if states.progress_of(folder).over:
            return states.progress_of(folder).state
        atomic.write_file(folder / states.STOP, b"")
        mark = states.worker_of(folder)
        if not alive(mark):
            _settle(folder)
    if mark is not None:
        end(mark, grace=grace)
        with unix.locked(paths.lock_file()):
            _settle(folder)
    tend()
    return states.progress_of(folder).state


def stop_run(run_id: str, *, grace: float = GRACE) -> State:
    return stop(runs.run_folder(run_id), grace=grace)


def stop_study(study_id: str, *, grace: float = GRACE) -> State:
    return stop(studies.study_folder(study_id), grace=grace)


@atomic.explained()
def resume(folder: Path) -> None:
    """Queue a stopped, interrupted or failed job again; it goes on from where it was."""
    with unix.locked(paths.lock_file()):
        if not states.progress_of(folder).resumable:
            return  # somebody else was faster
        for name in (states.LOCK, states.STOP):
            (folder / name).unlink(missing_ok=True)
        states.write_status(folder, "queued")
    tend()


def resume_run(run_id: str) -> None:
    resume(runs.run_folder(run_id))


def resume_study(study_id: str) -> None:
    resume(studies.study_folder(study_id))


@atomic.explained()
def delete(folder: Path) -> None:
    """Take a job away for good with all that it made, stopping it first."""
    stop(folder)
    for place in (folder, *(folder / home for home in INNER)):
        mark = states.worker_of(place)
        if mark is not None:
            end(mark, grace=0)  # it may have a result and still be at work on it
    atomic.remove(folder)
    tend()


def delete_run(run_id: str) -> None:
    for validation in validations.list_validations(run_id):
        delete(validations.validation_folder(validation.id))
    delete(runs.run_folder(run_id))


def delete_study(study_id: str) -> None:
    delete(studies.study_folder(study_id))


def delete_cohort(cohort_id: str) -> None:
    """Take a cohort away for good, with every run, comparison and sweep made from it."""
    for run in runs.list_runs(cohort_id):
        with suppress(atomic.StoreError):
            delete_run(run.id)
    for study in studies.list_studies(cohort_id):
        with suppress(atomic.StoreError):
            delete_study(study.id)
    for sweep in sweeps.list_sweeps(cohort_id):
        with suppress(atomic.StoreError):
            delete(sweeps.sweep_folder(sweep.id))
    cohorts.remove_cohort(cohort_id)


def claim(folder: Path) -> bool:
    """Make this process the job's worker, unless another works on it or it is over."""
    with unix.locked(paths.lock_file()):
        mark = states.worker_of(folder)
        taken = mark != my_mark() and (alive(mark) or states.progress_of(folder).over)
        if taken or (folder / states.STOP).exists():
            return False
        states.write_worker(folder, my_mark(), states.slots_of(folder))
        atomic.sweep(folder)
        return True


def fail(folder: Path, message: str, *, refused: bool = False) -> None:
    """Say in one sentence why a job ended, even on a full disk."""
    (folder / runs.RESERVE).unlink(missing_ok=True)
    with suppress(OSError):  # then the job shows as interrupted, which is true as well
        states.write_status(folder, "failed", message, refused=refused)


def _start(folder: Path, slots: int) -> bool:
    """Whether a worker was started; else the job says why not."""
    try:
        with atomic.explained():
            threads = _threads(folder)
            pid = early.take(folder, threads)
            if pid is None:
                env = worker_env(threads)
                pid = spawn(WORKER, str(folder), log=folder / LOG, env=env)
            states.write_worker(folder, mark_of(pid), slots)
    except atomic.StoreError as error:
        fail(folder, str(error))  # a worker that did start finds it over and goes
        return False
    return True


def _threads(folder: Path) -> int:
    run = folder.parent if folder.name in INNER else folder
    return runs.read_asked(run).threads if (run / runs.RUN).is_file() else 1


def _wanted(folder: Path) -> int:
    """Processes that a job can use: a comparison or sweep all there are, any other one."""
    many = (folder / studies.STUDY.file, folder / sweeps.SWEEP.file)
    return worker_limit() if any(file.is_file() for file in many) else 1


def _settle(folder: Path) -> None:
    """What the worker had no time for: leave no half-written file and say that it stopped."""
    atomic.sweep(folder)
    if states.progress_of(folder).state == "stopped":
        states.write_status(folder, "stopped")
