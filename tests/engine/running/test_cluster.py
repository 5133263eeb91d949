"""The same fits by a real Dask cluster on this computer: a worker dies, and no row is lost."""

import subprocess
import sys
import time
from contextlib import closing

import pytest

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.running.many import connect
from cacviz.engine.running.sweeps.plans import SweepPlan
from cacviz.engine.running.sweeps.running import run_sweep
from tests.browser.conftest import free_port

PLAN = SweepPlan("kmeans", (1, 2), seeds=4, halvings=1)


def started(what, *options):
    command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture
def cluster():
    """A scheduler and two workers, as `dask scheduler` and `dask worker` start them."""
    address = f"tcp://127.0.0.1:{(port := free_port())}"
    quiet = ["--no-dashboard"]
    processes = [started("scheduler", "--host", "127.0.0.1", "--port", str(port), *quiet)]
    options = ["--no-nanny", "--nthreads", "1", *quiet]
    processes += [started("worker", address, "--name", name, *options) for name in "ab"]
    yield address, processes
    for process in processes:
        process.kill()
        process.wait()


def both_there(address):
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        try:
            with closing(connect(address)) as client:
                client.wait_for_workers(2, timeout=30)
                return
        except Exception:
            time.sleep(0.2)
    pytest.fail("the cluster did not start within a minute")


def without_time(rows):
    kept = [{k: v for k, v in row.items() if k != "seconds"} for row in rows]
    return sorted(kept, key=lambda r: (r["kind"], r["clusters"], r["number"]))


@pytest.mark.worker
@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_killed_midway_costs_no_row_and_no_digit(cluster):
    address, processes = cluster
    cohort, alone, together = make_demo(300), [], []
    run_sweep(cohort, PLAN, on_row=alone.append)
    both_there(address)  # they start while the first fits are done

    def keep(row):
        together.append(row)
        if len(together) == 3:
            processes[-1].kill()

    run_sweep(cohort, PLAN, on_row=keep, scheduler=address)
    assert without_time(together) == without_time(alone)
