"""`cacviz sweep`: how many subtypes, which α and β; a row a fit, going on where it was."""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

from cacviz.commands.arguments import file_to_write, numbers, whole
from cacviz.commands.cohorts import add_cohort, read
from cacviz.commands.compare import check_scheduler
from cacviz.commands.ending import fail
from cacviz.engine.exceptions import ConfigError
from cacviz.engine.running.settings import EXPERT_NAMES
from cacviz.engine.running.studies import comparable_methods
from cacviz.engine.running.sweeps.plans import SweepPlan, sweep_plan
from cacviz.engine.types import Cohort

HELP = "how many subtypes, which α and β: fits over all of them"
OUT = Path("sweep.csv")


def add_options(parser: argparse.ArgumentParser) -> None:
    """What is swept over, how often, where, and where the rows go."""
    add_cohort(parser)
    known = ", ".join(comparable_methods())
    parser.add_argument("--method", default="deepcac", help=f"one of {known}")
    parser.add_argument("--clusters", default="1,2,3,4", help="numbers of subtypes: 1,2,3,4")
    parser.add_argument("--alphas", type=numbers, default=(), help="0,1,5,20; else the method's")
    parser.add_argument("--betas", type=numbers, default=(), help="0,5,20; else the method's")
    parser.add_argument("--seeds", type=whole(1), default=3)
    parser.add_argument("--resamples", type=whole(0), default=0, help="for the Jaccard of subtypes")
    parser.add_argument("--expert", choices=EXPERT_NAMES, help="risk model of CAC and k-means")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler to use")
    parser.add_argument("--jobs", type=whole(1), help="fits at once; one a core where left out")
    parser.add_argument(
        "--out",
        type=file_to_write,
        default=OUT,
        help="rows as they come; the same command goes on where it was",
    )
    parser.add_argument("--json", action="store_true", help="print the suggestion as JSON")


def run(args: argparse.Namespace) -> int:
    """Do what is still missing of the sweep; then the suggestion and why."""
    from cacviz.jobs import sweeps as jobs
    from cacviz.store import cohorts, paths, sweeps

    plan = _plan(args)
    if args.data_dir:
        paths.use_data_dir(args.data_dir)
    if args.jobs:
        os.environ["CACVIZ_WORKERS"] = str(args.jobs)
    if args.scheduler:
        check_scheduler(args.scheduler)
    cohort = read(args)
    _check_size(cohort, plan)
    home = cohorts.home_of(cohort)
    _check_out(args.out, home, plan, cohort)
    sweep_id = jobs.start_sweep(home, plan, cohort, scheduler=args.scheduler or "")
    known, total = -1, len(plan.cells())
    try:
        for _ in jobs.follow(sweep_id):
            known = _keep(plan, sweeps.sweep_rows(sweep_id), known, total, args.out)
    except KeyboardInterrupt:
        jobs.stop(sweep_id)
        raise
    now, rows = jobs.progress(sweep_id), sweeps.sweep_rows(sweep_id)
    _keep(plan, rows, known, total, args.out)
    if now.state != "done":
        return fail(now.message or "The sweep was stopped.", code=2 if now.refused else 1)
    _print(plan, rows, args)
    return 0


def _check_size(cohort: Cohort, plan: SweepPlan) -> None:
    """Better now than by a sweep that has failed: as many patients as the largest k needs."""
    from dataclasses import replace

    from cacviz.engine.preparation.splits import check, split_cohort

    cell = plan.cells()[0]
    config = replace(plan.config(cell), n_clusters=max(plan.clusters))
    check(split_cohort(cohort, plan.first_seed), config)


def _keep(plan: SweepPlan, rows: list[dict[str, Any]], known: int, total: int, out: Path) -> int:
    """Write the rows where there are new ones, and say how far it is."""
    from cacviz.store import atomic

    if len(rows) == known:
        return known
    with atomic.explained(f"'{out}'"):
        atomic.write_file(out, _as_csv(plan, rows).encode())
    print(f"{len(rows)} of {total} fits done", file=sys.stderr, flush=True)
    return len(rows)


def _as_csv(plan: SweepPlan, rows: list[dict[str, Any]]) -> str:
    from cacviz.engine.running.sweeps.evidence import table_columns, table_rows

    text = io.StringIO()
    writer = csv.DictWriter(text, table_columns(plan), lineterminator="\n")
    writer.writeheader()
    writer.writerows(table_rows(plan, rows))
    return text.getvalue()


def _check_out(out: Path, home: str, plan: SweepPlan, cohort: Cohort) -> None:
    """Nothing is written over but a file that begins as those of this very sweep do."""
    from cacviz.store import sweeps

    if not out.exists():
        return
    same = [
        s
        for s in sweeps.list_sweeps(home, run="")
        if s.asked.plan == plan and s.asked.fingerprint == cohort.fingerprint
    ]
    header = _as_csv(plan, []).strip()
    if not same or out.read_text("utf-8", errors="replace").partition("\n")[0] != header:
        raise ConfigError(
            f"'{out}' is there already and is not from this cohort and these settings. Name "
            "another file with --out."
        )


def _plan(args: argparse.Namespace) -> SweepPlan:
    try:
        clusters = [int(part) for part in args.clusters.split(",") if part.strip()]
    except ValueError:
        raise ConfigError(f"--clusters is '{args.clusters}'; write numbers as 1,2,3.") from None
    more = {"seeds": args.seeds, "resamples": args.resamples}
    settings = {"expert": args.expert} if args.expert else {}
    return sweep_plan(args.method, clusters, args.alphas, args.betas, **more, **settings)


def _print(plan: SweepPlan, rows: list[dict[str, Any]], args: argparse.Namespace) -> None:
    from cacviz.engine.running.sweeps.evidence import evidence
    from cacviz.engine.running.sweeps.suggesting import suggest
    from cacviz.wording.sweeps import suggestion_sentence, why

    found = evidence(plan, rows)
    answer = suggest(found)
    if args.json:
        said = {"suggested": answer.k, "why": [suggestion_sentence(answer), *why(answer)]}
        print(json.dumps(said | {"method": plan.method, "rows": str(args.out)}))
        return
    for at in found:
        print(
            f"k = {at.k}: AUPRC {at.auprc:.3f}, AUC {at.auc:.3f}, separation score "
            f"{at.silhouette:.3f}, prediction strength {at.strength:.2f}, smallest {at.smallest}"
        )
    for sentence in (suggestion_sentence(answer), *why(answer)):
        print(sentence)
    print(f"Rows: {args.out}")
