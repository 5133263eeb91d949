"""A worker that is begun before its job is there: it loads its libraries while a file is read.

It hears of its job through its standard input; where none comes, that ends and so does it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from cacviz.jobs.environment import default_threads, worker_env
from cacviz.store.unix import spawn

LATER = "-"  # in place of a job's folder


class Early(NamedTuple):
    """A worker that waits: its pid, the threads it has, and where it hears of its job."""

    pid: int
    threads: int
    ear: int


_waiting: list[Early] = []


@contextmanager
def expected(module: str) -> Iterator[None]:
    """Have a worker of this module wait for a job; whoever still waits at the end may go."""
    _begin(module)
    try:
        yield
    finally:
        while _waiting:
            os.close(_waiting.pop().ear)


def _begin(module: str) -> None:
    threads = default_threads()
    hears, ear = os.pipe()
    with suppress(OSError):  # then the job starts one
        log = Path(os.devnull)
        pid = spawn(module, LATER, log=log, env=worker_env(threads), reads=hears)
        _waiting.append(Early(pid, threads, ear))
    os.close(hears)


def take(folder: Path, threads: int) -> int | None:
    """The pid of a worker that waited and has this job now, if there is one."""
    while _waiting:
        early = _waiting.pop()
        with suppress(OSError), os.fdopen(early.ear, "wb") as ear:  # it may have ended meanwhile
            if early.threads == threads:
                ear.write(os.fsencode(folder) + b"\n")
                ear.flush()
                return early.pid
    return None


def awaited(log: str) -> str | None:
    """In the worker: its job's folder once that is known; from then on it writes to the log."""
    import cacviz.engine.running.fitting  # noqa: F401  what every fit needs

    folder = os.fsdecode(sys.stdin.buffer.readline().rstrip(b"\n"))
    if not folder:
        return None
    for place, flags in ((os.devnull, os.O_RDONLY), (f"{folder}/{log}", _APPEND)):
        opened = os.open(place, flags, 0o600)
        for own in (0,) if flags == os.O_RDONLY else (1, 2):
            os.dup2(opened, own)
        os.close(opened)
    return folder


_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND
