"""What each kind of job does in its worker: fit a run, describe it, compare methods."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cacviz.engine.types import Cohort, FittedRun, RunConfig
from cacviz.jobs import environment
from cacviz.jobs.reporting import Checkpoint, Reporter
from cacviz.store import (
    atomic,
    insights,
    models,
    paths,
    reports,
    runs,
    states,
    studies,
    sweeps,
    timing,
    validations,
)

Log = Callable[[BaseException], None]
Fit = Callable[..., FittedRun]
PHASE, SWEEPING = "comparing", "sweeping"


def kind_of(folder: Path) -> str:
    """Which kind of job a folder is."""
    if (folder / runs.RUN).is_file():
        return "fit"
    if (folder / sweeps.SWEEP.file).is_file():
        return "sweep"
    if (folder / reports.ASKED).is_file():
        return "report"
    if (folder / validations.VALIDATION).is_file():
        return "validate"
    return "compare" if (folder / studies.STUDY.file).is_file() else "describe"


def fit_any(cohort: Cohort, config: RunConfig, **hooks: Any) -> FittedRun:
    """The engine's door, opened only here: it loads numba, and torch for deep methods."""
    from cacviz.engine.preparation.splits import split_cohort
    from cacviz.engine.running.fitting import fit_run

    return fit_run(split_cohort(cohort, config.seed), config, **hooks)


def fit(folder: Path, reporter: Reporter, fit: Fit = fit_any) -> tuple[Cohort, FittedRun]:
    """Fit and save a run; gives what its description needs."""
    asked = runs.read_asked(folder)
    around = environment.describe(asked.threads)
    reporter.phase("reading the cohort")
    cohort = runs.cohort_of_run(asked)
    reporter.phase("preparing")
    checkpoint = Checkpoint(folder, around, reporter.flush_rows)

    def step(row: Mapping[str, Any]) -> None:
        reporter.on_step(row)
        if row.get("phase") == "controls":
            models.get_ready()

    fitted = fit(cohort, asked.config, on_step=step, checkpoint=checkpoint)
    reporter.phase("saving")
    runs.save_result(folder, fitted, around)
    timing.note_run(asked.config.method, cells_of(cohort), time.time() - reporter.began)
    return cohort, fitted


def cells_of(cohort: Cohort) -> int:
    """What a fit's time grows with: patients with an outcome × features."""
    return int((cohort.y >= 0).sum()) * max(1, len(cohort.names("feature")))


def describe(home: Path, reporter: Reporter, log: Log) -> None:
    """Make the insights of a finished run that are not there yet."""
    folder = home.parent
    run, model = runs.load_run(folder), runs.load_model(folder)
    cohort = runs.cohort_of_run(run.asked)
    arrays = (run.part, run.clusters, run.proba, run.map2d)
    fitted = FittedRun(run.summary, *arrays, model.preparation, model.model, run.one)
    make_parts(folder, cohort, fitted, log, on_phase=reporter.phase)


def make_parts(
    folder: Path,
    cohort: Cohort,
    fitted: FittedRun,
    log: Log = lambda error: None,
    on_phase: Callable[[str], None] = lambda name: None,
) -> None:
    """Compute and seal each part that is missing; a part that fails spoils no other."""
    from cacviz.engine.insights.making import insight_steps

    home = paths.private(folder / insights.HOME)
    atomic.sweep(home)
    wish = insights.rule_wish(folder)
    steps = insight_steps(cohort, fitted, only=insights.missing_parts(folder), wish=wish)
    for name, make in steps:
        on_phase(name)
        try:
            insights.save_part(folder, name, make())
        except Exception as error:
            log(error)
            insights.note_failure(home, name, _apology(error))


def _apology(error: Exception) -> str:
    return (
        f"This part could not be computed ({type(error).__name__}). The log in the run's folder "
        "says where; the run itself is intact."
    )


def compare(folder: Path, reporter: Reporter) -> None:
    """Do the fits of a comparison that are missing; what a sweep has fitted is taken from it."""
    from cacviz.engine.running.studies import cell_of, run_study

    asked = studies.read_asked(folder)
    done = {cell_of(row) for row in studies.finished_rows(folder)}
    reporter.phase("reading the cohort")
    cohort = runs.cohort_of_run(asked)
    keep = _keeper(reporter, PHASE, cells_of(cohort), len(asked.plan.cells()), len(done))
    known = sweeps.known_fits(asked.fingerprint)
    for cell in asked.plan.cells():
        row = known.get(asked.plan.config(cell))
        if cell not in done and row is not None:
            keep({**row, **cell._asdict()})
            done.add(cell)
    hooks: dict[str, Any] = {"n_jobs": states.slots_of(folder)}
    hooks["scheduler"] = asked.scheduler or None
    run_study(cohort, asked.plan, done=done, on_row=keep, **hooks)
    studies.seal_rows(folder)


def sweep(folder: Path, reporter: Reporter) -> None:
    """Do the work of a sweep that is missing; a check of a run is kept with the run."""
    from cacviz.engine.running.sweeps.evidence import cell_of
    from cacviz.engine.running.sweeps.plans import FIT
    from cacviz.engine.running.sweeps.running import run_sweep
    from cacviz.engine.running.sweeps.stability import stability_of

    asked = sweeps.read_asked(folder)
    done = {cell_of(row) for row in sweeps.finished_rows(folder)}
    reporter.phase("reading the cohort")
    cohort = runs.cohort_of_run(asked)
    keep = _keeper(reporter, SWEEPING, cells_of(cohort), len(asked.plan.cells()), len(done))
    known = sweeps.known_fits(asked.fingerprint, without=folder)
    for cell in asked.plan.cells():
        row = known.get(asked.plan.config(cell)) if cell.kind == FIT else None
        if cell not in done and row is not None:
            keep({**row, **cell._asdict()})
            done.add(cell)
    hooks: dict[str, Any] = {"n_jobs": states.slots_of(folder)}
    hooks["scheduler"] = asked.scheduler or None
    run_sweep(cohort, asked.plan, done=done, on_row=keep, **hooks)
    if asked.run:
        rows = sweeps.finished_rows(folder)
        sweeps.save_stability(asked.run, stability_of(asked.plan, rows))
    sweeps.seal_rows(folder)


def _keeper(
    reporter: Reporter, phase: str, cells: int, total: int, count: int
) -> Callable[[dict[str, Any]], None]:
    """Keeps a row at once: a fit that has ended is never computed again."""
    reporter.phase(phase)

    def keep(row: dict[str, Any]) -> None:
        nonlocal count
        count += 1
        kind = row.get("kind", "fit")
        try:
            reporter.on_step({**row, "phase": phase, "step": count, "of": total})
        finally:
            reporter.flush_rows()
            timing.note_run(row["method"], cells, row["seconds"], kind=kind)

    return keep


def report(home: Path, reporter: Reporter) -> None:
    """Make the documents of a run that were asked for."""
    from cacviz.report.documents import make_documents
    from cacviz.report.material import gather

    asked = reports.read_asked(home)
    reporter.phase("reading the run")
    material = gather(home.parent, hide=asked.hide)
    total = len(asked.documents)

    def say(place: int, name: str) -> None:
        reporter.on_step({"phase": "writing", "step": place, "of": total, "document": name})

    files = make_documents(material, asked.documents, asked.sections, say)
    atomic.seal_folder(home / states.RESULT, files, {"documents": list(asked.documents)})
