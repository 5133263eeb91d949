"""Kernels are compiled once, ahead of the first run, by a process that is nobody's child."""

import os
import subprocess
import sys

import psutil
import pytest

from cacviz.jobs import compiling


@pytest.fixture
def place(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def kernels(place):
    return sorted(path.name for path in place.rglob("*.nb?"))


@pytest.mark.heavy
def test_after_it_a_run_and_its_map_compile_nothing(place, wait_for):
    assert compiling.begin()
    assert not [c for c in psutil.Process().children() if "compiling" in " ".join(c.cmdline())]
    wait_for((place / compiling.DONE).exists)
    there = kernels(place)
    assert there
    again = "from cacviz.jobs.compiling import compile_all; compile_all()"
    subprocess.run([sys.executable, "-c", again], check=True, env=os.environ)
    assert kernels(place) == there
    assert not compiling.begin()


def test_where_all_is_compiled_nothing_starts(place, monkeypatch):
    place.mkdir()
    (place / compiling.DONE).touch()
    monkeypatch.setattr(compiling.unix, "spawn", lambda *_, **__: pytest.fail("a process began"))
    assert not compiling.begin()
