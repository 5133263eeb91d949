"""A copy of the process answers as this one would, and where it cannot, this one does."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cacviz.engine.aside import aside, copies, shared
from cacviz.jobs.environment import library_env


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


WITH_AND_WITHOUT = """
import numpy as np
from cacviz.engine.aside import copies
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_run
from cacviz.engine.types import RunConfig

split = split_cohort(make_demo(600), 0)
short = {"pretrain_epochs": 2, "epochs": 2, "expert_epochs": 2}
for config in (RunConfig("cac", 2, 0), RunConfig("deepcac", 2, 0).having(**short)):
    found = []
    for allowed in (True, False):
        with copies(allowed=allowed):
            found.append(fit_run(split, config))
    one, two = found
    assert np.array_equal(one.proba, two.proba) and np.array_equal(one.clusters, two.clusters)
    assert one.summary.controls == two.summary.controls and one.summary.notes == two.summary.notes
    assert one.summary.verdict == two.summary.verdict and one.summary.test == two.summary.test
print("the same")
"""


@pytest.mark.heavy
def test_a_run_is_the_same_to_the_bit_with_copies_and_without():
    command = [sys.executable, "-c", WITH_AND_WITHOUT]
    done = subprocess.run(command, env=library_env(1), capture_output=True, text=True)
    assert done.stdout == "the same\n", done.stderr
