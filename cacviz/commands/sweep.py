"""`cacviz sweep`: how many subtypes, which α and β; a row a fit, going on where it was."""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any

from cacviz.commands import many_fits
from cacviz.commands.arguments import numbers, whole
from cacviz.commands.cohorts import add_cohort, read, say_leaks
from cacviz.commands.ending import fail
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
    many_fits.add_fits(parser, OUT)
    parser.add_argument("--json", action="store_true", help="print the suggestion as JSON")


def run(args: argparse.Namespace) -> int:
    """Do what is still missing of the sweep; then the suggestion and why."""
    from cacviz.jobs import sweeps as jobs
    from cacviz.store import cohorts, sweeps

    plan = _plan(args)
    many_fits.use_places(args)
    cohort = read(args)
    say_leaks(cohort)
    _check_size(cohort, plan)
    home = cohorts.home_of(cohort)
    _check_out(args.out, home, plan, cohort)
    sweep_id = jobs.start_sweep(home, plan, cohort, scheduler=args.scheduler or "")
    rows = many_fits.RowFile(args.out, len(plan.cells()), partial(_as_csv, plan)).follow(
        jobs.follow(sweep_id), lambda: sweeps.sweep_rows(sweep_id), lambda: jobs.stop(sweep_id)
    )
    now = jobs.progress(sweep_id)
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


def _as_csv(plan: SweepPlan, rows: list[dict[str, Any]]) -> str:
    from cacviz.engine.running.sweeps.evidence import table_columns, table_rows

    return many_fits.csv_text(table_columns(plan), table_rows(plan, rows))


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
        raise many_fits.another_file(out)


def _plan(args: argparse.Namespace) -> SweepPlan:
    clusters = many_fits.cluster_numbers(args.clusters)
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
        parted = f"separation score {at.silhouette:.3f}, prediction strength {at.strength:.2f}, "
        print(
            f"k = {at.k}: AUPRC {at.auprc:.3f}, AUC {at.auc:.3f}, {parted if at.k > 1 else ''}"
            f"smallest {at.smallest}"
        )
    for sentence in (suggestion_sentence(answer), *why(answer)):
        print(sentence)
    print(f"Rows: {args.out}")
