"""One queue and one limit for jobs of every kind; no process is started here.

Processes at work are the test's own: a folder whose worker is this process is a live job.
"""

import os
import shutil

import pytest

from cacviz.engine.running.studies import study_plan
from cacviz.jobs import environment, kinds, queue
from cacviz.store import atomic, ids, insights, runs, states, studies, unix
from cacviz.store.unix import Mark, my_mark

PLAN = study_plan(["kmeans"], [2], 2)


@pytest.fixture
def limit(monkeypatch):
    return lambda number: monkeypatch.setenv("CACVIZ_WORKERS", str(number))


@pytest.fixture
def started(monkeypatch):
    """What the queue started: each becomes a live job, as if this process worked on it."""
    found = []

    def start(folder, slots):
        found.append((folder, slots))
        states.write_worker(folder, my_mark(), slots)
        states.write_status(folder, "running")
        return True

    monkeypatch.setattr(queue, "_start", start)
    yield found
    for folder, _ in found:
        (folder / states.LOCK).unlink(missing_ok=True)


def run(ward_id, config):
    return runs.run_folder(queue.start_run(ward_id, config))


def study(ward_id, splits=2):
    plan = study_plan(["kmeans"], [2], splits)
    return studies.study_folder(queue.start_study(ward_id, plan))


def end(folder, state="done"):
    (folder / states.LOCK).unlink()
    states.write_status(folder, state, unsealed=True)
    queue.tend()


def test_no_more_runs_work_at_once_than_the_limit_allows(started, limit, ward_id, config):
    limit(2)
    first, second, third = (run(ward_id, config) for _ in range(3))
    assert started == [(first, 1), (second, 1)]
    end(first)
    assert started[2:] == [(third, 1)]


def test_a_comparison_takes_the_room_there_is_and_others_wait(started, limit, ward_id, config):
    limit(3)
    compared, waiting = study(ward_id), run(ward_id, config)
    assert started == [(compared, 3)]
    assert states.slots_of(compared) == 3
    assert states.progress_of(waiting).state == "queued"
    end(compared)
    assert started[1:] == [(waiting, 1)]


def test_a_comparison_beside_a_run_takes_what_is_left(started, limit, ward_id, config):
    limit(3)
    fitted, compared, third = run(ward_id, config), study(ward_id), run(ward_id, config)
    assert started == [(fitted, 1), (compared, 2)]
    end(fitted)
    assert started[2:] == [(third, 1)]


def test_two_comparisons_do_not_exceed_the_limit_together(started, limit, ward_id):
    limit(4)
    first, second = study(ward_id, 2), study(ward_id, 3)
    assert started == [(first, 4)]
    end(first)
    assert started[1:] == [(second, 4)]


def test_a_description_waits_for_room_as_any_job(started, limit, finished, ward_id, config):
    limit(1)
    busy = run(ward_id, config)
    queue.complete(finished.name)
    home = insights.home_of(finished)
    assert started == [(busy, 1)]
    assert set(insights.part_states(finished).values()) == {"coming"}
    end(busy)
    assert started[1:] == [(home, 1)]
    later = run(ward_id, config)
    assert len(started) == 2  # the description counts against the limit
    end(home)
    assert started[2:] == [(later, 1)]


def test_jobs_of_all_kinds_start_in_the_order_they_were_asked_for(
    started, limit, finished, ward_id, config
):
    limit(1)
    busy = run(ward_id, config)
    asked = [study(ward_id), run(ward_id, config)]
    queue.complete(finished.name)
    asked += [insights.home_of(finished), run(ward_id, config)]
    for folder in [busy, *asked[:-1]]:
        end(folder)
    assert [folder for folder, _ in started] == [busy, *asked]


def test_a_job_that_is_resumed_goes_to_the_end_of_the_queue(started, limit, ward_id, config):
    limit(1)
    busy, first, second = (run(ward_id, config) for _ in range(3))
    queue.stop(first)
    queue.resume(first)
    end(busy)
    end(second)
    assert [folder for folder, _ in started] == [busy, second, first]


def test_a_worker_that_died_gives_its_room_back(started, limit, ward_id, config):
    limit(1)
    first, second = run(ward_id, config), run(ward_id, config)
    states.write_worker(first, Mark(999_999_999, "1.another"), 1)
    queue.tend()
    assert started[1:] == [(second, 1)]


