"""Comparisons that survive anything: a folder a study, a row a finished fit, a worker of its own.

studies/01J…/study.json       what is compared, on which cohort
             history.jsonl    a row a finished fit, written as it ends and never computed again
             status.json, lock.json, stop, worker.log    as with runs
             result/rows.json sealed when all are there
`python -m cacviz.runs.studies STUDY_DIR` does the fits that are missing.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cacviz.engine.exceptions import Stopped
from cacviz.engine.studies import COLUMNS, LIMITS, Cell, StudyPlan, cell_of
from cacviz.runs import cohorts, environment, files, paths, states, store
from cacviz.runs.processes import alive, end, mark_of, my_mark, spawn
from cacviz.runs.records import from_plain, to_plain
from cacviz.runs.reports import Reporter, read_rows
from cacviz.runs.states import Progress

STUDY, ROWS, LOG = "study.json", "rows.json", "worker.log"
GRACE = 1.0
PHASE = "comparing"


@dataclass(frozen=True, slots=True)
class AskedStudy:
    """What was asked for when a study was made."""

    plan: StudyPlan
    cohort_id: str
    cohort_name: str
    fingerprint: str
    created: float
    n_jobs: int


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study as a list shows it."""

    id: str
    asked: AskedStudy
    progress: Progress


def default_jobs() -> int:
    """Fits at once: CACVIZ_JOBS, else one a core."""
    chosen = os.environ.get("CACVIZ_JOBS", "")
    return max(1, int(chosen)) if chosen.isdigit() else environment.cores()


@files.plainly()
def start_study(cohort_id: str, plan: StudyPlan, *, n_jobs: int | None = None) -> str:
    """Begin a comparison in a process of its own; one like it that was stopped goes on instead."""
    with files.locked(paths.lock_file()):  # whoever asks for the same at once finds this one
        same = next((s.id for s in list_studies(cohort_id) if s.asked.plan == plan), None)
        study_id = same or _create(cohort_id, plan, n_jobs or default_jobs())
    if same is not None:
        resume_study(same)
    else:
        _start(study_folder(study_id))
    return study_id


def _create(cohort_id: str, plan: StudyPlan, n_jobs: int) -> str:
    said, study_id = cohorts.describe_cohort(cohort_id), store.new_id()
    asked = AskedStudy(plan, cohort_id, said.name, said.fingerprint, time.time(), n_jobs)
    queued = {"state": "queued", "message": "", "since": asked.created}
    contents = {STUDY: files.encode(to_plain(asked)), states.STATUS: files.encode(queued)}
    files.make_folder(paths.studies_dir() / study_id, contents)
    return study_id


@files.plainly()
def resume_study(study_id: str) -> None:
    """Go on with the fits that are missing, unless somebody does already."""
    folder = study_folder(study_id)
    with files.locked(paths.lock_file()):
        if not states.progress_of(folder).resumable:
            return
        for name in (states.LOCK, states.STOP):
            (folder / name).unlink(missing_ok=True)
        states.write_status(folder, "queued")
    _start(folder)


@files.plainly()
def stop_study(study_id: str, *, grace: float = GRACE) -> None:
    """Stop a comparison; fits that ended are kept."""
    folder = study_folder(study_id)
    with files.locked(paths.lock_file()):
        if states.progress_of(folder).over:
            return
        files.write_file(folder / states.STOP, b"")
        mark = states.worker_of(folder)
    if mark is not None:
        end(mark, grace=grace)
    with files.locked(paths.lock_file()):
        files.sweep(folder)
        if states.progress_of(folder).state == "stopped":
            states.write_status(folder, "stopped")


def delete_study(study_id: str) -> None:
    """Take a comparison away for good, stopping it first."""
    stop_study(study_id)
    files.remove(study_folder(study_id))


def delete_studies(cohort_id: str) -> None:
    """Take away every comparison on a cohort."""
    for row in list_studies(cohort_id):
        with suppress(files.StoreError):
            delete_study(row.id)


@files.plainly()
def list_studies(cohort_id: str | None = None) -> list[StudyRow]:
    """Every comparison (of one cohort), the newest first."""
    found = [f for f in paths.studies_dir().iterdir() if not f.name.startswith(".")]
    rows = [_row(f) for f in sorted(found, reverse=True)]
    return [r for r in rows if r and cohort_id in (None, r.asked.cohort_id)]


def study_rows(study_id: str) -> list[dict[str, Any]]:
    """The fits that have ended, a row each, in the plan's order."""
    return _finished(study_folder(study_id))


