"""`cacviz import`: take in a run that was exported elsewhere, after checking all of it."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "take in a run that was exported elsewhere"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The file, and where the store is."""
    parser.add_argument("file", type=Path, help="a zip file that `cacviz export` wrote")
    parser.add_argument("--data-dir", type=Path)


def run(args: argparse.Namespace) -> int:
    """Check the file, keep the run, and print its id."""
    from cacviz.store import atomic, paths
    from cacviz.store.bundles.opening import take_in
    from cacviz.wording.bundles import imported_sentence

    if args.data_dir:
        paths.use_data_dir(args.data_dir)
    with atomic.explained(f"'{args.file}'"):
        args.file.stat()
    taken = take_in(args.file)
    print(imported_sentence(taken.run_id, taken.n_patients, bool(taken.cohort_id)))
    return 0
