"""A study in its folder: it runs in a process of its own, is stopped, and goes on."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from cacviz import runs
from cacviz.engine.demo import make_demo
from cacviz.engine.studies import cell_of, study_plan
from cacviz.runs import files, paths, states, studies
from cacviz.runs.reports import HISTORY, Reporter, read_rows

PLAN = study_plan(["kmeans"], [2], 2)


@pytest.fixture
def cohort_id(tmp_path):
    runs.use_data_dir(tmp_path)
    return runs.save_cohort(make_demo(300))


def wait(study_id, seconds=120):
    deadline = time.monotonic() + seconds
    for _ in studies.follow_study(study_id):
        assert time.monotonic() < deadline
    return studies.study_progress(study_id)


def test_a_study_runs_in_its_worker_and_keeps_a_row_a_fit(cohort_id):
    study_id = studies.start_study(cohort_id, PLAN, n_jobs=1)
    assert wait(study_id).state == "done"
    rows = studies.study_rows(study_id)
    assert [cell_of(row) for row in rows] == PLAN.cells()
    (listed,) = studies.list_studies(cohort_id)
    assert listed.asked.plan == PLAN
    assert studies.start_study(cohort_id, PLAN) == study_id  # nothing to do: not done again
    assert studies.study_progress(study_id).state == "done"
    runs.delete_cohort(cohort_id)
    assert studies.list_studies() == []


def test_a_stopped_study_goes_on_with_what_is_missing(cohort_id):
    study_id = studies.start_study(cohort_id, PLAN, n_jobs=1)
    while not studies.study_rows(study_id):
        assert not studies.study_progress(study_id).over
        time.sleep(0.02)
    studies.stop_study(study_id)
    assert studies.study_progress(study_id).state in ("stopped", "done")
    before = studies.study_rows(study_id)
    assert before
    studies.resume_study(study_id)
    assert wait(study_id).state == "done"
    after = studies.study_rows(study_id)
    assert [cell_of(row) for row in after] == PLAN.cells()
    kept = {cell_of(row): row for row in after}
    assert all(kept[cell_of(row)] == row for row in before)  # seconds too: not computed again


def test_a_worker_in_process_does_only_the_fits_that_are_missing(cohort_id, monkeypatch):
    monkeypatch.setattr(studies, "_start", lambda folder: None)
    monkeypatch.setattr(studies.environment, "limit_this_process", lambda: 0)
    study_id = studies.start_study(cohort_id, PLAN, n_jobs=1)
    folder = studies.study_folder(study_id)
    first, *_ = PLAN.cells()
    made = {"phase": "comparing", "step": 1, "of": 8} | first._asdict()
    made |= dict.fromkeys(studies.COLUMNS[3:], 0.125)
    (folder / HISTORY).write_bytes(files.encode(made) + b"\n" + b'{"method": "torn')
    studies.work(folder)
    rows = studies.study_rows(study_id)
    assert len(rows) == len(PLAN.cells())
    assert rows[0]["auc"] == 0.125  # as it was found
    sealed = json.loads(files.read_sealed(folder / states.RESULT, studies.ROWS))
    assert sealed == rows


def test_a_study_that_fails_says_why(cohort_id, monkeypatch):
    monkeypatch.setattr(studies, "_start", lambda folder: None)
    monkeypatch.setattr(studies.environment, "limit_this_process", lambda: 0)
    study_id = studies.start_study(cohort_id, study_plan(["kmeans"], [40], 1), n_jobs=1)
    studies.work(studies.study_folder(study_id))
    now = studies.study_progress(study_id)
    assert now.state == "failed"
    assert "too many" in now.message
    assert len(studies.study_rows(study_id)) == 3  # the controls and k = 1 had ended


def test_a_stop_that_fells_the_fits_first_is_a_stop_and_no_failure(cohort_id, monkeypatch):
    def fall(folder, reporter):
        (folder / states.STOP).touch()
        raise RuntimeError("a process of the fits was ended")

    monkeypatch.setattr(studies, "_start", lambda folder: None)
    monkeypatch.setattr(studies.environment, "limit_this_process", lambda: 0)
    monkeypatch.setattr(studies, "_compare", fall)
    study_id = studies.start_study(cohort_id, PLAN, n_jobs=1)
    studies.work(studies.study_folder(study_id))
    assert studies.study_progress(study_id).state == "stopped"


@pytest.mark.parametrize("name", ["nonsense", "../../etc/passwd", "0" * 26])
def test_a_name_that_is_no_study_is_refused(tmp_path, name):
    runs.use_data_dir(tmp_path)
    with pytest.raises(files.StoreError):
        studies.study_folder(name)


@pytest.mark.parametrize("said", [None, b"[]", b"{}", b"{", b'{"plan": 3}', b'{"plan": {}}'])
def test_studies_of_strangers_are_passed_over(tmp_path, said):
    runs.use_data_dir(tmp_path)
    junk = paths.studies_dir() / ("0" * 26)
    junk.mkdir()
    if said is not None:
        (junk / studies.STUDY).write_bytes(said)
    assert studies.list_studies() == []


@pytest.fixture
def in_process(monkeypatch):
    """`studies.work` does the fits here, each at once: a row of nothing but its cell."""
    monkeypatch.setattr(studies, "_start", lambda folder: None)
    monkeypatch.setattr(studies.environment, "limit_this_process", lambda: 0)

    def run_study(cohort, plan, *, done, on_row, n_jobs):
        for cell in plan.cells():
            if cell not in done:
                on_row(dict.fromkeys(studies.COLUMNS, 0.5) | cell._asdict())

    monkeypatch.setattr("cacviz.engine.studies.run_study", run_study)


def test_two_who_ask_for_the_same_at_once_get_one_study(cohort_id, in_process):
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: studies.start_study(cohort_id, PLAN), range(8)))
    assert [row.id for row in studies.list_studies()] == list(found)


def test_a_study_half_made_or_half_deleted_is_not_listed(cohort_id, in_process):
    folder = studies.study_folder(studies.start_study(cohort_id, PLAN))
    folder.rename(folder.with_name(".tmp-1-2.gone-abcd"))
    assert studies.list_studies() == []


def test_rows_that_the_disk_refused_for_a_moment_are_kept(cohort_id, in_process, monkeypatch):
    folder = studies.study_folder(studies.start_study(cohort_id, PLAN))
    real, made = files.write, []

    def full_for_a_moment(descriptor, data):
        made.append(data)
        if b"gbm" in data and len(made) < 40:
            real(descriptor, data[:20])
            raise OSError(28, "No space left on device")
        real(descriptor, data)

    monkeypatch.setattr(files, "write", full_for_a_moment)
    with Reporter(folder) as reporter:
        for cell in PLAN.cells():
            reporter.on_step({"phase": "comparing", "step": 1, **cell._asdict()})
            reporter._report()  # as from its thread
        while reporter._rows:
            reporter._report()
    found = [cell_of(row) for row in read_rows(folder)]
    assert found == PLAN.cells()


def test_a_row_is_known_by_its_fit_and_not_by_its_place(cohort_id, in_process):
    study_id = studies.start_study(cohort_id, PLAN)
    folder = studies.study_folder(study_id)
    second = PLAN.cells()[1]  # the first one was lost: counting begins at 1 again
    made = {"phase": "comparing", "step": 2} | dict.fromkeys(studies.COLUMNS, 0.125)
    (folder / HISTORY).write_bytes(files.encode(made | second._asdict()) + b"\n")
    studies.work(folder)
    assert studies.study_progress(study_id).state == "done"
    rows = {cell_of(row): row for row in studies.study_rows(study_id)}
    assert list(rows) == PLAN.cells()
    assert rows[second]["auc"] == 0.125


def test_a_study_that_lacks_rows_is_not_sealed(cohort_id, in_process, monkeypatch):
    monkeypatch.setattr(
        "cacviz.engine.studies.run_study", lambda cohort, plan, *, done, on_row, n_jobs: None
    )
    study_id = studies.start_study(cohort_id, PLAN)
    studies.work(studies.study_folder(study_id))
    now = studies.study_progress(study_id)
    assert (now.state, now.resumable) == ("failed", True)
    assert "8 of 8 fits could not be kept" in now.message
