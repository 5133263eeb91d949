"""The worker with the engine itself: what a user starts, from cohort to fresh predictions."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.types import Column, Outcome, RunConfig
from cacviz.jobs import environment, queue, worker
from cacviz.store import atomic, cohorts, insights, runs, states, timing
from tests.jobs.small_worker import fit_small

PREDICT = """
import sys
import numpy as np
from cacviz.store import cohorts, runs
stored = runs.load_run(sys.argv[1])
preparation, model = runs.load_model(sys.argv[1])
frame = cohorts.load_cohort(stored.asked.cohort_id).frame
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


@pytest.mark.worker
def test_a_run_of_the_engine_is_found_again_and_predicts_the_same_bits(ward_of_two_kinds, wait_for):
    config = RunConfig(method="cac", n_clusters=2, n_init=1, seed=3)
    run_id = queue.start_run(cohorts.save_cohort(ward_of_two_kinds), config)
    last = list(queue.follow_run(run_id))[-1]
    assert (last.state, last.message) == ("done", "")
    stored = runs.load_run(run_id)
    assert stored.summary.config == config
    assert stored.summary.fingerprint == ward_of_two_kinds.fingerprint
    assert sorted(np.unique(stored.part)) == [0, 1, 2]
    command = [sys.executable, "-c", PREDICT, run_id]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "same bits, torch loaded: False"
    # the same process describes what it found, and is at work for as long as it takes
    wait_for(lambda: insights.part_states(run_id)["described"] != "coming")
    assert insights.part_states(run_id)["described"] == "ready"


@pytest.mark.worker
def test_what_the_engine_refuses_reaches_the_user_in_its_own_words(ward_of_two_kinds):
    config = RunConfig(method="cac", n_clusters=200)
    run_id = queue.start_run(cohorts.save_cohort(ward_of_two_kinds), config)
    last = list(queue.follow_run(run_id))[-1]
    assert (last.state, last.refused) == ("failed", True)
    assert "200 subtypes are too many" in last.message


def test_a_disk_error_and_a_lack_of_memory_are_told_apart():
    assert "disk is full" in worker.explain(OSError(28, "x"))
    assert "2.0 GB" in worker.explain(MemoryError(), room=2**31)
    assert "more memory" in worker.explain(
        RuntimeError("DefaultCPUAllocator: can't allocate memory")
    )
    assert "fault in the program" in worker.explain(KeyError("JOHN DOE"))
    assert "ended from outside" in worker.explain(TerminatedWorkerError("a helper was killed"))
    assert "JOHN" not in worker.explain(KeyError("JOHN DOE"))


def test_a_fit_that_ends_says_so_and_leaves_no_aids(in_process, small_models, ward_id, config):
    folder = runs.run_folder(queue.start_run(ward_id, config))
    made = worker.work(folder, fit_small)
    assert made is not None
    assert states.progress_of(folder).state == "done"
    left = {path.name for path in folder.iterdir()}
    assert not left & {states.CHECKPOINT, runs.RESERVE, states.STOP}
    assert timing.known.recall_all(timing.known.of_machine(), timing.KIND)["run:cac"]


def test_what_another_works_on_is_left_to_it(in_process, small_models, ward_id, config):
    folder = runs.run_folder(queue.start_run(ward_id, config))
    atomic.write_json(folder / states.LOCK, {"pid": 1, "start": states.Mark(1, "x").start})
    assert worker.work(folder, fit_small) is None
    assert atomic.read_manifest(folder / states.RESULT) is None


def test_a_run_whose_worker_cannot_set_itself_up_says_so(in_process, ward_id, config, monkeypatch):
    def refuse():
        raise PermissionError(13, "not allowed")

    monkeypatch.setattr(environment, "limit_this_process", refuse)
    run_id = queue.start_run(ward_id, config)
    assert worker.work(runs.run_folder(run_id), fit_small) is None
    assert queue.progress(run_id).state == "failed"
    assert "Permission denied" in queue.progress(run_id).message


def test_a_full_disk_after_the_result_is_sealed_takes_nothing_away(
    in_process, small_models, ward_id, config, monkeypatch
):
    folder = runs.run_folder(queue.start_run(ward_id, config))
    real, seal = atomic.write, runs.save_result

    def save_then_fill(*arguments):
        seal(*arguments)
        monkeypatch.setattr(atomic, "write", refuse)

    def refuse(descriptor, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(runs, "save_result", save_then_fill)
    worker.work(folder, fit_small)
    monkeypatch.setattr(atomic, "write", real)
    assert states.progress_of(folder).state == "done"
    assert runs.load_run(folder.name).summary.config == config
