"""The state of a job is read from its folder, and is never a phantom."""

import time

import pytest

from cacviz.store import atomic, states
from cacviz.store.states import Mark, progress_of, slots_of, write_status, write_worker
from cacviz.store.unix import my_mark

DEAD = Mark(999_999_999, "1.another")


@pytest.fixture
def folder(tmp_path):
    write_status(tmp_path, "queued")
    return tmp_path


def test_a_job_without_a_worker_is_queued(folder):
    assert progress_of(folder).state == "queued"
    assert not progress_of(folder).over


def test_a_job_is_running_for_as_long_as_its_worker_lives(folder):
    write_worker(folder, my_mark())
    assert progress_of(folder).state == "running"
    write_worker(folder, DEAD)
    assert progress_of(folder).state == "interrupted"
    assert progress_of(folder).resumable


def test_a_reused_pid_is_no_worker(folder):
    write_status(folder, "running")
    write_worker(folder, Mark(my_mark().pid, "1.another"))
    assert progress_of(folder).state == "interrupted"


def test_a_sealed_result_is_done_whatever_the_status_says(folder):
    atomic.seal_folder(folder / states.RESULT, {"rows.json": b"[]"}, {})
    for state in ("running", "failed", "stopped", "queued"):
        write_status(folder, state)
        assert progress_of(folder).state == "done"


def test_a_job_whose_result_is_elsewhere_is_done_when_it_says_so(folder):
    write_status(folder, "done")
    write_worker(folder, DEAD)
    assert progress_of(folder).state == "interrupted"
    write_status(folder, "done", unsealed=True)
    assert progress_of(folder).state == "done"


def test_a_wish_to_stop_shows_while_the_worker_lives_and_is_met_when_it_is_dead(folder):
    write_worker(folder, my_mark())
    (folder / states.STOP).touch()
    assert progress_of(folder).stopping
    write_worker(folder, DEAD)
    assert (progress_of(folder).state, progress_of(folder).stopping) == ("stopped", False)


def test_an_interruption_says_where(folder):
    write_status(folder, "running", step=7, of=20, unit="epoch")
    write_worker(folder, DEAD)
    assert progress_of(folder).message.startswith("Interrupted at epoch 7 of 20: ")


def test_a_failure_keeps_its_sentence_and_whether_it_was_refused(folder):
    write_status(folder, "failed", "Too many subtypes.", refused=True)
    now = progress_of(folder)
    assert (now.state, now.message, now.refused) == ("failed", "Too many subtypes.", True)


def test_the_time_left_is_by_the_pace_since_the_phase_began(folder):
    write_worker(folder, my_mark())
    now = time.time()
    pace = {"step": 11, "of": 31, "first_step": 1, "first_at": now - 10, "step_at": now}
    write_status(folder, "running", **pace)
    assert 10 < progress_of(folder).seconds_left <= 20
    write_status(folder, "running", **pace | {"step": 1})
    assert progress_of(folder).seconds_left is None  # of one step no pace can be told


@pytest.mark.parametrize("said", [b"", b"[]", b"7", b"{"])
def test_a_damaged_status_is_an_interruption(folder, said):
    (folder / states.STATUS).write_bytes(said)
    assert progress_of(folder).state == "interrupted"


def test_a_job_has_one_process_unless_it_was_given_more(folder):
    assert slots_of(folder) == 1
    write_worker(folder, my_mark(), 3)
    assert slots_of(folder) == 3


@pytest.mark.parametrize("said", [0, -2, "many", None, 1.5, []])
def test_a_number_of_processes_that_makes_no_sense_is_one(folder, said):
    atomic.write_json(folder / states.LOCK, {"pid": 1, "start": "2", "slots": said})
    assert slots_of(folder) == 1
