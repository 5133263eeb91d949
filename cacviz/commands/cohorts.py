"""The arguments that name a cohort, and the cohort that they name: a table, or hourly records."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from cacviz.commands.arguments import numbers, whole, words
from cacviz.engine.exceptions import ConfigError
from cacviz.engine.preparation.stays import Grid
from cacviz.engine.types import Cohort, Layout, Table, Window

FORMS = ("long", "wide", "p2012", "p2019")
UNITS = ("seconds", "minutes", "hours", "days")
HOURS = 24


def add_cohort(parser: argparse.ArgumentParser) -> None:
    """The file, its outcome, and what is left out."""
    parser.add_argument(
        "cohort",
        help="a CSV, TSV, XLSX or Parquet file, gzipped or not; of hourly records also a folder or "
        "zip of PhysioNet 2012 (.txt) or 2019 (.psv) files",
    )
    parser.add_argument("--outcome", required=True, help="the column to predict")
    cuts = parser.add_mutually_exclusive_group()
    cuts.add_argument("--cut", type=numbers, default=(), help="cut a number at points: 7,13")
    cuts.add_argument("--quantiles", type=whole(0), default=0, help="cut a number into equal parts")
    parser.add_argument("--id", help="the patient id; patients are never split")
    parser.add_argument("--drop", type=words, default=[], help="columns to leave out: A,B")
    parser.add_argument(
        "--missing", type=words, default=[], help="codes for missing values: -1,AGE=999"
    )
    parser.add_argument(
        "--choices", type=Path, help="roles, labels and cuts that the page Cohort saved"
    )
    parser.add_argument(
        "--treatment", help="the treatment each patient had; it does not shape the subtypes"
    )
    add_records(parser)
    parser.add_argument("--data-dir", type=Path)


def add_records(parser: argparse.ArgumentParser) -> None:
    """Where a file of hourly records has what; any of these says that it is one."""
    records = parser.add_argument_group("hourly records")
    records.add_argument("--time", metavar="COL", help="when it was measured")
    records.add_argument("--variable", metavar="COL", help="of a long table: what was measured")
    records.add_argument("--value", metavar="COL", help="of a long table: what was found")
    records.add_argument("--window", type=whole(1), metavar="HOURS", help="the first hours; 24")
    records.add_argument("--static", metavar="TABLE", help="a row a patient, joined by id")
    records.add_argument("--format", choices=FORMS, help="told from the file where it is left out")
    records.add_argument("--time-unit", choices=UNITS, help="of a time in plain numbers")


def _as_decided(args: argparse.Namespace, table: Table) -> Cohort:
    """The cohort by choices of a file; what the command line says beside it is said last."""
    from cacviz.engine.cohorts.choosing import first_choices, with_outcome, with_roles
    from cacviz.engine.cohorts.making import cohort_of
    from cacviz.engine.types import Outcome
    from cacviz.store.choices_files import decided

    choices = decided(first_choices(table.columns), args.choices.read_bytes())
    given: dict[str, Any] = dict.fromkeys(args.drop, "left out") | (
        {args.id: "patient id"} if args.id else {}
    )
    given |= {args.treatment: "treatment"} if args.treatment else {}
    choices = with_roles(choices, given) if given else choices
    known = choices.outcome is not None and choices.outcome.column == args.outcome
    if not known or args.cut or args.quantiles:
        chosen = Outcome(args.outcome, tuple(args.cut), args.quantiles)
        choices = with_outcome(choices, chosen)
    return cohort_of(Path(args.cohort).name, table, choices)


def read(args: argparse.Namespace) -> Cohort:
    """The cohort that a command line names."""
    from cacviz.engine.cohorts.making import decided_cohort

    table = read_table(args)
    say_flow(table)
    if args.choices:
        return _as_decided(args, table)
    return decided_cohort(
        Path(args.cohort).name,
        table,
        args.outcome,
        cuts=args.cut,
        quantiles=args.quantiles,
        id=None if table.series is not None else args.id,
        drop=args.drop,
        roles={args.treatment: "treatment"} if args.treatment else None,
    )


def read_table(args: argparse.Namespace, grid: Grid | None = None) -> Table:
    """The table of a command line, made from records where it names some.

    `grid` is of a run that was made from records: the hours and the variables that it knows.
    """
    from cacviz.engine.reading.tables import read_table
    from cacviz.engine.series.tables import read_series

    path = Path(args.cohort)
    if not of_records(args):
        return read_table(path, path.name, missing=args.missing)
    if bool(args.variable) != bool(args.value):
        raise ConfigError("A long table has both: name --variable and --value, or neither.")
    how: dict[str, Any] = {"static": args.static, "missing": args.missing}
    if grid is not None:
        how["variables"] = grid.variables
    return read_series(path, window=_window(args, grid), layout=layout_of(args), **how)


def _window(args: argparse.Namespace, grid: Grid | None) -> Window:
    """As asked; else the window of the run, or a day."""
    if grid is not None and args.window not in (None, grid.n_hours):
        raise ConfigError(
            f"The run was made from the first {grid.n_hours} hours of each stay: leave --window "
            f"out, or write --window {grid.n_hours}."
        )
    return Window(args.window or (grid.n_hours if grid is not None else HOURS))


def say_flow(table: Table) -> None:
    """Who was left out of the records' patients, and what was noticed, on standard error."""
    from cacviz.wording.series import flow_sentences, record_sentence

    if table.flow is not None:
        for said in (*flow_sentences(table.flow), *map(record_sentence, table.flow.notes)):
            print(said, file=sys.stderr)


def say_leaks(cohort: Cohort) -> None:
    """Features that may tell the outcome, on standard error, before any figure that they flatter.

    A run says it with its result; what has many fits says it first.
    """
    from cacviz.engine.cohorts.checks import leak_notes
    from cacviz.wording.notes import sentence

    for note in leak_notes(cohort):
        print(f"Note: {sentence(note)}", file=sys.stderr)


def of_records(args: argparse.Namespace) -> bool:
    """Whether the command line speaks of hourly records."""
    from cacviz.engine.series.challenges.archives import is_archive

    named = (args.time, args.variable, args.window, args.static, args.format, args.time_unit)
    return any((*named, args.value)) or is_archive(Path(args.cohort))


def layout_of(args: argparse.Namespace) -> Layout:
    """What the command line says of the file; the rest is found out."""
    return Layout(
        id=args.id or "",
        time=args.time or "",
        variable=args.variable or "",
        value=args.value or "",
        form=args.format or "",
        unit=args.time_unit or "",
    )
