"""Work that a copy of this process does while it goes on; in place where there can be none.

A copy needs no library loaded and no patient sent to it, but is safe only where libraries run one
thread each: whoever starts the process says so (`copies`). The answer is the same to the bit.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from multiprocessing.connection import Connection
from typing import Any, TypeVar

T = TypeVar("T")
DIE_WITH_PARENT = 1  # prctl's PR_SET_PDEATHSIG
_copies: ContextVar[bool] = ContextVar("copies", default=False)


@contextmanager
def copies(*, allowed: bool) -> Iterator[None]:
    """Whether work may be done by copies of this process: on Linux, with a core to spare."""
    able = sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1
    token = _copies.set(allowed and able)
    try:
        yield
    finally:
        _copies.reset(token)


def aside(work: Callable[[], T]) -> Callable[[], T]:
    """Begin `work` in a copy of this process; what this gives waits for the answer.

    Where there is no copy, or it fails or is ended, the work is done in place when asked for.
    """
    if not _copies.get():
        return work
    here, there = multiprocessing.Pipe(duplex=False)
    copy = multiprocessing.get_context("fork").Process(
        target=_answer, args=(work, there), daemon=True
    )
    try:
        copy.start()
    except OSError:  # no memory or no process left
        return work
    there.close()

    def answer() -> T:
        with here, suppress(EOFError, OSError):
            done, found = here.recv()
            copy.join()
            if done:
                return found
        return work()  # and whatever was wrong is said by this process

    return answer


def shared(works: Sequence[Callable[[], T]]) -> list[T]:
    """The answers of all: one half by a copy, the other by this process."""
    half = len(works) // 2
    theirs = aside(lambda: [work() for work in works[:half]])
    ours = [work() for work in works[half:]]
    return theirs() + ours


def _answer(work: Callable[[], Any], there: Connection) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    _copies.set(False)  # a copy makes no copies
    try:
        said = True, work()
    except BaseException:
        said = False, None
    with suppress(OSError):  # nobody waits any more
        there.send(said)
