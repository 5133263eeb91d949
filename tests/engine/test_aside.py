"""A copy of the process answers as this one would, and where it cannot, this one does."""

import os
import signal
import time
from pathlib import Path

import pytest

from cacviz.engine.aside import aside, copies, shared


@pytest.fixture
def allowed():
    with copies(allowed=True):
        yield


def pid_and(value):
    return lambda: (os.getpid(), value)


def test_without_leave_work_is_done_here_and_only_when_it_is_asked_for():
    done = []
    answer = aside(lambda: done.append(1))
    assert done == []
    answer()
    assert done == [1]


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is no core to spare")
def test_a_copy_answers_while_this_process_goes_on(allowed):
    pid, value = aside(pid_and([1, 2.5]))()
    assert pid != os.getpid()
    assert value == [1, 2.5]


def test_what_is_wrong_is_said_by_this_process(allowed):
    with pytest.raises(ZeroDivisionError):
        aside(lambda: 1 // 0)()


def test_a_copy_that_is_ended_costs_nothing_but_time(allowed):
    home = os.getpid()

    def work():
        if os.getpid() != home:
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"

    assert aside(work)() == "done"


def test_the_answers_of_both_halves_come_in_their_order(allowed):
    assert [value for _, value in shared([pid_and(i) for i in range(5)])] == [0, 1, 2, 3, 4]
    assert shared([]) == []


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is no core to spare")
def test_a_copy_makes_no_copies(allowed):
    outer, inner = aside(lambda: (os.getpid(), aside(os.getpid)()))()
    assert outer == inner != os.getpid()


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is no core to spare")
def test_a_copy_does_not_outlive_the_process_that_made_it():
    reading, writing = os.pipe()
    maker = os.fork()
    if maker == 0:
        with copies(allowed=True):

            def work():
                os.write(writing, str(os.getpid()).encode())
                time.sleep(600)

            aside(work)
            signal.pause()
    copy = int(os.read(reading, 20))
    os.kill(maker, signal.SIGKILL)
    os.waitpid(maker, 0)
    deadline = time.monotonic() + 60
    while Path(f"/proc/{copy}").exists():
        assert time.monotonic() < deadline, "the copy lives on"
        time.sleep(0.02)
