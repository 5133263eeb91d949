"""Where compiled kernels are kept: apart from the data, for they are run as code."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

import platformdirs

import cacviz

CACHE_DIR = "CACVIZ_CACHE_DIR"
KEPT = 30 * 24 * 3600  # seconds


def kernels_dir() -> Path:
    """A folder of the user's own for each state of the code, kept between workers.

    Numba cannot read what it kept of types that have moved, and it runs whatever lies there: a
    folder that others may write to is not used, kernels are compiled anew instead.
    """
    folder = _home() / _digest()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        safe = all(map(_is_ours, (folder, folder.parent)))
    except OSError:
        safe = False
    if not safe:
        return Path(_passing())
    with suppress(OSError):
        os.utime(folder)  # in use, so that it does not grow old
    return folder


def old_kernels() -> list[Path]:
    """Folders of kernels that nobody has asked for in a month."""
    home, since = _home(), time.time() - KEPT
    found = [f for f in home.iterdir() if f.is_dir()] if home.is_dir() else []
    return [f for f in found if f.name != _digest() and f.stat().st_mtime < since]


def _home() -> Path:
    chosen = os.environ.get(CACHE_DIR)
    place = chosen or platformdirs.user_cache_dir("cacviz", appauthor=False)
    return Path(place).expanduser().absolute() / "kernels"


def _is_ours(folder: Path) -> bool:
    """Whether nobody else can write there."""
    told = folder.lstat()
    mine = not hasattr(os, "getuid") or told.st_uid == os.getuid()
    return mine and not folder.is_symlink() and not told.st_mode & 0o022


@cache
def _passing() -> str:
    return tempfile.mkdtemp(prefix="cacviz-kernels-")


@cache
def _digest() -> str:
    engine = Path(cacviz.__file__).parent / "engine"
    found = hashlib.sha256(version("numba").encode())
    for name in ("cac/kernel.py", "cac/class_sums.py"):
        found.update((engine / name).read_bytes())
    return found.hexdigest()[:12]