def test_asking_twice_for_a_description_makes_one(started, finished):
    for _ in range(2):
        queue.complete(finished.name)
    assert [folder for folder, _ in started] == [insights.home_of(finished)]


def test_an_unfinished_run_is_not_described(started, limit, ward_id, config):
    limit(1)
    run(ward_id, config)
    waiting = run(ward_id, config)
    queue.complete(waiting.name)
    assert not (waiting / insights.HOME / states.STATUS).exists()


def test_a_damaged_run_fails_in_a_sentence_and_the_queue_goes_on(ward_id, config, monkeypatch):
    spawned = []
    monkeypatch.setattr(
        queue, "spawn", lambda module, folder, **_: spawned.append(folder) or my_mark().pid
    )
    damaged, sound = (runs.run_folder(runs.create_run(ward_id, config)) for _ in range(2))
    (damaged / runs.RUN).write_bytes(b"{}")
    queue.tend()
    assert states.progress_of(damaged).state == "failed"
    assert "run.json' is damaged" in states.progress_of(damaged).message
    assert spawned == [str(sound)]
    (sound / states.LOCK).unlink()  # this process does not work on it


@pytest.mark.parametrize("since", ["never", None, [], {}])
def test_a_status_without_a_time_does_not_stop_the_queue(started, limit, ward_id, config, since):
    limit(2)
    odd = runs.run_folder(runs.create_run(ward_id, config))
    atomic.write_json(odd / states.STATUS, {"state": "queued", "since": since})
    other = run(ward_id, config)
    assert {folder for folder, _ in started} == {odd, other}


def test_the_memory_of_the_machine_is_shared_by_all_workers(monkeypatch, limit):
    rooms = []
    monkeypatch.setattr(environment, "machine_memory", lambda: 10 * 2**30)
    monkeypatch.setattr(unix, "be_a_good_neighbour", lambda niceness: None)
    monkeypatch.setattr(unix, "limit_memory", lambda room: rooms.append(room) or room)
    for number in (1, 4):
        limit(number)
        environment.limit_this_process()
    assert rooms == [8 * 2**30, 2 * 2**30]


@pytest.mark.parametrize(("said", "number"), [("3", 3), ("0", 1), ("many", 7), ("", 7)])
def test_the_limit_is_the_users_or_a_process_a_core(monkeypatch, limit, said, number):
    monkeypatch.setattr(unix, "cores", lambda: 7)
    limit(said)
    assert environment.worker_limit() == number


def test_a_folder_tells_what_kind_of_job_it_is(started, limit, finished, ward_id):
    assert kinds.kind_of(finished) == "fit"
    assert kinds.kind_of(study(ward_id)) == "compare"
    assert kinds.kind_of(insights.home_of(finished)) == "describe"


def test_a_claim_is_given_once_and_not_after_a_stop(no_spawn, ward_id, config):
    first, second, third = (runs.run_folder(runs.create_run(ward_id, config)) for _ in range(3))
    assert queue.claim(first)
    assert queue.claim(first)  # by the same process: it began again with its threads pinned
    (first / states.LOCK).unlink()
    queue.stop(second)
    assert not queue.claim(second)
    atomic.write_json(third / states.LOCK, {"pid": 1, "start": unix.mark_of(1).start})
    assert not queue.claim(third)
    (third / states.LOCK).unlink()


def test_a_worker_that_has_ended_its_work_hands_its_room_on(started, limit, ward_id, config):
    limit(1)
    first, second = run(ward_id, config), run(ward_id, config)
    queue.tend(leaving=second)
    assert started == [(first, 1)]
    queue.tend(leaving=first)  # its process is alive, since it is the one that asks
    assert started[1:] == [(second, 1)]


def test_the_work_of_a_look_grows_with_the_runs_and_not_with_their_square(started, finished, work):
    def copies(n):
        for _ in range(n):
            shutil.copytree(finished, finished.parent / ids.new_id(), copy_function=os.link)

    states.write_status(finished, "done")
    copies(39)
    few = work(queue.tend)
    copies(360)
    assert work(queue.tend) < 30 * few
    assert started == []
