"""What a worker runs with: threads, memory, priority, kernels."""

import os
import subprocess
import sys

import pytest

from cacviz.jobs import environment
from cacviz.store import unix


def test_a_worker_is_bounded_in_threads_memory_and_priority():
    code = (
        "import os, resource; from cacviz.jobs import environment as e; "
        "e.limit_this_process(); room = e.limit_this_process(); "
        "print(resource.getrlimit(resource.RLIMIT_DATA)[0] == room > 0, os.nice(0),"
        " resource.getrlimit(resource.RLIMIT_CORE)[0], e.is_pinned(3), e.is_pinned(2))"
    )
    command, env = [sys.executable, "-c", code], environment.worker_env(3)
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    assert out.stdout.split() == ["True", str(environment.NICE), "0", "True", "False"]


@pytest.mark.parametrize("error", [ValueError, OSError])
def test_where_the_system_refuses_to_limit_memory_a_worker_goes_on_without(monkeypatch, error):
    def refuse(*_):
        raise error("current limit exceeds maximum limit")

    monkeypatch.setattr(unix.resource, "setrlimit", refuse)
    monkeypatch.setattr(unix.os, "nice", lambda by: 0)
    monkeypatch.setattr(unix.os, "getsid", lambda pid: 0)
    mask = os.umask(0o077)
    assert environment.limit_this_process() == 0
    os.umask(mask)


def test_what_a_run_was_made_with_is_told():
    said = environment.describe(2)
    assert said["threads"] == 2
    assert said["python"] == ".".join(map(str, sys.version_info[:3]))
    assert set(said["libraries"]) == set(environment.LIBRARIES)
    assert all(said["libraries"].values())


def test_a_container_that_has_less_memory_than_the_machine_counts(monkeypatch, tmp_path):
    (tmp_path / "max").write_text("1048576\n")
    (tmp_path / "unlimited").write_text("max\n")
    places = (str(tmp_path / "unlimited"), str(tmp_path / "absent"), str(tmp_path / "max"))
    monkeypatch.setattr(environment, "CGROUPS", places)
    assert environment.machine_memory() == 2**20


@pytest.mark.parametrize(
    ("threads", "workers", "wanted"), [("3", "1", 3), ("", "2", 4), ("", "8", 1)]
)
def test_threads_are_the_users_or_a_workers_share_of_the_cores(
    monkeypatch, threads, workers, wanted
):
    monkeypatch.setattr(unix, "cores", lambda: 8)
    monkeypatch.setenv("CACVIZ_THREADS", threads)
    monkeypatch.setenv("CACVIZ_WORKERS", workers)
    assert environment.default_threads() == wanted
