"""Doing what a sweep lacks."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from cacviz.engine.running.many import run_cells, work_of
from cacviz.engine.running.methods import METHODS
from cacviz.engine.running.sweeps.cells import run_sweep_cell
from cacviz.engine.running.sweeps.plans import SweepCell, SweepPlan
from cacviz.engine.types import Cohort


def run_sweep(
    cohort: Cohort,
    plan: SweepPlan,
    *,
    done: Collection[SweepCell] = (),
    on_row: Callable[[dict[str, Any]], None],
    n_jobs: int = 1,
    scheduler: str | None = None,
) -> None:
    """Do each cell that is not done; `on_row` gets each row as it comes and may raise Stopped."""
    known = set(done)
    todo = [cell for cell in plan.cells() if cell not in known]
    work = work_of(run_sweep_cell, cohort, plan)
    deep = METHODS[plan.method].deep
    run_cells(work, todo, on_row=on_row, n_jobs=n_jobs, scheduler=scheduler, deep=deep)
