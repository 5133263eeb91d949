"""A comparison as a job: it is stopped, goes on, is deleted, and fails in a sentence.

The fits are done here; `test_comparing_workers.py` has the same in processes of its own.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.exceptions import Stopped
from cacviz.engine.running.studies import COLUMNS, cell_of, study_plan
from cacviz.jobs import kinds, queue, worker
from cacviz.jobs.reporting import Reporter
from cacviz.store import atomic, paths, states, studies, timing
from cacviz.store.cohorts import save_cohort
from cacviz.store.history import HISTORY, append_rows, read_rows

PLAN = study_plan(["kmeans"], [2], 2)
CELLS = PLAN.cells()


@pytest.fixture
def cohort_id():
    return save_cohort(make_demo(300))


@pytest.fixture
def at_once(in_process, monkeypatch):
    """Each fit takes no time: a row of nothing but its cell."""

    def run_study(cohort, plan, *, done, on_row, **_):
        for cell in plan.cells():
            if cell not in done:
                on_row(dict.fromkeys(COLUMNS, 0.5) | cell._asdict())

    monkeypatch.setattr("cacviz.engine.running.studies.run_study", run_study)


def start(cohort_id, plan=PLAN):
    return studies.study_folder(queue.start_study(cohort_id, plan))


def made(cell, value=0.125):
    return {"phase": "comparing", "step": 1} | dict.fromkeys(COLUMNS, value) | cell._asdict()


def test_a_worker_does_only_the_fits_that_are_missing(in_process, cohort_id):
    folder = start(cohort_id)
    (folder / HISTORY).write_bytes(atomic.encode(made(CELLS[0])) + b"\n" + b'{"method": "torn')
    worker.work(folder)
    rows = studies.study_rows(folder.name)
    assert [cell_of(row) for row in rows] == CELLS
    assert rows[0]["auc"] == 0.125  # as it was found
    assert all(0 < row["auprc_macro"] <= 1 for row in rows)
    assert queue.study_progress(folder.name).state == "done"
    expected = timing.expected_seconds("kmeans", 10**4, deep=False, kind="fit")
    assert expected != timing.expected_seconds("another", 10**4, deep=False, kind="fit")


def test_a_study_that_fails_says_why(in_process, cohort_id):
    folder = start(cohort_id, study_plan(["kmeans"], [40], 1))
    worker.work(folder)
    now = queue.study_progress(folder.name)
    assert now.state == "failed"
    assert now.refused
    assert "too many" in now.message
    assert len(studies.study_rows(folder.name)) == 3  # the controls and k = 1 had ended


def test_a_stop_that_fells_the_fits_first_is_a_stop_and_no_failure(
    in_process, cohort_id, monkeypatch
):
    def fall(folder, reporter):
        (folder / states.STOP).touch()
        raise RuntimeError("a process of the fits was ended")

    monkeypatch.setattr(kinds, "compare", fall)
    folder = start(cohort_id)
    worker.work(folder)
    assert queue.study_progress(folder.name).state == "stopped"


def test_a_study_ended_by_the_machine_is_interrupted_and_goes_on(at_once, cohort_id, monkeypatch):
    real = Reporter.on_step

    def third(self, row):
        real(self, row)
        if row["step"] == 3:
            raise Stopped  # SIGTERM without a wish of the user

    folder = start(cohort_id)
    with monkeypatch.context() as patch:
        patch.setattr(Reporter, "on_step", third)
        worker.work(folder)
    assert len(studies.study_rows(folder.name)) == 3
    (folder / states.LOCK).unlink()  # the worker is gone: it was this process
    assert queue.study_progress(folder.name).state == "interrupted"
    assert "Interrupted at step 3 of 8" in queue.study_progress(folder.name).message
    queue.resume_study(folder.name)
    assert queue.study_progress(folder.name).state == "queued"
    worker.work(folder)
    assert queue.study_progress(folder.name).state == "done"
    lines = [row for row in read_rows(folder) if "method" in row]
    assert len(lines) == len(CELLS)  # none was computed twice


def test_a_queued_study_is_stopped_resumed_and_deleted_as_a_run_is(at_once, cohort_id):
    folder = start(cohort_id)
    assert queue.stop_study(folder.name) == "stopped"
    worker.work(folder)  # a worker that comes late
    assert studies.study_rows(folder.name) == []
    queue.resume_study(folder.name)
    assert queue.study_progress(folder.name).state == "queued"
    queue.delete_study(folder.name)
    assert studies.list_studies() == []
    assert not list(paths.studies_dir().iterdir())


def test_asking_again_resumes_what_was_stopped_and_leaves_what_is_done(at_once, cohort_id):
    folder = start(cohort_id)
    queue.stop_study(folder.name)
    assert start(cohort_id) == folder
    assert queue.study_progress(folder.name).state == "queued"
    worker.work(folder)
    sealed = (folder / states.RESULT / atomic.MANIFEST).read_bytes()
    assert start(cohort_id) == folder
    assert queue.study_progress(folder.name).state == "done"
    assert (folder / states.RESULT / atomic.MANIFEST).read_bytes() == sealed


def test_two_who_ask_for_the_same_at_once_get_one_study(no_spawn, cohort_id):
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: queue.start_study(cohort_id, PLAN), range(8)))
    assert [row.id for row in studies.list_studies()] == list(found)


def test_rows_that_the_disk_refused_for_a_moment_are_kept(no_spawn, cohort_id, monkeypatch):
    folder = start(cohort_id)
    real, tried = atomic.write, []

    def full_for_a_moment(descriptor, data):
        tried.append(data)
        if b"gbm" in data and len(tried) < 40:
            real(descriptor, data[:20])
            raise OSError(28, "No space left on device")
        real(descriptor, data)

    monkeypatch.setattr(atomic, "write", full_for_a_moment)
    with Reporter(folder) as reporter:
        for cell in CELLS:
            reporter.on_step({"phase": "comparing", "step": 1, **cell._asdict()})
            reporter._report()  # as from its thread
        while reporter._rows:
            reporter._report()
    assert [cell_of(row) for row in read_rows(folder)] == CELLS


def test_a_row_is_known_by_its_fit_and_not_by_its_place(at_once, cohort_id):
    folder, second = start(cohort_id), CELLS[1]  # the first one was lost: it counts from 1 again
    append_rows(folder, atomic.encode(made(second)) + b"\n")
    worker.work(folder)
    assert queue.study_progress(folder.name).state == "done"
    rows = {cell_of(row): row for row in studies.study_rows(folder.name)}
    assert list(rows) == CELLS
    assert rows[second]["auc"] == 0.125


def test_a_study_that_lacks_rows_is_not_sealed(at_once, cohort_id, monkeypatch):
    monkeypatch.setattr("cacviz.engine.running.studies.run_study", lambda *_, **__: None)
    folder = start(cohort_id)
    worker.work(folder)
    now = queue.study_progress(folder.name)
    assert (now.state, now.resumable) == ("failed", True)
    assert "8 of 8 fits could not be kept" in now.message


def test_a_comparison_uses_the_processes_that_the_queue_gave_it(in_process, cohort_id, monkeypatch):
    seen = []

    def run_study(cohort, plan, *, done, on_row, n_jobs, scheduler):
        seen.append((n_jobs, scheduler))

    monkeypatch.setattr("cacviz.engine.running.studies.run_study", run_study)
    folder = start(cohort_id)
    states.write_worker(folder, states.Mark(999_999_999, "1.another"), 3)
    states.write_status(folder, "running")
    with Reporter(folder) as reporter, pytest.raises(atomic.StoreError, match="could not be kept"):
        kinds.compare(folder, reporter)
    assert seen == [(3, None)]
