"""What a worker runs with: threads, memory, library versions; recorded with every run."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

import cacviz
from cacviz.store import kernels, paths, unix

LIBRARIES = (
    "numpy",
    "scipy",
    "pandas",
    "scikit-learn",
    "numba",
    "torch",
    "umap-learn",
    "xgboost-cpu",
)
THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)
NICE = 5
SHARE = 0.8  # of the machine's memory, for all workers together
CGROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def worker_limit() -> int:
    """Processes that may work at once, of all kinds of jobs together: CACVIZ_WORKERS, or a core
    each; they are nice, so that pages stay quick.
    """
    return _from_env("CACVIZ_WORKERS") or unix.cores()


def default_threads() -> int:
    """Threads of a new run: CACVIZ_THREADS, else its share of the cores."""
    return _from_env("CACVIZ_THREADS") or max(1, min(4, unix.cores() // worker_limit()))


def worker_env(threads: int) -> dict[str, str]:
    """The environment of a worker: the data folder, and that of the libraries."""
    return library_env(threads) | {paths.DATA_DIR: str(paths.data_dir())}


def library_env(threads: int) -> dict[str, str]:
    """The app's environment, with threads pinned before any library loads."""
    home = str(Path(cacviz.__file__).parent.parent)
    search = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        **dict.fromkeys(THREADS, str(threads)),
        "PYTHONPATH": os.pathsep.join(search),
        "PYTHONHASHSEED": "0",
        "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR") or str(kernels.kernels_dir()),
    }


def is_pinned(threads: int) -> bool:
    wanted = worker_env(threads)
    return all(os.environ.get(name) == wanted[name] for name in (*THREADS, "PYTHONHASHSEED"))


def limit_this_process() -> int:
    """Be a good neighbour, and bound this process's memory; the bytes that it may use."""
    unix.be_a_good_neighbour(NICE)
    return unix.limit_memory(int(SHARE * machine_memory() / worker_limit()))


def machine_memory() -> int:
    """Bytes of memory of the machine, or of the container it is in."""
    sizes = [psutil.virtual_memory().total]
    for place in CGROUPS:
        with suppress(OSError, ValueError):
            sizes.append(int(Path(place).read_text()))
    return min(sizes)


def describe(threads: int) -> Mapping[str, Any]:
    """What must be the same for a run to come out the same, bit for bit."""
    return {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "threads": threads,
        "cacviz": version("cacviz"),
        "libraries": {name: _version(name) for name in LIBRARIES},
    }


def _version(name: str) -> str | None:
    with suppress(ImportError):  # PackageNotFoundError is one
        return version(name)
    return None


def _from_env(name: str) -> int | None:
    value = os.environ.get(name, "")
    return max(1, int(value)) if value.isdigit() else None
