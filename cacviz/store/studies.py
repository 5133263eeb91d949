"""Comparisons on disk: a folder a study, a row a finished fit.

studies/01J…/study.json       what is compared, on which cohort, with which choices
             history.jsonl    a row a finished fit, written as it ends and never computed again
             status.json, lock.json, stop, worker.log    as with runs
             result/rows.json sealed when all are there
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cacviz.engine.running.studies import COLUMNS, LIMITS, MORE, Cell, StudyPlan, cell_of
from cacviz.engine.types import Choices, Cohort
from cacviz.store import asked as asking
from cacviz.store import atomic, cohorts, history, ids, paths, states
from cacviz.store.records import to_plain
from cacviz.store.states import Progress

STUDY, ROWS = asking.Kind("study.json", "comparison"), "rows.json"


@dataclass(frozen=True, slots=True)
class AskedStudy:
    """What was asked for when a study was made; `choices` are those of the day."""

    plan: StudyPlan
    cohort_id: str
    cohort_name: str
    choices: Choices
    classes: tuple[str, ...]
    fingerprint: str
    created: float
    scheduler: str = ""  # of a Dask cluster that does the fits


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study as a list shows it."""

    id: str
    asked: AskedStudy
    progress: Progress


def create_study(
    cohort_id: str, plan: StudyPlan, cohort: Cohort | None = None, scheduler: str = ""
) -> str:
    """A new study, queued; the caller holds the store's lock."""
    row, study_id = cohorts.describe_cohort(cohort_id), ids.new_id()
    seen = row.record if cohort is None else cohort
    about = asking.about(cohort_id, row.name, seen)
    asked = AskedStudy(plan=plan, **about, scheduler=scheduler)
    asking.queue_folder(paths.studies_dir() / study_id, STUDY, asked)
    return study_id


@atomic.explained()
def list_studies(cohort_id: str | None = None) -> list[StudyRow]:
    """Every comparison (of one cohort), the newest first."""
    rows = [_row(f) for f in reversed(study_folders())]
    return [r for r in rows if r and cohort_id in (None, r.asked.cohort_id)]


def study_folders() -> list[Path]:
    """Every study's folder, the oldest first."""
    return asking.folders_in(paths.studies_dir())


def study_rows(study_id: str) -> list[dict[str, Any]]:
    """The fits that have ended, a row each, in the plan's order."""
    return finished_rows(study_folder(study_id))


def study_folder(study_id: str) -> Path:
    """The folder of a study; an id may come from an address bar."""
    return asking.folder_of(paths.studies_dir(), study_id, STUDY)


def read_asked(folder: Path) -> AskedStudy:
    return asking.read_as(AskedStudy, folder, STUDY)


def finished_rows(folder: Path) -> list[dict[str, Any]]:
    """A row of each cell of the plan that was fitted, the last where it was fitted twice."""
    order = {cell: i for i, cell in enumerate(read_asked(folder).plan.cells())}
    found: dict[Cell, dict[str, Any]] = {}
    for row in history.read_rows(folder):
        if "method" in row and cell_of(row) in order:
            kept = {name: row[name] for name in COLUMNS}
            found[cell_of(row)] = kept | {n: row[n] for n in (*LIMITS, *MORE) if n in row}
    return [found[cell] for cell in sorted(found, key=order.__getitem__)]


def seal_rows(folder: Path) -> None:
    """Say that a study is complete, or that fits are missing."""
    rows = finished_rows(folder)
    asking.check_whole(rows, len(read_asked(folder).plan.cells()))
    contents = {ROWS: atomic.encode(to_plain(rows))}
    atomic.seal_folder(folder / states.RESULT, contents, {"rows": len(rows)})


def _row(folder: Path) -> StudyRow | None:
    try:
        return StudyRow(folder.name, read_asked(folder), states.progress_of(folder))
    except (OSError, atomic.StoreError):
        return None  # deleted while we looked, damaged, or not ours
