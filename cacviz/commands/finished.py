"""The argument that names a finished run, and the run that it names with its patients."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cacviz.commands.predict import RUN_HELP


def add_run(parser: argparse.ArgumentParser) -> None:
    """The run, and where the data folder is."""
    parser.add_argument("run_dir", metavar="RUN_DIR", help=RUN_HELP)
    parser.add_argument("--data-dir", type=Path)


def folder_of(args: argparse.Namespace) -> Path:
    """The run's folder; a run inside a data folder has that as its own."""
    from cacviz.store import applying, paths, runs

    if args.data_dir:
        paths.use_data_dir(args.data_dir)
    folder = runs.run_folder(applying.find_run(args.run_dir))
    if not args.data_dir and (folder.parents[1] / "cohorts").is_dir():
        paths.use_data_dir(folder.parents[1])
    return folder


def fitted_of(folder: Path) -> tuple[Any, Any]:
    """The run with its patients and its model: (cohort, fitted)."""
    from cacviz.engine.types import FittedRun
    from cacviz.store import atomic, runs

    run, model = runs.load_run(folder), runs.load_model(folder)
    try:
        cohort = runs.cohort_of_run(run.asked)
    except atomic.StoreError as error:
        raise atomic.StoreError(
            f"The patients of this run (cohort '{run.asked.cohort_name}') are not in the data "
            "folder. Name the one it was made with by --data-dir."
        ) from error
    arrays = (run.part, run.clusters, run.proba, run.map2d)
    return cohort, FittedRun(run.summary, *arrays, model.preparation, model.model)
