"""Sweeps and checks of runs as jobs: begun, followed; `queue` stops, resumes and deletes them."""

from __future__ import annotations

from collections.abc import Iterator

from cacviz.engine.running.sweeps.plans import SweepPlan, check_plan
from cacviz.engine.types import Cohort
from cacviz.jobs import queue
from cacviz.store import atomic, paths, runs, states, sweeps, unix, wards
from cacviz.store.states import Progress, State


@atomic.explained()
def start_sweep(
    cohort_id: str, plan: SweepPlan, cohort: Cohort | None = None, *, scheduler: str = ""
) -> str:
    """Queue a sweep; one like it that was stopped goes on instead."""
    if scheduler:
        wards.only_at_home("computing on other machines")
    with unix.locked(paths.lock_file()):  # whoever asks for the same at once finds this one
        same = queue.alike(sweeps.list_sweeps(cohort_id, run=""), plan, cohort_id, cohort)
        made = same[:1] or [sweeps.create_sweep(cohort_id, plan, cohort, scheduler=scheduler)]
    _begin(made[0])
    return made[0]


@atomic.explained()
def start_check(run_id: str, scheduler: str = "") -> str:
    """Queue the check of a finished run; one that was stopped goes on instead."""
    if scheduler:
        wards.only_at_home("computing on other machines")
    asked = runs.read_asked(runs.run_folder(run_id))
    plan = check_plan(asked.config)
    with unix.locked(paths.lock_file()):
        same = [s.id for s in sweeps.list_sweeps(run=run_id) if s.asked.plan == plan]
        home = asked.cohort_id
        made = same[:1] or [sweeps.create_sweep(home, plan, scheduler=scheduler, run=run_id)]
    _begin(made[0])
    return made[0]


def _begin(sweep_id: str) -> None:
    queue.resume(sweeps.sweep_folder(sweep_id))
    queue.tend()


def progress(sweep_id: str) -> Progress:
    return states.progress_of(sweeps.sweep_folder(sweep_id))


def follow(sweep_id: str, *, every: float = 0.2) -> Iterator[Progress]:
    return queue.follow(sweeps.sweep_folder(sweep_id), every=every)


def stop(sweep_id: str) -> State:
    return queue.stop(sweeps.sweep_folder(sweep_id))


def resume(sweep_id: str) -> None:
    queue.resume(sweeps.sweep_folder(sweep_id))


def delete(sweep_id: str) -> None:
    queue.delete(sweeps.sweep_folder(sweep_id))
