"""The worker with the engine itself: what a user starts, from cohort to fresh predictions."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cacviz import runs
from cacviz.engine.cohorts import make_cohort
from cacviz.engine.types import Column, Outcome, RunConfig
from cacviz.runs import environment, paths, store, worker
from tests.runs.small_worker import fit_small

PREDICT = """
import sys
import numpy as np
from cacviz import runs
stored = runs.load_run(sys.argv[1])
preparation, model = runs.load_model(sys.argv[1])
frame = runs.load_cohort(stored.asked.cohort_id).frame
proba = model.predict_proba(preparation.transform(frame).X)
assert np.array_equal(proba, stored.proba), "other bits"
print("same bits, torch loaded:", "torch" in sys.modules)
"""


@pytest.fixture
def ward_of_two_kinds():
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 2, 300)
    labs = rng.normal(size=(300, 3)) + 3 * kind[:, None]
    frame = pd.DataFrame(labs, columns=["lactate", "urea", "pulse"])
    frame.loc[::7, "urea"] = np.nan
    frame["sex"] = np.where(rng.random(300) < 0.5, "f", "m")
    frame["death"] = np.where(labs[:, 0] - 3 * kind + rng.normal(size=300) > 0, "yes", "no")
    kinds = ["number"] * 3 + ["category", "yesno"]
    columns = [Column(name, kind) for name, kind in zip(frame, kinds, strict=True)]
    return make_cohort("two kinds", frame, columns, Outcome("death"))


def test_a_run_of_the_engine_is_found_again_and_predicts_the_same_bits(ward_of_two_kinds):
    config = RunConfig(method="cac", n_clusters=2, n_init=1, seed=3)
    run_id = runs.start_run(runs.save_cohort(ward_of_two_kinds), config)
    last = list(runs.follow(run_id))[-1]
    assert (last.state, last.message) == ("done", "")
    stored = runs.load_run(run_id)
    assert stored.summary.config == config
    assert stored.summary.fingerprint == ward_of_two_kinds.fingerprint
    assert sorted(np.unique(stored.part)) == [0, 1, 2]
    command = [sys.executable, "-c", PREDICT, run_id]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "same bits, torch loaded: False"


def test_what_the_engine_refuses_reaches_the_user_in_its_own_words(ward_of_two_kinds):
    config = RunConfig(method="cac", n_clusters=200)
    run_id = runs.start_run(runs.save_cohort(ward_of_two_kinds), config)
    last = list(runs.follow(run_id))[-1]
    assert last.state == "failed"
    assert "200 subtypes are too many" in last.message


def test_a_disk_error_and_a_lack_of_memory_are_told_apart():
    assert "disk is full" in worker.explain(OSError(28, "x"))
    assert "2.0 GB" in worker.explain(MemoryError(), room=2**31)
    assert "more memory" in worker.explain(
        RuntimeError("DefaultCPUAllocator: can't allocate memory")
    )
    assert "fault in the program" in worker.explain(KeyError("JOHN DOE"))
    assert "JOHN" not in worker.explain(KeyError("JOHN DOE"))


def test_kernels_are_kept_in_the_data_folder_apart_for_each_state_of_the_code(
    monkeypatch, data_folder
):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    before = Path(environment.worker_env(1)["NUMBA_CACHE_DIR"])
    assert before.parent == data_folder / "numba"
    monkeypatch.setattr(paths, "version", lambda name: "another numba")
    paths._kernels_digest.cache_clear()
    assert Path(environment.worker_env(1)["NUMBA_CACHE_DIR"]) != before
    paths._kernels_digest.cache_clear()


def test_a_worker_is_bounded_in_threads_memory_and_priority():
    code = (
        "import os, resource; from cacviz.runs import environment as e; "
        "e.limit_this_process(); room = e.limit_this_process(); "
        "print(resource.getrlimit(resource.RLIMIT_DATA)[0] == room > 0, os.nice(0),"
        " resource.getrlimit(resource.RLIMIT_CORE)[0], e.is_pinned(3))"
    )
    command, env = [sys.executable, "-c", code], environment.worker_env(3)
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    assert out.stdout.split() == ["True", str(environment.NICE), "0", "True"]


@pytest.mark.parametrize("error", [ValueError, OSError])
def test_where_the_system_refuses_to_limit_memory_a_worker_goes_on_without(monkeypatch, error):
    def refuse(*_):
        raise error("current limit exceeds maximum limit")

    monkeypatch.setattr(environment.resource, "setrlimit", refuse)
    monkeypatch.setattr(environment, "_give_way", lambda: None)
    mask = os.umask(0o077)
    assert environment.limit_this_process() == 0
    os.umask(mask)


def test_a_run_whose_worker_cannot_set_itself_up_says_so(ward_id, config, monkeypatch):
    def refuse():
        raise PermissionError("not allowed")

    monkeypatch.setattr(environment, "limit_this_process", refuse)
    run_id = runs.create_run(ward_id, config)
    worker.work(store.run_folder(run_id), fit_small)
    assert runs.progress(run_id).state == "failed"
