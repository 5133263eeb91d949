"""Sweeps on disk: a folder each, a row a finished piece of work; and what one says of a run.

sweeps/01J…/sweep.json      what is looked at, on which cohort, with which choices; of which run
            history.jsonl   a row a finished cell, written as it ends and never computed again
            status.json, lock.json, stop, worker.log    as with runs
            result/         sealed when all are there
runs/01J…/stability/        sealed: what the check of the run found
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cacviz.engine.running.studies import MORE
from cacviz.engine.running.sweeps.evidence import cell_of
from cacviz.engine.running.sweeps.plans import FIT, NO_MARGIN, SweepCell, SweepPlan
from cacviz.engine.running.sweeps.stability import Stability
from cacviz.engine.types import Choices, Cohort, RunConfig
from cacviz.store import asked as asking
from cacviz.store import atomic, cohorts, history, ids, paths, runs, states, studies
from cacviz.store.records import from_plain, to_plain
from cacviz.store.states import Progress

SWEEP = asking.Kind("sweep.json", "sweep")
STABILITY, FOUND = "stability", "stability.json"


@dataclass(frozen=True, slots=True)
class AskedSweep:
    """What was asked for when a sweep was made; `choices` are those of the day."""

    plan: SweepPlan
    cohort_id: str
    cohort_name: str
    choices: Choices
    classes: tuple[str, ...]
    fingerprint: str
    created: float
    scheduler: str = ""  # of a Dask cluster that does the fits
    run: str = ""  # whose subtypes are checked


@dataclass(frozen=True, slots=True)
class SweepRow:
    """A sweep as a list shows it."""

    id: str
    asked: AskedSweep
    progress: Progress


def create_sweep(
    cohort_id: str,
    plan: SweepPlan,
    cohort: Cohort | None = None,
    *,
    scheduler: str = "",
    run: str = "",
) -> str:
    """A new sweep, queued; the caller holds the store's lock."""
    row, sweep_id = cohorts.describe_cohort(cohort_id), ids.new_id()
    seen: Any = row.record if cohort is None else cohort
    if run:
        seen = runs.read_asked(runs.run_folder(run))
    about = asking.about(cohort_id, row.name, seen)
    asked = AskedSweep(plan=plan, **about, scheduler=scheduler, run=run)
    asking.queue_folder(paths.sweeps_dir() / sweep_id, SWEEP, asked)
    return sweep_id


@atomic.explained()
def list_sweeps(cohort_id: str | None = None, run: str | None = None) -> list[SweepRow]:
    """Every sweep (of one cohort, of one run), the newest first."""
    rows = [_row(f) for f in reversed(sweep_folders())]
    found = [r for r in rows if r and cohort_id in (None, r.asked.cohort_id)]
    return [r for r in found if run in (None, r.asked.run)]


def sweep_folders() -> list[Path]:
    """Every sweep's folder, the oldest first."""
    return asking.folders_in(paths.sweeps_dir())


def sweep_folder(sweep_id: str) -> Path:
    """The folder of a sweep; an id may come from an address bar."""
    return asking.folder_of(paths.sweeps_dir(), sweep_id, SWEEP)


def read_asked(folder: Path) -> AskedSweep:
    return asking.read_as(AskedSweep, folder, SWEEP)


def sweep_rows(sweep_id: str) -> list[dict[str, Any]]:
    """The pieces of work that have ended, a row each, in the plan's order."""
    return finished_rows(sweep_folder(sweep_id))


def finished_rows(folder: Path) -> list[dict[str, Any]]:
    order = {cell: i for i, cell in enumerate(read_asked(folder).plan.cells())}
    found: dict[SweepCell, dict[str, Any]] = {}
    for row in history.read_rows(folder):
        if "kind" in row and cell_of(row) in order and _whole(row):
            found[cell_of(row)] = row
    return [found[cell] for cell in sorted(found, key=order.__getitem__)]


def _whole(row: dict[str, Any]) -> bool:
    """Whether a fit says all that is asked of fits today; anything else has one thing to say."""
    return row["kind"] not in (FIT, NO_MARGIN) or all(name in row for name in MORE)


def seal_rows(folder: Path) -> None:
    """Say that a sweep is complete, or that pieces are missing."""
    rows = finished_rows(folder)
    asking.check_whole(rows, len(read_asked(folder).plan.cells()))
    atomic.seal_folder(folder / states.RESULT, {}, {"rows": len(rows)})


def known_fits(fingerprint: str, *, without: Path | None = None) -> dict[RunConfig, dict[str, Any]]:
    """Every scored fit of these patients and choices, of sweeps and comparisons alike."""
    found: dict[RunConfig, dict[str, Any]] = {}
    for config, row in (*_of_comparisons(fingerprint), *_of_sweeps(fingerprint, without)):
        if all(name in row for name in MORE):
            found[config] = row
    return found


def _of_comparisons(fingerprint: str) -> Iterator[tuple[RunConfig, dict[str, Any]]]:
    for study in studies.list_studies():
        if study.asked.fingerprint == fingerprint:
            for row in studies.study_rows(study.id):
                yield study.asked.plan.config(studies.cell_of(row)), row


def _of_sweeps(
    fingerprint: str, without: Path | None
) -> Iterator[tuple[RunConfig, dict[str, Any]]]:
    for sweep in list_sweeps():
        folder = paths.sweeps_dir() / sweep.id
        if sweep.asked.fingerprint == fingerprint and folder != without:
            for row in finished_rows(folder):
                if row["kind"] == FIT:
                    yield sweep.asked.plan.config(cell_of(row)), row


def save_stability(run: str | Path, found: Stability) -> None:
    """Keep with a run what its check found."""
    contents = {FOUND: atomic.encode(to_plain(found))}
    atomic.seal_folder(runs.run_folder(run) / STABILITY, contents, {"k": found.k})


@atomic.explained()
def load_stability(run: str | Path) -> Stability | None:
    """What the check of a run found; None where it was not checked."""
    folder = runs.run_folder(run) / STABILITY
    if atomic.read_manifest(folder) is None:
        return None
    return from_plain(Stability, json.loads(atomic.read_sealed(folder, FOUND)))


def _row(folder: Path) -> SweepRow | None:
    try:
        return SweepRow(folder.name, read_asked(folder), states.progress_of(folder))
    except (OSError, atomic.StoreError):
        return None  # deleted while we looked, damaged, or not ours
