"""The argument that names a run: the folder that `fit --out` wrote, or an id of the store."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_run(parser: argparse.ArgumentParser) -> None:
    """The run, and where the store is."""
    parser.add_argument("run_dir", help="the folder that `fit --out` wrote, or the id of a run")
    parser.add_argument("--data-dir", type=Path)


def named_run(args: argparse.Namespace) -> str | Path:
    """The run of the store where it is there, with all that was learned of it; else the folder."""
    from cacviz.store import paths, runs
    from cacviz.store.applying import find_run

    if args.data_dir:
        paths.use_data_dir(args.data_dir)
    found = find_run(args.run_dir)
    if isinstance(found, str):
        return found
    asked = runs.read_asked(found)
    same = (r.id for r in runs.list_runs(asked.cohort_id) if r.asked == asked and r.state == "done")
    return next(same, found)
