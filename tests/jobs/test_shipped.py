"""The demo's finished run that comes with the package: true, whole, and quick to open."""

import re
import zipfile

import numpy as np
import pytest

from cacviz.engine import fit_run, split_cohort
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.types import RunConfig
from cacviz.jobs import shipped
from cacviz.jobs.sweeping import sweep
from cacviz.store import insights, runs
from cacviz.store.cohorts import save_cohort


@pytest.fixture
def taken(data_folder):
    cohort_id = save_cohort(make_demo())
    return cohort_id, shipped.take_over(cohort_id)


def test_the_shipped_run_is_what_the_demo_gives_when_it_is_run(taken):
    _, run_id = taken
    stored, fresh = runs.load_run(run_id), fit_run(split_cohort(make_demo(), 0), RunConfig())
    assert np.array_equal(stored.clusters, fresh.clusters)
    assert stored.proba == pytest.approx(fresh.proba, abs=1e-6)
    assert stored.summary.notes == fresh.summary.notes
    assert stored.summary.verdict.conclusion == fresh.summary.verdict.conclusion


def test_the_shipped_run_is_finished_with_every_insight(taken):
    cohort_id, run_id = taken
    (row,) = runs.list_runs(cohort_id)
    assert (row.id, row.state) == (run_id, "done")
    assert set(insights.part_states(run_id).values()) == {"ready"}
    parts = {name: insights.load_part(run_id, name) for name in insights.INSIGHTS}
    assert len(parts["described"].names) == len(parts["students"].views[0].students) == 3
    assert parts["silhouettes"].mean > 0
    assert parts["map"].positions.shape[1] == 2
    _, model = runs.load_model(run_id)
    assert model.n_clusters == 3


def test_what_a_kill_left_among_the_insights_is_swept(taken):
    _, run_id = taken
    left = runs.run_folder(run_id) / insights.HOME / ".tmp-1-2.gone-abcd"
    left.mkdir()
    assert sweep() == 1
    assert not left.exists()
    assert set(insights.part_states(run_id).values()) == {"ready"}


def test_another_cohort_does_not_get_the_shipped_run(data_folder):
    assert shipped.take_over(save_cohort(make_demo(300))) is None


def test_without_a_shipped_run_there_is_none(data_folder, monkeypatch, tmp_path):
    cohort_id = save_cohort(make_demo())
    monkeypatch.setattr(shipped, "ARCHIVE", tmp_path / "missing.zip")
    assert shipped.take_over(cohort_id) is None
    (tmp_path / "torn.zip").write_bytes(shipped.ARCHIVE.name.encode())
    monkeypatch.setattr(shipped, "ARCHIVE", tmp_path / "torn.zip")
    assert shipped.take_over(cohort_id) is None


def test_the_shipped_run_names_no_place_of_the_machine_that_made_it():
    with zipfile.ZipFile(shipped.ARCHIVE) as archive:
        texts = [archive.read(n) for n in archive.namelist() if n.endswith((".json", ".jsonl"))]
    assert texts
    assert not any(re.search(rb'"/[a-z]+/', text) for text in texts)
