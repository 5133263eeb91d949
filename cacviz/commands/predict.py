"""`cacviz predict`: subtype, margin and risks of new patients by a finished run."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cacviz.commands.arguments import file_to_write, words
from cacviz.commands.cohorts import add_records, read_table, say_flow
from cacviz.engine.types import Choices

HELP = "subtype and risks of new patients by a finished run"
NEW_HELP = (
    "a CSV, TSV, XLSX or Parquet file; of hourly records also a folder or zip of PhysioNet files"
)
RUN_HELP = "a folder that `cacviz fit --out` wrote, or the id of a run"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The run, the new patients, and where their predictions go."""
    parser.add_argument("run_dir", metavar="RUN_DIR", help=RUN_HELP)
    parser.add_argument("cohort", metavar="NEW", help=NEW_HELP)
    parser.add_argument("--out", type=file_to_write, help="a CSV file; else it is printed")
    parser.add_argument("--missing", type=words, default=[], help="codes for missing values: -1")
    parser.add_argument(
        "--allow-missing",
        action="store_true",
        help="go on where columns are not in the file, as if nobody had been measured",
    )
    parser.add_argument(
        "--warnings", action="store_true", help="add a column with what to know of each patient"
    )
    parser.add_argument(
        "--as-given",
        action="store_true",
        help="the run's own risks, though it was chosen to recalibrate them",
    )
    parser.add_argument("--id", help="of hourly records: whose they are")
    add_records(parser)
    parser.add_argument("--data-dir", type=Path)


def run(args: argparse.Namespace) -> int:
    """A row a patient in the file's order; what to know of the file goes to standard error."""
    from cacviz.engine.running.applying.predicting import apply_run
    from cacviz.store import applying, atomic, paths
    from cacviz.store.risk_choices import remedy_of
    from cacviz.wording.applied import RECALIBRATED, sentence

    if args.data_dir:
        paths.use_data_dir(args.data_dir)
    found = applying.find_run(args.run_dir)
    instrument = applying.load_instrument(found)
    remedy = None if args.as_given else remedy_of(found)
    args.missing = [*taken_as_missing(instrument.choices), *args.missing]
    table, name = read_table(args, instrument.preparation.grid_), f"'{Path(args.cohort).name}'"
    say_flow(table)
    how = {"gaps_allowed": args.allow_missing, "name": name, "remedy": remedy}
    applied = apply_run(instrument, table.frame, table.series, **how)
    text = as_csv(applied, warnings=args.warnings)
    if args.out:
        with atomic.explained(f"'{args.out}'"):
            atomic.write_file(args.out, text.encode())
    else:
        print(text, end="")
    if remedy is not None:
        print(f"Note: {RECALIBRATED}", file=sys.stderr)
    for note in applied.notes:
        print(f"Note: {sentence(note)}", file=sys.stderr)
    print(f"{applied.n_patients:,} patients predicted.", file=sys.stderr)
    return 0


def taken_as_missing(choices: Choices) -> list[str]:
    """The codes that a run took as missing: they are missing in other files too."""
    return [f"{c.name}={code}" for c in choices.columns for code in c.missing]


def as_csv(applied: Any, *, warnings: bool = False) -> str:
    """The contract's table: id or row number, subtype from 1, margin, risk of each class."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows(_rows(applied, warnings))
    return text.getvalue()


def _rows(applied: Any, warnings: bool) -> Iterator[list[Any]]:
    from cacviz.wording.applied import row_warnings
    from cacviz.wording.cells import harmless

    n = applied.n_patients
    ids = list(range(1, n + 1)) if applied.ids is None else applied.ids.tolist()
    first = "row" if applied.ids is None else harmless(applied.ids.name)
    risks = [harmless(f"risk_{c}") for c in applied.classes]
    yield [first, "subtype", "margin", *risks, *(["warnings"] if warnings else [])]
    said = row_warnings(applied) if warnings else []
    clusters, margin = applied.routed.clusters.tolist(), applied.routed.margin.tolist()
    for i, risk in enumerate(applied.proba.tolist()):
        known = "" if ids[i] != ids[i] else harmless(ids[i])
        yield [known, clusters[i] + 1, margin[i], *risk, *([said[i]] if warnings else [])]
