"""The data folder: one place, private to its owner, and a sentence where it cannot be used."""

import os
import stat
from pathlib import Path

import pytest

from cacviz.jobs import queue
from cacviz.jobs.sweeping import sweep
from cacviz.store import atomic, cohorts, ids, paths, runs, studies

LOOKS = [sweep, queue.tend, runs.list_runs, cohorts.list_cohorts, studies.list_studies]


def test_the_data_folder_can_be_chosen_and_is_private(tmp_path, monkeypatch):
    monkeypatch.setenv(paths.DATA_DIR, "elsewhere")
    chosen = paths.use_data_dir(tmp_path / "mine")
    assert chosen == paths.data_dir() == tmp_path / "mine"
    assert os.environ[paths.DATA_DIR] == str(chosen)
    for folder in (chosen, paths.runs_dir(), paths.cohorts_dir(), paths.tables_dir()):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("look", [paths.data_dir, *LOOKS])
def test_a_data_folder_that_cannot_be_made_is_a_sentence(look, tmp_path, monkeypatch):
    (tmp_path / "notes.txt").write_text("")
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path / "notes.txt" / "data"))
    with pytest.raises(atomic.StoreError, match=r"cannot be used .* or name another"):
        look()


@pytest.mark.parametrize("look", LOOKS)
def test_a_data_folder_that_cannot_be_read_is_a_sentence(look, monkeypatch, ward_id):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "iterdir", refuse)
        with pytest.raises(atomic.StoreError, match=r"cannot be read or written .Permission deni"):
            look()


def test_sweep_reaches_every_folder_of_the_store(ward_id, config, data_folder):
    run = runs.run_folder(runs.create_run(ward_id, config))
    study = paths.studies_dir() / ids.new_id()
    homes = [data_folder, run, run / "insights", study, study / "result"]
    for home in homes:
        home.mkdir(parents=True, exist_ok=True)
        (home / ".tmp-1-2.gone-abcd").mkdir()
    assert sweep() == len(homes)
    assert not list(data_folder.rglob(".tmp-*"))
