"""`cacviz export`: a run as one file that opens in another installation."""

from __future__ import annotations

import argparse

from cacviz.commands.arguments import file_to_write
from cacviz.commands.runs import add_run, named_run

HELP = "pack a run into a zip file for another installation"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The run, the file, and whether patients go along."""
    add_run(parser)
    parser.add_argument("--out", type=file_to_write, required=True, help="the zip file to write")
    parser.add_argument(
        "--with-patients", action="store_true", help="pack the table of patients too"
    )


def run(args: argparse.Namespace) -> int:
    """Write the zip, and say what is in it."""
    from cacviz.store import atomic
    from cacviz.store.bundles.packing import pack_run
    from cacviz.wording.bundles import packed_sentence

    data = pack_run(named_run(args), with_patients=args.with_patients)
    with atomic.explained(f"'{args.out}'"):
        atomic.write_file(args.out.absolute(), data)
    print(f"{args.out}: {packed_sentence(len(data), args.with_patients)}")
    return 0
