"""Where cohorts and runs are kept: one data folder, private to its owner.

On a ward's server every person has a folder, and whatever is read or written asks here whose: by
`within`, or by whoever knows whose page is being made (`ask_for_folder`). Nobody's is nobody's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

import platformdirs

from cacviz.store.atomic import StoreError

DATA_DIR = "CACVIZ_DATA_DIR"
SERVER = "CACVIZ_SERVER"  # set where a ward's server and its workers run
NOBODY = "Nobody is known here, so there is nothing to show. Open the page again."
Found = TypeVar("Found")
_within: ContextVar[Path | None] = ContextVar("the data folder", default=None)
_finders: list[Callable[[], Path | None]] = []


def data_dir() -> Path:
    """The data folder: of the person whose page or job this is on a server; else CACVIZ_DATA_DIR
    (set by --data-dir) or the platform's place for it.
    """
    found = _within.get() or next(filter(None, (find() for find in _finders)), None)
    if found is not None:
        return private(found)
    chosen = os.environ.get(DATA_DIR)
    if not chosen and os.environ.get(SERVER):
        raise StoreError(NOBODY)
    place = chosen or platformdirs.user_data_dir("cacviz", appauthor=False)
    return private(Path(place).expanduser().absolute())


@contextmanager
def within(folder: Path) -> Iterator[None]:
    """Make `folder` the data folder for a while, for this thread alone."""
    before = _within.set(folder)
    try:
        yield
    finally:
        _within.reset(before)


def kept_here(make: Callable[[], Found]) -> Callable[[], Found]:
    """The same function for another thread: it will look into the data folder of now."""
    folder = data_dir()

    def there() -> Found:
        with within(folder):
            return make()

    return there


def ask_for_folder(find: Callable[[], Path | None]) -> None:
    """Let `find` say whose page is being made; None where it cannot tell."""
    _finders[:] = [find]


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
