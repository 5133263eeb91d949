"""`cacviz report`: a run as one file to read, print or send: HTML, Word or PDF."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from cacviz.commands.arguments import file_to_write, words
from cacviz.commands.runs import add_run, named_run
from cacviz.engine.exceptions import ConfigError

HELP = "write the report of a run as HTML, Word or PDF"
PATIENCE = 900.0  # seconds for insights that are still being made
FORMATS = ("html", "docx", "pdf")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The run, the file, and what goes into it."""
    add_run(parser)
    parser.add_argument("--out", type=file_to_write, default=Path("report.html"))
    parser.add_argument("--sections", type=words, default=[], help="only these, in this order: A,B")
    parser.add_argument(
        "--small-counts",
        action="store_true",
        help="show counts below 5, which are hidden otherwise",
    )


def run(args: argparse.Namespace) -> int:
    """Write the report; insights that are missing are made first, where the patients are here."""
    form = args.out.suffix.lstrip(".").lower()
    if form not in FORMATS:
        raise ConfigError(f"'{args.out}' ends in none of .html, .docx and .pdf. Name such a file.")
    found = named_run(args)
    from cacviz.report.making import make_report
    from cacviz.report.registry import SECTIONS
    from cacviz.store import atomic
    from cacviz.wording.bundles import size_words

    strange = [name for name in args.sections if name not in SECTIONS]
    if strange:
        raise ConfigError(f"There is no section '{strange[0]}'. There are: {', '.join(SECTIONS)}.")
    wait_for_insights(found)
    data = make_report(found, form, sections=args.sections, hide=not args.small_counts)
    with atomic.explained(f"'{args.out}'"):
        atomic.write_file(args.out.absolute(), data)
    print(f"{args.out}: {size_words(len(data))}")
    return 0


def wait_for_insights(found: str | Path) -> None:
    """Let the worker finish what is known of a run of the store; a folder has what it has."""
    from cacviz.jobs import queue
    from cacviz.store import insights, runs

    if isinstance(found, Path) or not runs.read_asked(runs.run_folder(found)).cohort_id:
        return
    if "missing" in insights.part_states(found).values():
        queue.complete(found)
    until, said = time.monotonic() + PATIENCE, ""
    while time.monotonic() < until:
        coming = [name for name, s in insights.part_states(found).items() if s == "coming"]
        if not coming:
            return
        if said != (said := ", ".join(coming)):
            print(f"still to come: {said}", file=sys.stderr, flush=True)
        time.sleep(0.3)
        queue.tend()
