"""What the reliability figures are made with: a cohort, a run left in peace, and how to look."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import psutil

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.types import Cohort, Column, Outcome, RunConfig
from cacviz.jobs import queue
from cacviz.store import atomic, paths, runs, states
from cacviz.store.unix import alive


def make_wards(n: int = 600) -> Cohort:
    """Patients in two wards whose risk has different drivers."""
    rng = np.random.default_rng(0)
    ward = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 6)) + 2.0 * ward[:, None]
    risk = np.where(ward == 0, X[:, 0], X[:, 1] - 2)
    frame = pd.DataFrame(X, columns=[f"lab {j}" for j in range(6)])
    columns = [Column(name, "number") for name in frame]
    frame["died"] = (risk + rng.normal(size=n) > 0.5).astype(np.float64)
    return make_cohort("wards", frame, [*columns, Column("died", "yesno")], Outcome("died"))


def bits(run_id: str) -> str:
    """A digest of all that a run found, its model included; only how long it took is left out."""
    runs.load_run(run_id)
    folder = runs.run_folder(run_id) / states.RESULT
    read = {name: atomic.read_sealed(folder, name) for name in atomic.read_manifest(folder).files}
    found = {}
    for name, data in sorted(read.items()):
        if name.endswith(".json"):
            found[name] = _timeless(json.loads(data))
        elif not name.endswith(".skops"):  # a zip, with the time in it; arrays tell as much
            found[name] = atomic.sha256(data)
    return atomic.sha256(atomic.encode(found))


def _timeless(value: object) -> object:
    if isinstance(value, dict):
        return {k: _timeless(v) for k, v in value.items() if not k.endswith("seconds")}
    return [_timeless(v) for v in value] if isinstance(value, list) else value


def finish(run_id: str) -> states.Progress:
    return list(queue.follow_run(run_id, every=0.02))[-1]


def counted(times: int, found: object) -> Iterator[int]:
    """Count up to `times`, saying on standard error how it goes after each tenth."""
    for number in range(times):
        yield number
        if (number + 1) % max(1, times // 10) == 0:
            print(f"  {number + 1} of {times}: {found}", file=sys.stderr)


def undisturbed(cohort_id: str, config: RunConfig) -> tuple[str, float]:
    """A run left in peace and its seconds; a first one compiles the kernels and is not counted."""
    for warm in (False, True):
        began, run_id = time.monotonic(), queue.start_run(cohort_id, config)
        last = finish(run_id)
        if last.state != "done":
            raise SystemExit(f"A run left in peace is {last.state}. {last.message}")
        seconds = time.monotonic() - began
        wait_until_dead(run_id)  # or it would start what a check queues next
        if not warm:
            queue.delete_run(run_id)
    return run_id, seconds


def wait_until_dead(run_id: str) -> None:
    mark = states.worker_of(runs.run_folder(run_id))
    while alive(mark):
        time.sleep(0.005)


def kill_worker(run_id: str) -> None:
    mark = states.worker_of(runs.run_folder(run_id))
    if alive(mark):
        os.killpg(mark.pid, signal.SIGKILL)


def temporary() -> list[Path]:
    return list(paths.data_dir().rglob(f"{atomic.HIDDEN}*"))


def orphans() -> list[int]:
    """Workers of this data folder that still run."""
    mine = str(paths.data_dir())
    found = psutil.process_iter(["cmdline", "status"])
    return [
        p.pid
        for p in found
        if any(mine in part for part in p.info["cmdline"] or ())
        and p.info["status"] != psutil.STATUS_ZOMBIE
        and p.pid != os.getpid()
    ]


def is_half(run_id: str, state: str, whole: str) -> bool:
    """Visible but not whole: shown as done, and not what the same run gives in peace."""
    if state != "done":
        return False
    try:
        return bits(run_id) != whole
    except (atomic.StoreError, OSError, ValueError):
        return True


def words(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in found.items())
