"""What only Unix has: processes told apart, locks, limits."""

import os
import re
import resource
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cacviz.store import unix
from cacviz.store.unix import Mark, alive, mark_of, my_mark


def test_a_process_is_told_by_its_start_not_its_pid_alone():
    mine = my_mark()
    assert alive(mine)
    assert not alive(Mark(mine.pid, "0.otherboot"))
    assert not alive(None)


def test_a_zombie_is_not_alive():
    child = subprocess.Popen([sys.executable, "-c", ""])
    mark = mark_of(child.pid)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not alive(mark)
    child.wait()


def test_a_lock_is_held_by_one_thread_at_a_time(tmp_path):
    inside, most = [], []

    def hold(_):
        with unix.locked(tmp_path / "lock"):
            inside.append(1)
            most.append(len(inside))
            inside.pop()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hold, range(200)))
    assert set(most) == {1}


def test_the_lock_of_a_dead_process_is_free(tmp_path):
    code = (
        "import os, sys; from pathlib import Path; from cacviz.store import unix\n"
        "with unix.locked(Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "lock")]
    assert subprocess.run(command, check=False).returncode == -9
    with unix.locked(tmp_path / "lock"):
        assert (tmp_path / "lock").exists()


def test_a_worker_does_not_hold_the_port_of_an_app_that_has_ended(tmp_path):
    """The web server makes its socket inheritable: a restart found the port taken by a worker."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        listening.set_inheritable(True)
        port = listening.getsockname()[1]
        sleep = ("-n", "1", "-r", "1", "import time; time.sleep(60)")
        pid = unix.spawn("timeit", *sleep, log=tmp_path / "log", env=os.environ)
    try:
        with socket.socket() as again:
            again.bind(("127.0.0.1", port))
    finally:
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("error", [ValueError, OSError])
def test_where_the_system_refuses_to_limit_memory_there_is_no_limit(monkeypatch, error):
    def refuse(*_):
        raise error("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert unix.limit_memory(2**30) == 0


def test_where_the_system_refuses_to_limit_memory_the_other_limits_of_reading_hold(monkeypatch):
    held = []

    def set_limit(kind, limits):
        if kind == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")  # as macOS says
        held.append(kind)

    monkeypatch.setattr(resource, "setrlimit", set_limit)
    unix.limit_reading(2**30, 60)
    assert held == [resource.RLIMIT_CPU, resource.RLIMIT_CORE]


def test_no_other_file_of_store_and_jobs_imports_what_only_unix_has():
    package = Path(unix.__file__).parents[1]
    found = [*package.glob("store/*.py"), *package.glob("jobs/*.py")]
    asking = [p.name for p in found if re.search(r"^import (fcntl|resource)", p.read_text(), re.M)]
    assert asking == ["unix.py"]
