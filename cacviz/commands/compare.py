"""`cacviz compare`: every method on the same splits, a row a fit, going on where it was."""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
from pathlib import Path
from typing import Any

from cacviz.commands.arguments import file_to_write, whole
from cacviz.commands.cohorts import add_cohort, of_records, read
from cacviz.commands.ending import fail
from cacviz.engine.exceptions import ConfigError
from cacviz.engine.running.settings import EXPERT_NAMES
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
    parser.add_argument("--expert", choices=EXPERT_NAMES, help="risk model of CAC and k-means")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler to use")
    parser.add_argument("--jobs", type=whole(1), help="fits at once; one a core where left out")
    parser.add_argument(
        "--out",
        type=file_to_write,
        default=OUT,
        help="rows as they come; the same command goes on where it was",
    )


def run(args: argparse.Namespace) -> int:
    """Do what is still missing of the comparison; then means and the verdict."""
    from cacviz.jobs import queue
    from cacviz.store import cohorts, paths, studies

    plan = _plan(args)
    if args.data_dir:
        paths.use_data_dir(args.data_dir)
    if args.jobs:
        os.environ["CACVIZ_WORKERS"] = str(args.jobs)
    if args.scheduler:
        check_scheduler(args.scheduler)
    cohort = read(args)
    home = cohorts.home_of(cohort)
    _check_out(args.out, home, plan, cohort)
    study_id = queue.start_study(home, plan, cohort, scheduler=args.scheduler or "")
    known, total = -1, len(plan.cells())
    try:
        for _ in queue.follow_study(study_id):
            known = _keep(studies.study_rows(study_id), known, total, args.out)
    except KeyboardInterrupt:
        queue.stop_study(study_id)
        raise
    now, rows = queue.study_progress(study_id), studies.study_rows(study_id)
    _keep(rows, known, total, args.out)
    if now.state != "done":
        return fail(now.message or "The comparison was stopped.", code=2 if now.refused else 1)
    _print(rows, cohort, args.out)
    return 0


def _keep(rows: list[dict[str, Any]], known: int, total: int, out: Path) -> int:
    """Write the rows where there are new ones, and say how far it is."""
    from cacviz.store import atomic

    if len(rows) == known:
        return known
    with atomic.explained(f"'{out}'"):
        atomic.write_file(out, _as_csv(rows).encode())
    print(f"{len(rows)} of {total} fits done", file=sys.stderr, flush=True)
    return len(rows)


def _as_csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(sorted(rows, key=lambda r: (r["split"], r["method"], r["clusters"])))
    return text.getvalue()


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
        raise ConfigError(
            f"'{out}' is there already and is not from this cohort and these settings. Name "
            "another file with --out."
        )


def _plan(args: argparse.Namespace) -> StudyPlan:
    try:
        clusters = [int(part) for part in args.clusters.split(",") if part.strip()]
    except ValueError:
        raise ConfigError(f"--clusters is '{args.clusters}'; write numbers as 2,3,4.") from None
    methods = [part.strip() for part in args.methods.split(",") if part.strip()]
    series = of_records(args)
    return study_plan(methods, clusters, args.splits, series=series, expert=args.expert)


def check_scheduler(address: str) -> None:
    """Better now than after the cohort was read."""
    from cacviz.engine.running.many import connect

    connect(address).close()


def _print(rows: list[dict[str, Any]], cohort: Cohort, out: Path) -> None:
    from cacviz.engine.running.study_statistics import means, verdict
    from cacviz.wording.studies import entry_title, mean_text
    from cacviz.wording.verdicts import verdict_sentence

    figures = {metric: means(rows, metric) for metric in ("auprc_macro", "auc", "f1_macro")}
    for entry in figures["auprc_macro"]:
        found = [f"{metric} {mean_text(by[entry])}" for metric, by in figures.items()]
        print(f"{entry_title(entry)}: {', '.join(found)}")
    outcome = cohort.outcome.column if cohort.outcome else "the outcome"
    found_verdict = verdict(rows, len(cohort.classes))
    if found_verdict:
        print(verdict_sentence(found_verdict, outcome))
    print(f"Rows: {out}")
