"""Windows share one copy of what they show, and the last one lets it go."""

import gc

import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.store import paths
from cacviz.ui.shell import shared


@pytest.fixture(autouse=True)
def data_dir(tmp_path, monkeypatch):
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path))


def read(reads):
    reads.append(1)
    return make_demo(60)


def test_two_windows_have_the_same_copy():
    reads = []
    first = shared.shared(("cohort", "a", 1), lambda: read(reads))
    second = shared.shared(("cohort", "a", 1), lambda: read(reads))
    assert first is second
    assert len(reads) == 1


def test_another_state_is_another_copy():
    reads = []
    first = shared.shared(("cohort", "b", 1), lambda: read(reads))
    assert shared.shared(("cohort", "b", 2), lambda: read(reads)) is not first


def test_another_data_folder_shares_nothing(tmp_path, monkeypatch):
    reads = []
    first = shared.shared(("cohort", "c", 1), lambda: read(reads))
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path / "other"))
    assert shared.shared(("cohort", "c", 1), lambda: read(reads)) is not first


def test_what_nobody_shows_any_more_is_gone():
    reads = []
    held = shared.shared(("cohort", "d", 1), lambda: read(reads))
    del held
    gc.collect()
    shared.shared(("cohort", "d", 1), lambda: read(reads))
    assert len(reads) == 2
