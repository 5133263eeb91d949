"""`cacviz compare`: every method on the same splits, a row a fit, going on where it was."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cacviz.commands import many_fits
from cacviz.commands.cohorts import add_cohort, of_records, read, say_leaks
from cacviz.commands.ending import fail
from cacviz.engine.running.studies import COLUMNS, StudyPlan, comparable_methods, study_plan
from cacviz.engine.types import Cohort

HELP = "every method on the same splits of a cohort"
OUT = Path("results.csv")


def add_options(parser: argparse.ArgumentParser) -> None:
    """What is compared, on how many splits, where, and where the rows go."""
    add_cohort(parser)
    known = ", ".join(comparable_methods(series=True))
    parser.add_argument("--methods", default="all", help=f"all, or some of {known}")
    parser.add_argument("--clusters", default="3", help="numbers of subtypes: 2,3,4")
    parser.add_argument("--splits", type=int, default=5)
    many_fits.add_fits(parser, OUT)


def run(args: argparse.Namespace) -> int:
    """Do what is still missing of the comparison; then means and the verdict."""
    from cacviz.jobs import queue
    from cacviz.store import cohorts, studies

    plan = _plan(args)
    many_fits.use_places(args)
    cohort = read(args)
    say_leaks(cohort)
    home = cohorts.home_of(cohort)
    _check_out(args.out, home, plan, cohort)
    study_id = queue.start_study(home, plan, cohort, scheduler=args.scheduler or "")
    rows = many_fits.RowFile(args.out, len(plan.cells()), _as_csv).follow(
        queue.follow_study(study_id),
        lambda: studies.study_rows(study_id),
        lambda: queue.stop_study(study_id),
    )
    now = queue.study_progress(study_id)
    if now.state != "done":
        return fail(now.message or "The comparison was stopped.", code=2 if now.refused else 1)
    _print(rows, cohort, args.out)
    return 0


def _as_csv(rows: list[dict[str, Any]]) -> str:
    ordered = sorted(rows, key=lambda r: (r["split"], r["method"], r["clusters"]))
    return many_fits.csv_text(COLUMNS, ordered)


def _check_out(out: Path, home: str, plan: StudyPlan, cohort: Cohort) -> None:
    """Nothing is written over but the rows that this very comparison has found so far."""
    from cacviz.store import studies

    if not out.exists():
        return
    known = _as_csv([]).splitlines()
    for study in studies.list_studies(home):
        if study.asked.plan == plan and study.asked.fingerprint == cohort.fingerprint:
            known += _as_csv(studies.study_rows(study.id)).splitlines()
    if not set(out.read_text("utf-8", errors="replace").splitlines()) <= set(known):
        raise many_fits.another_file(out)


def _plan(args: argparse.Namespace) -> StudyPlan:
    clusters = many_fits.cluster_numbers(args.clusters)
    methods = [part.strip() for part in args.methods.split(",") if part.strip()]
    series = of_records(args)
    return study_plan(methods, clusters, args.splits, series=series, expert=args.expert)


def _print(rows: list[dict[str, Any]], cohort: Cohort, out: Path) -> None:
    from cacviz.engine.running.study_statistics import means, verdicts
    from cacviz.wording.studies import entry_title, mean_text
    from cacviz.wording.verdicts import comparison_parts

    figures = {metric: means(rows, metric) for metric in ("auprc_macro", "auc", "f1_macro")}
    for entry in figures["auprc_macro"]:
        found = [f"{metric} {mean_text(by[entry])}" for metric, by in figures.items()]
        print(f"{entry_title(entry)}: {', '.join(found)}")
    outcome = cohort.outcome.column if cohort.outcome else "the outcome"
    if said := verdicts(rows, len(cohort.classes)):
        print(" ".join(comparison_parts(said, outcome)))
    print(f"Rows: {out}")
