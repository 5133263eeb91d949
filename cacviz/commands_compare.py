"""`cacviz compare`: every method on the same splits, a row a fit, going on where it was."""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cacviz.arguments import file_to_write
from cacviz.engine.exceptions import ConfigError
from cacviz.engine.methods import EXPERT_NAMES
from cacviz.engine.studies import (
    COLUMNS,
    Cell,
    StudyPlan,
    cell_of,
    comparable_methods,
    run_study,
    study_plan,
)
from cacviz.engine.types import Cohort
from cacviz.runs import files
from cacviz.runs.paths import numba_dir, use_data_dir

OUT = Path("results.csv")
TEXT = ("method",)
WHOLE = ("clusters", "split")


def add_options(parser: argparse.ArgumentParser) -> None:
    """What is compared, on how many splits, where, and where the rows go."""
    known = ", ".join(comparable_methods())
    parser.add_argument("--methods", default="all", help=f"all, or some of {known}")
    parser.add_argument("--clusters", default="3", help="numbers of subtypes: 2,3,4")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument(
        "--expert", choices=EXPERT_NAMES, default="lr", help="risk model of CAC and k-means"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler to use")
    parser.add_argument("--jobs", type=int, help="fits at once; one a core where left out")
    parser.add_argument(
        "--out",
        type=file_to_write,
        default=OUT,
        help="rows as they come; the same command goes on from it",
    )


def compare(read: Callable[[argparse.Namespace], Cohort], args: argparse.Namespace) -> int:
    """Fit what the file does not have yet; then means and the verdict on standard output."""
    plan = _plan(args)
    if args.data_dir:
        use_data_dir(args.data_dir)
    if args.scheduler:
        _check_scheduler(args.scheduler)
    cohort = read(args)
    results = Results(args.out, cohort, plan)
    cells = plan.cells()
    done = results.cells() & set(cells)
    _say(f"{len(done)} of {len(cells)} fits done")

    def keep(row: dict[str, Any]) -> None:
        results.add(row)
        done.add(cell_of(row))
        _say(
            f"{len(done)} of {len(cells)}: {row['method']}, k = {row['clusters']}, split "
            f"{row['split']}, auprc_macro {row['auprc_macro']:.3f}, {row['seconds']:.0f} s"
        )

    run_study(
        cohort, plan, done=done.copy(), on_row=keep, n_jobs=_jobs(args), scheduler=args.scheduler
    )
    found = {cell_of(row): row for row in results.rows}
    _print([found[cell] for cell in cells], cohort, args.out)
    return 0


class Results:
    """The rows of a study in a CSV file, whole after each fit; a note beside it says whose."""

    def __init__(self, path: Path, cohort: Cohort, plan: StudyPlan) -> None:
        self.path, self.about = path, path.with_name(path.name + ".study.json")
        self.origin = {
            "cohort": cohort.name,
            "fingerprint": cohort.fingerprint,
            "expert": plan.expert,
            "scaling": plan.scaling,
        }
        self.rows: list[dict[str, Any]] = []
        if path.exists():
            self._continue()

    def cells(self) -> set[Cell]:
        return {cell_of(row) for row in self.rows}

    def add(self, row: dict[str, Any]) -> None:
        self.rows.append({name: row[name] for name in COLUMNS})
        order = sorted(self.rows, key=lambda r: (r["split"], r["method"], r["clusters"]))
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(order)
        with files.plainly(f"'{self.path}'"):
            if not self.about.exists():
                files.write_json(self.about, self.origin)
            files.write_file(self.path, text.getvalue().encode())

    def _continue(self) -> None:
        try:
            origin = json.loads(self.about.read_bytes())
            with self.path.open(newline="", encoding="utf-8") as file:
                self.rows = [_typed(row) for row in csv.DictReader(file)]
        except (OSError, ValueError, KeyError, TypeError):
            origin = None
        if origin != self.origin:
            raise ConfigError(
                f"'{self.path}' is there already and is not from this cohort and these settings. "
                "Name another file with --out."
            )


def _typed(row: dict[str, str]) -> dict[str, Any]:
    numbers = {name: float(row[name]) for name in COLUMNS if name not in (*TEXT, *WHOLE)}
    return {"method": row["method"]} | {name: int(row[name]) for name in WHOLE} | numbers


def _plan(args: argparse.Namespace) -> StudyPlan:
    try:
        clusters = [int(part) for part in args.clusters.split(",") if part.strip()]
    except ValueError:
        raise ConfigError(f"--clusters is '{args.clusters}'; write numbers as 2,3,4.") from None
    methods = [part.strip() for part in args.methods.split(",") if part.strip()]
    return study_plan(methods, clusters, args.splits, expert=args.expert)


def _check_scheduler(address: str) -> None:
    """Better now than after the cohort was read."""
    from cacviz.engine.studies import connect

    connect(address).close()


def _jobs(args: argparse.Namespace) -> int:
    from cacviz.runs.studies import default_jobs

    if args.jobs is not None and args.jobs < 1:
        raise ConfigError(f"--jobs is {args.jobs}; it must be 1 or more.")
    # compiled kernels are kept where workers keep them, since installs are often read-only
    os.environ.setdefault("NUMBA_CACHE_DIR", str(numba_dir()))
    return args.jobs or default_jobs()


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def _print(rows: list[dict[str, Any]], cohort: Cohort, out: Path) -> None:
    from cacviz.engine.study_statistics import entry_title, mean_text, means, verdict

    figures = {metric: means(rows, metric) for metric in ("auprc_macro", "auc", "f1_macro")}
    for entry in figures["auprc_macro"]:
        found = [f"{metric} {mean_text(by[entry])}" for metric, by in figures.items()]
        print(f"{entry_title(entry)}: {', '.join(found)}")
    outcome = cohort.outcome.column if cohort.outcome else "the outcome"
    print(verdict(rows, outcome))
    print(f"Rows: {out}")
