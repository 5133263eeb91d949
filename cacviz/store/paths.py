"""Where cohorts and runs are kept: one data folder, private to its owner."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from cacviz.store.atomic import StoreError

DATA_DIR = "CACVIZ_DATA_DIR"


def data_dir() -> Path:
    """The data folder: CACVIZ_DATA_DIR (set by --data-dir), else the platform's place for it."""
    chosen = os.environ.get(DATA_DIR)
    place = chosen or platformdirs.user_data_dir("cacviz", appauthor=False)
    return private(Path(place).expanduser().absolute())


def use_data_dir(folder: str | Path) -> Path:
    """Make `folder` the data folder of this process and of the workers it starts."""
    os.environ[DATA_DIR] = str(Path(folder).expanduser().absolute())
    return data_dir()


def lock_file() -> Path:
    """Held by whoever changes what is queued, which cohorts exist, or who works on a run."""
    return data_dir() / "lock"


def runs_dir() -> Path:
    return private(data_dir() / "runs")


def cohorts_dir() -> Path:
    return private(data_dir() / "cohorts")


def studies_dir() -> Path:
    return private(data_dir() / "studies")


def sweeps_dir() -> Path:
    return private(data_dir() / "sweeps")


def tables_dir() -> Path:
    return private(data_dir() / "tables")


def private(folder: Path) -> Path:
    """The folder, made for its owner alone; one that was there keeps its rights."""
    try:
        if not folder.is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"The folder '{folder}' cannot be used ({error.strerror}). Check its rights and the "
            f"disk, or name another data folder with --data-dir or {DATA_DIR}."
        ) from error
    return folder
