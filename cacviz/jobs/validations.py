"""Validating a run in another cohort as a job: begun, done in the worker."""

from __future__ import annotations

from pathlib import Path

from cacviz.jobs import queue
from cacviz.jobs.reporting import Reporter
from cacviz.store import applying, atomic, cohorts, paths, unix, validations
from cacviz.store.risk_choices import remedy_of


@atomic.explained()
def start_validation(run_id: str, cohort_id: str, outcome: str) -> str:
    """Queue a validation; the same one that was stopped goes on instead."""
    with unix.locked(paths.lock_file()):
        same = [
            v.id
            for v in validations.list_validations(run_id)
            if (v.asked.cohort_id, v.asked.outcome) == (cohort_id, outcome)
            and v.progress.state != "done"
        ]
        made = same[0] if same else validations.create_validation(run_id, cohort_id, outcome)
    queue.resume(validations.validation_folder(made))
    queue.tend()
    return made


def validate(folder: Path, reporter: Reporter) -> None:
    """Judge the run on the other cohort and seal what was found."""
    from cacviz.engine.insights.elsewhere.validating import validate as judge

    asked = validations.read_asked(folder)
    reporter.phase("reading the cohort")
    other = cohorts.load_cohort(asked.cohort_id)
    instrument, home = applying.load_instrument(asked.run), applying.load_home(asked.run)
    found = judge(
        instrument,
        home,
        other.frame,
        asked.outcome,
        series=other.series,
        name=asked.cohort_name,
        remedy=remedy_of(asked.run),
        on_phase=lambda phase: reporter.on_step({"phase": phase}),
    )
    reporter.phase("saving")
    validations.save_validation(folder, found)
