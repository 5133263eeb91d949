"""Where cohorts and runs are kept: one data folder, private to its owner."""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

import platformdirs

import cacviz
from cacviz.runs.files import StoreError

DATA_DIR = "CACVIZ_DATA_DIR"
KERNELS_KEPT = 30 * 24 * 3600  # seconds


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


def tables_dir() -> Path:
    return private(data_dir() / "tables")


def numba_dir() -> Path:
    """Compiled kernels: kept between workers, since installs are often read-only.

    A folder for each state of the code: numba cannot read what it kept of types that have moved.
    """
    folder = private(private(data_dir() / "numba") / _kernels_digest())
    with suppress(OSError):
        os.utime(folder)  # in use, so that it does not grow old
    return folder


def old_kernels() -> list[Path]:
    """Folders of kernels that nobody has asked for in a month."""
    home, since = private(data_dir() / "numba"), time.time() - KERNELS_KEPT
    found = [f for f in home.iterdir() if not f.name.startswith(".")]
    return [f for f in found if f.name != _kernels_digest() and f.stat().st_mtime < since]


@cache
def _kernels_digest() -> str:
    engine = Path(cacviz.__file__).parent / "engine"
    found = hashlib.sha256(version("numba").encode())
    for name in ("_hartigan.py", "class_sums.py"):
        found.update((engine / name).read_bytes())
    return found.hexdigest()[:12]


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
