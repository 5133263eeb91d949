"""The store's fixtures, the small worker, and nobody left at work after a test."""

import signal
import time

import pytest

from cacviz.jobs import environment, queue
from cacviz.jobs.waiting import all_jobs
from cacviz.store import states
from cacviz.store.unix import my_mark
from tests.jobs import small_worker
from tests.store.conftest import (  # noqa: F401
    config,
    data_folder,
    finished,
    fitted,
    small_models,
    ward,
    ward_id,
)


@pytest.fixture(autouse=True)
def nobody_left(data_folder):  # noqa: F811
    yield
    for folder in all_jobs():
        mark = states.worker_of(folder)
        if mark is not None and mark != my_mark():  # what a test did itself has ended with it
            queue.stop(folder, grace=0)
            queue.end(mark, grace=0)  # one that has its result may still be describing it


@pytest.fixture
def small(monkeypatch, small_models):  # noqa: F811
    """Runs are fitted by the small worker; call the result with what it should read."""
    monkeypatch.setattr(queue, "WORKER", small_worker.NAME)

    def settings(**env):
        for name, value in env.items():
            monkeypatch.setenv(f"SMALL_FIT_{name.upper()}", str(value))

    return settings


@pytest.fixture
def no_spawn(monkeypatch):
    """Jobs are queued and given room, but no process starts: which folders, with how many slots."""
    started = []
    monkeypatch.setattr(queue, "_start", lambda *job: started.append(job) is None)
    return started


@pytest.fixture
def in_process(no_spawn, monkeypatch):
    """Nothing starts by itself: the test does the work here, without limits on itself."""
    monkeypatch.setattr(environment, "limit_this_process", lambda: 0)
    before = signal.getsignal(signal.SIGTERM)
    yield no_spawn
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def wait_for():
    """Look again and again until something is true; the deadline is for what never comes."""

    def wait(truth, seconds=300.0):
        deadline = time.monotonic() + seconds
        while not (found := truth()):
            assert time.monotonic() < deadline, "it did not come true"
            time.sleep(0.01)
        return found

    return wait
