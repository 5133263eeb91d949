"""Compiled kernels are kept apart from the data, where nobody else can put anything."""

import os
import time

import pytest

from cacviz.jobs.environment import worker_env
from cacviz.jobs.sweeping import sweep
from cacviz.store import kernels


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(kernels.CACHE_DIR, str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    return tmp_path / "cache" / "kernels"


def test_workers_keep_kernels_outside_the_data_folder(cache_folder, data_folder):
    kept = worker_env(1)["NUMBA_CACHE_DIR"]
    assert kept == str(kernels.kernels_dir())
    assert kernels.kernels_dir().parent == cache_folder
    assert not kept.startswith(str(data_folder))
    assert kernels.kernels_dir().stat().st_mode & 0o777 == 0o700


def test_what_lies_among_the_data_is_taken_away_and_never_run(cache_folder, data_folder):
    planted = data_folder / "numba" / kernels.kernels_dir().name / "kernel.sweep-1.py311.1.nbc"
    planted.parent.mkdir(parents=True)
    planted.write_bytes(b"code of somebody else")
    assert str(data_folder) not in worker_env(1)["NUMBA_CACHE_DIR"]
    sweep()
    assert not (data_folder / "numba").exists()


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
def test_a_folder_that_others_may_write_to_is_not_used(cache_folder, mode):
    kernels.kernels_dir().chmod(mode)
    assert cache_folder not in kernels.kernels_dir().parents
    assert kernels.kernels_dir().stat().st_mode & 0o777 == 0o700


def test_a_folder_that_leads_elsewhere_is_not_used(cache_folder, tmp_path):
    name = kernels.kernels_dir()
    name.rmdir()
    (tmp_path / "theirs").mkdir()
    name.symlink_to(tmp_path / "theirs")
    assert cache_folder not in kernels.kernels_dir().parents


def test_each_state_of_the_code_has_a_folder_of_its_own(cache_folder, monkeypatch):
    before = kernels.kernels_dir()
    monkeypatch.setattr(kernels, "version", lambda name: "another numba")
    kernels._digest.cache_clear()
    try:
        assert kernels.kernels_dir() != before
    finally:
        monkeypatch.undo()
        kernels._digest.cache_clear()


def test_kernels_that_nobody_asked_for_in_a_month_are_swept(cache_folder, data_folder):
    current = kernels.kernels_dir()
    old, young = cache_folder / "old", cache_folder / "young"
    for folder, age in ((old, kernels.KEPT + 9), (young, kernels.KEPT - 9), (current, 0)):
        folder.mkdir(exist_ok=True)
        os.utime(folder, (time.time() - age,) * 2)
    sweep()
    assert set(cache_folder.iterdir()) == {young, current}
