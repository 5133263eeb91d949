"""What a worker runs with: threads, memory, library versions; recorded with every run."""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

import cacviz
from cacviz.runs import paths

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
CGROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def worker_limit() -> int:
    """How many workers may run at once: CACVIZ_WORKERS, else one, two from four cores on."""
    return _from_env("CACVIZ_WORKERS") or (2 if cores() >= 4 else 1)


def default_threads() -> int:
    """Threads of a new run: CACVIZ_THREADS, else so many that half the cores stay free."""
    return _from_env("CACVIZ_THREADS") or max(1, min(4, cores() // (2 * worker_limit())))


def worker_env(threads: int) -> dict[str, str]:
    """The environment of a worker: the app's, with threads pinned before any library loads."""
    home = str(Path(cacviz.__file__).parent.parent)
    search = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        **dict.fromkeys(THREADS, str(threads)),
        "PYTHONPATH": os.pathsep.join(search),
        "PYTHONHASHSEED": "0",
        "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR") or str(paths.numba_dir()),
        paths.DATA_DIR: str(paths.data_dir()),
    }


def is_pinned(threads: int) -> bool:
    wanted = worker_env(threads)
    return all(os.environ.get(name) == wanted[name] for name in (*THREADS, "PYTHONHASHSEED"))


def limit_this_process() -> int:
    """Be a good neighbour: private files, no core dumps, low priority, bounded memory (given)."""
    os.umask(0o077)
    _give_way()
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return _limit_memory()


def _limit_memory() -> int:
    """The bytes that this process may use, or 0 where the system refuses a limit, as macOS does."""
    room = int(0.8 * machine_memory() / worker_limit())
    # RLIMIT_DATA and not RLIMIT_AS: torch and numba reserve addresses that they never fill
    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    room = room if most == resource.RLIM_INFINITY else min(room, most)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (room, most))
        return room
    return 0


def _give_way() -> None:
    """Low priority, so that pages stay quick while runs are going."""
    os.nice(max(0, NICE - os.nice(0)))  # a worker that another one started is nice already
    if os.getsid(0) == os.getpid():
        # where Linux shares the processor by session, niceness counts within a session alone
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(NICE))


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


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
