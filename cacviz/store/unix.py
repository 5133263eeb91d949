"""All that only Unix has: processes told apart for certain, locks, signals, limits.

A pid alone is reused; a pid with its start time is not.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import psutil

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Mark(NamedTuple):
    """One process of one boot of the machine."""

    pid: int
    start: str


def mark_of(pid: int) -> Mark:
    """The process that has this pid now; raises psutil.NoSuchProcess where there is none."""
    if not BOOT_ID.exists():
        return Mark(pid, f"{psutil.Process(pid).create_time():.2f}")
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        raise psutil.NoSuchProcess(pid) from None
    # ticks since boot and the boot's own name: unlike create_time, no clock change moves them
    return Mark(pid, f"{fields[19]}.{_boot()}")


def my_mark() -> Mark:
    return mark_of(os.getpid())


def alive(mark: Mark | None) -> bool:
    """Whether just this process still runs; a zombie does not."""
    if mark is None or mark.pid <= 0:
        return False
    try:
        if mark_of(mark.pid) != mark:
            return False
        if psutil.Process(mark.pid).status() != psutil.STATUS_ZOMBIE:
            return True
    except psutil.Error:
        return False
    _reaped(mark.pid)
    return False


def spawn(
    module: str, *arguments: str, log: Path, env: Mapping[str, str], reads: int | None = None
) -> int:
    """Start `python -m module` in a session of its own and give its pid.

    It outlives this process, writes to `log` and holds none of our files but the one it `reads`.
    """
    command = [sys.executable, "-P", "-m", module, *arguments]
    out = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    nothing = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
    actions: list[Any] = [
        nothing if reads is None else (os.POSIX_SPAWN_DUP2, reads, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(log), out, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
        *((os.POSIX_SPAWN_CLOSE, fd) for fd in _inheritable()),
    ]
    pid = os.posix_spawn(command[0], command, dict(env), file_actions=actions, setsid=True)
    threading.Thread(target=_wait_for, args=(pid,), daemon=True).start()
    return pid


def _inheritable() -> list[int]:
    """What a child would take over, such as the port that the app listens on."""
    found = []
    for fd in [int(path.name) for path in Path("/dev/fd").iterdir()]:
        with suppress(OSError):  # closed meanwhile, as the one that listed them is
            if fd > 2 and os.get_inheritable(fd):
                found.append(fd)
    return found


def _wait_for(pid: int) -> None:
    """Stand by until a child of ours ends, so that it leaves no zombie."""
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def end(mark: Mark, *, grace: float) -> None:
    """Ask the process's group to stop, and after `grace` seconds end it; nobody ends itself."""
    if not alive(mark) or mark == my_mark():
        return
    _signal(mark.pid, signal.SIGTERM)
    if not _within(grace, lambda: not alive(mark)):
        _signal(mark.pid, signal.SIGKILL)
        _within(5.0, lambda: not alive(mark))
    _within(1.0, lambda: _reaped(mark.pid))
    with suppress(OSError):
        os.killpg(mark.pid, signal.SIGKILL)  # helpers that the leader had started


def _signal(pid: int, number: int) -> None:
    """To the group the process leads, or to it alone where it leads none."""
    try:
        os.killpg(pid, number)
    except OSError:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _reaped(pid: int) -> bool:
    """Let the kernel forget a dead child of ours; whether there is none left to forget."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def _within(seconds: float, true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process (and one thread) at a time; the kernel lets go if the holder dies."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def limit_memory(room: int) -> int:
    """Bound what this process may fill, for good; the bytes, or 0 where the system refuses.

    RLIMIT_DATA and not RLIMIT_AS: torch and numba reserve addresses that they never fill.
    """
    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    room = room if most == resource.RLIM_INFINITY else min(room, most)
    with suppress(ValueError, OSError):  # macOS refuses to limit memory
        resource.setrlimit(resource.RLIMIT_DATA, (room, most))
        return room
    return 0


def limit_reading(memory: int, seconds: int) -> None:
    """Bound a process that parses what nobody has checked: addresses, time, no core dump."""
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_CORE: 0,  # a core dump would hold patients
    }
    for kind, most in limits.items():
        with suppress(ValueError, OSError):  # macOS refuses the first; the others hold
            resource.setrlimit(kind, (most, most))


def no_core_dump() -> None:
    """Should this process or one that it starts crash, leave no file with what it held."""
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def be_a_good_neighbour(niceness: int) -> None:
    """Private files, no core dumps, low priority, so that pages stay quick while jobs run."""
    os.umask(0o077)
    no_core_dump()
    os.nice(max(0, niceness - os.nice(0)))  # a worker that another one started is nice already
    if os.getsid(0) == os.getpid():
        # where Linux shares the processor by session, niceness counts within a session alone
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(niceness))


def account_uid(name: str) -> int | None:
    """The number of an account of this computer; None where there is none of that name."""
    try:
        return pwd.getpwnam(name).pw_uid if name else None
    except KeyError:
        return None


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _boot() -> str:
    return BOOT_ID.read_text().strip().replace("-", "")[:12]
