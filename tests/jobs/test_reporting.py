"""What a worker says while it works: rows, phases, pace, checkpoints."""

import json

import numpy as np
import pytest

from cacviz.engine.exceptions import Stopped
from cacviz.jobs.reporting import Checkpoint, Reporter
from cacviz.store import atomic, states
from cacviz.store.history import HISTORY, read_history
from cacviz.store.states import progress_of, write_worker
from cacviz.store.unix import my_mark


@pytest.fixture
def folder(tmp_path):
    write_worker(tmp_path, my_mark())
    return tmp_path


def test_rows_and_phases_are_there_when_the_reporter_is_over(folder):
    with Reporter(folder) as reporter:
        assert progress_of(folder).phase == "starting"
        reporter.phase("preparing")
        assert progress_of(folder).phase == "preparing"
        for epoch in (1, 2, 3):
            reporter.on_step({"phase": "training", "epoch": epoch, "of": 9, "loss": np.float64(2)})
    now = progress_of(folder)
    assert (now.phase, now.step, now.of) == ("training", 3, 9)
    assert now.row["loss"] == 2.0
    assert [row["epoch"] for row in read_history(folder)] == [1, 2, 3]


def test_a_new_phase_counts_its_steps_from_its_own_beginning(folder):
    with Reporter(folder) as reporter:
        reporter.on_step({"phase": "pretraining", "epoch": 30, "of": 30})
        reporter.on_step({"phase": "training", "epoch": 5, "of": 60})
    said = json.loads((folder / states.STATUS).read_bytes())
    assert (said["first_step"], said["step"], said["unit"]) == (5, 5, "epoch")


def test_a_stop_ends_the_fit_at_its_next_row_and_keeps_that_row(folder):
    with Reporter(folder) as reporter:
        reporter.on_step({"epoch": 1})
        reporter.stop()
        with pytest.raises(Stopped):
            reporter.on_step({"epoch": 2})
    assert [row["epoch"] for row in read_history(folder)] == [1, 2]


def test_a_torn_line_of_the_worker_before_is_ended(folder):
    (folder / HISTORY).write_bytes(b'{"epoch":1}\n{"epo')
    with Reporter(folder) as reporter:
        reporter.on_step({"epoch": 2})
    assert [row["epoch"] for row in read_history(folder)] == [1, 2]


def test_a_full_disk_ends_no_fit_and_loses_no_row(folder, monkeypatch):
    def full(descriptor, data):
        raise OSError(28, "No space left on device")

    with Reporter(folder) as reporter:
        with monkeypatch.context() as patch:
            patch.setattr(atomic, "write", full)
            reporter.on_step({"epoch": 1})
            reporter.phase("saving")
        reporter.on_step({"epoch": 2})
    assert [row["epoch"] for row in read_history(folder)] == [1, 2]


def test_a_checkpoint_gives_back_its_bits_and_only_to_its_own_origin(tmp_path):
    state = {"w": np.random.default_rng(0).normal(size=(3, 2)), "n": np.array(7)}
    numbers = np.random.default_rng(1).bit_generator.state
    here = Checkpoint(tmp_path, {"threads": 1})
    assert here.load() is None
    here.save(state, {"epoch": 3, "rng": numbers})
    arrays, meta = Checkpoint(tmp_path, {"threads": 1}).load()
    assert all(
        np.array_equal(arrays[k], state[k]) and arrays[k].shape == state[k].shape for k in state
    )
    assert meta == {"epoch": 3, "rng": numbers}
    assert Checkpoint(tmp_path, {"threads": 2}).load() is None
    here.path.write_bytes(here.path.read_bytes()[:50])
    assert here.load() is None


def test_rows_are_on_disk_before_the_checkpoint_that_skips_them(folder):
    seen = []
    with Reporter(folder) as reporter:

        def before():
            reporter.flush_rows()
            seen.append((len(read_history(folder)), here.path.exists()))

        here = Checkpoint(folder, {}, before)
        reporter.on_step({"epoch": 1})
        here.save({"w": np.zeros(1)}, {"epoch": 1})
    assert seen == [(1, False)]
    assert here.path.exists()


def test_a_checkpoint_that_the_disk_refuses_ends_no_fit_and_leaves_the_last(tmp_path, monkeypatch):
    here = Checkpoint(tmp_path, {})
    here.save({"w": np.zeros(1)}, {"epoch": 1})

    def full(descriptor, data):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(atomic, "write", full)
        here.save({"w": np.ones(1)}, {"epoch": 2})
    assert here.load()[1] == {"epoch": 1}