def study_progress(study_id: str) -> Progress:
    """How far the study is."""
    return states.progress_of(study_folder(study_id))


def follow_study(study_id: str, *, every: float = 0.2) -> Iterator[Progress]:
    """The study's progress again and again, the last time when it is over."""
    while True:
        now = study_progress(study_id)
        yield now
        if now.over:
            return
        time.sleep(every)


def study_folder(study_id: str) -> Path:
    """The folder of a study; an id may come from an address bar and is checked as such."""
    if not re.fullmatch(f"[{store.CROCKFORD}]{{26}}", study_id):
        raise files.StoreError("This is not the name of a comparison.")
    folder = paths.studies_dir() / study_id
    if not (folder / STUDY).is_file():
        raise files.StoreError("This comparison is not here any more.")
    return folder


def read_asked(folder: Path) -> AskedStudy:
    try:
        return from_plain(AskedStudy, json.loads((folder / STUDY).read_bytes()))
    except ValueError as error:
        said = f"'{folder.name}/{STUDY}' is damaged. Start the comparison anew."
        raise files.StoreError(said) from error


def _row(folder: Path) -> StudyRow | None:
    try:
        return StudyRow(folder.name, read_asked(folder), states.progress_of(folder))
    except (OSError, files.StoreError):
        return None  # deleted while we looked, damaged, or not ours


def _finished(folder: Path) -> list[dict[str, Any]]:
    order = {cell: i for i, cell in enumerate(read_asked(folder).plan.cells())}
    found: dict[Cell, dict[str, Any]] = {}
    for row in read_rows(folder):
        if "method" in row and cell_of(row) in order:
            kept = {name: row[name] for name in COLUMNS}
            found[cell_of(row)] = kept | {name: row[name] for name in LIMITS if name in row}
    return [found[cell] for cell in sorted(found, key=order.__getitem__)]


def _start(folder: Path) -> None:
    try:
        pid = spawn(
            "cacviz.runs.studies", str(folder), log=folder / LOG, env=environment.worker_env(1)
        )
        states.write_worker(folder, mark_of(pid))
    except OSError as error:
        states.write_status(folder, "failed", files.explain(error))


def _claim(folder: Path) -> bool:
    with files.locked(paths.lock_file()):
        mark = states.worker_of(folder)
        if (mark != my_mark() and alive(mark)) or (folder / states.STOP).exists():
            return False
        states.write_worker(folder, my_mark())
        files.sweep(folder)
        return True


def work(folder: Path) -> None:
    """Do the fits that are missing, and whatever happens, say in one sentence how it ended."""
    from cacviz.runs.worker import explain, log_error

    room = 0
    try:
        room = environment.limit_this_process()
        if not _claim(folder):
            return
        with Reporter(folder) as reporter:
            signal.signal(signal.SIGTERM, lambda *_: reporter.stop())
            _compare(folder, reporter)
    except BaseException as error:
        # a stop reaches the processes of the fits too: theirs may be the first word of it
        if (folder / states.STOP).exists():
            states.write_status(folder, "stopped")
        elif not isinstance(error, Stopped):
            log_error(error)
            states.write_status(folder, "failed", explain(error, room))
    else:
        states.write_status(folder, "done")


def _compare(folder: Path, reporter: Reporter) -> None:
    from cacviz.engine.studies import run_study

    asked, done = read_asked(folder), {cell_of(row) for row in _finished(folder)}
    reporter.phase("reading the cohort")
    cohort = cohorts.load_cohort(asked.cohort_id)
    total, count = len(asked.plan.cells()), len(done)
    reporter.phase(PHASE)

    def keep(row: dict[str, Any]) -> None:
        nonlocal count
        count += 1
        try:
            reporter.on_step({"phase": PHASE, "step": count, "of": total, **row})
        finally:
            reporter.flush_rows()  # a fit that has ended is never computed again

    run_study(cohort, asked.plan, done=done, on_row=keep, n_jobs=asked.n_jobs)
    _seal(folder, _finished(folder), total)


def _seal(folder: Path, rows: list[dict[str, Any]], total: int) -> None:
    if len(rows) < total:
        raise files.StoreError(
            f"{total - len(rows)} of {total} fits could not be kept. Resume does them again."
        )
    contents = {ROWS: files.encode(to_plain(rows))}
    files.seal_folder(folder / states.RESULT, contents, {"rows": len(rows)})


if __name__ == "__main__":
    study = Path(sys.argv[1]).absolute()
    paths.use_data_dir(study.parent.parent)
    work(study)
