import json
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from cacviz import runs
from cacviz.engine.types import RunConfig
from cacviz.runs import environment, files, models, states, store
from cacviz.runs.records import from_plain, to_plain
from cacviz.runs.reports import HISTORY, Checkpoint, read_history
from tests.runs.small_worker import fit_small


class NoCheckpoint:
    def load(self):
        return None

    def save(self, arrays, meta):
        pass


@pytest.fixture
def fitted(ward):
    return fit_small(ward, RunConfig(epochs=2), on_step=lambda row: None, checkpoint=NoCheckpoint())


@pytest.fixture
def finished(small, ward_id, config, fitted):
    """The folder of a run whose result was sealed here."""
    folder = store.run_folder(runs.create_run(ward_id, config, "first"))
    store.save_result(folder, fitted, environment.describe(1))
    return folder


def test_a_summary_survives_json(fitted):
    kind = type(fitted.summary)
    back = from_plain(kind, json.loads(files.encode(to_plain(fitted.summary))))
    assert repr(back) == repr(fitted.summary)  # repr, since nan is not itself
    assert back.history == fitted.summary.history
    assert isinstance(back.clusters[0].class_counts, tuple)


def test_ids_sort_by_time_and_do_not_clash():
    first = store.new_id()
    time.sleep(0.002)
    assert first < store.new_id()
    assert len({store.new_id() for _ in range(1000)}) == 1000


def test_name_note_and_star_change_apart_from_the_result(finished):
    sealed = (finished / "result" / files.MANIFEST).read_bytes()
    runs.change_card(finished.name, name="Renal", star=True)
    runs.change_card(finished.name, note="for the meeting")
    assert runs.load_run(finished.name).card == runs.Card("Renal", "for the meeting", True)
    assert (finished / "result" / files.MANIFEST).read_bytes() == sealed


def test_a_sealed_result_is_done_whatever_the_status_says(finished):
    states.write_status(finished, "running")
    assert runs.progress(finished.name).state == "done"


def test_a_damaged_result_is_not_shown(finished):
    (finished / "result" / "summary.json").unlink()
    assert runs.list_runs()[0].state != "done"
    with pytest.raises(runs.StoreError, match="incomplete"):
        runs.load_run(finished.name)


def test_an_exported_run_opens_from_its_folder_and_holds_no_patients_row(finished, ward, tmp_path):
    runs.export_run(finished.name, tmp_path / "out" / "run")
    exported = runs.load_run(tmp_path / "out" / "run")
    assert repr(exported.summary) == repr(runs.load_run(finished.name).summary)
    assert runs.load_model(tmp_path / "out" / "run").model.predict_proba(np.zeros((1, 2))).shape
    assert not list((tmp_path / "out").rglob("*.parquet"))
    with pytest.raises(runs.StoreError, match="there already"):
        runs.export_run(finished.name, tmp_path / "out" / "run")


def test_fifty_runs_queued_at_once_clash_nowhere_and_no_change_is_lost(ward_id, config):
    with ThreadPoolExecutor(10) as pool:
        ids = list(pool.map(lambda _: runs.create_run(ward_id, config), range(50)))
        changes = [{"name": "Renal"}, {"note": "for the meeting"}, {"star": True}]
        list(pool.map(lambda change: runs.change_card(ids[0], **change), changes))
    assert {row.id for row in runs.list_runs()} == set(ids)
    assert len(set(ids)) == 50
    assert store.read_card(store.run_folder(ids[0])) == runs.Card("Renal", "for the meeting", True)


@pytest.mark.parametrize("hostile", ["../x", "", "01J", "A" * 26 + "/..", "u" * 26, "I" * 26])
def test_a_hostile_run_id_reaches_no_file(hostile):
    with pytest.raises(runs.StoreError):
        runs.load_run(hostile)


def test_five_hundred_runs_are_listed_within_a_second(finished):
    for _ in range(499):
        shutil.copytree(finished, finished.parent / store.new_id())
    began = time.perf_counter()
    rows = runs.list_runs()
    assert len(rows) == 500
    assert {row.state for row in rows} == {"done"}
    assert time.perf_counter() - began < 1


def test_history_drops_a_torn_line_and_keeps_the_later_of_two(tmp_path):
    rows = (
        b'{"phase":"a","epoch":1,"loss":3}\n{"phase":"a","epo\n{"phase":"a","epoch":1,"loss":2}\n'
    )
    (tmp_path / HISTORY).write_bytes(rows)
    assert read_history(tmp_path) == [{"phase": "a", "epoch": 1, "loss": 2}]


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


def test_a_model_from_elsewhere_is_not_imported(finished, monkeypatch):
    monkeypatch.setattr(models, "HOME", "cacviz.engine.")
    with pytest.raises(runs.StoreError, match="not part of cacviz"):
        runs.load_model(finished.name)


def test_the_store_loads_none_of_the_heavy_libraries():
    heavy = ("torch", "umap", "numba", "sklearn", "skops", "scipy", "streamlit")
    code = f"import sys, cacviz.runs; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_reading_a_finished_run_loads_none_of_them_either(finished):
    code = (
        "import sys; from cacviz import runs; run = runs.load_run(runs.list_runs()[0].id); "
        "heavy = {'torch', 'umap', 'numba', 'sklearn'}; "
        "print(run.proba.shape, heavy & {*sys.modules})"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "(60, 2) set()"


def test_a_run_of_an_older_version_takes_defaults_for_what_it_does_not_say(finished):
    said = files.read_json(finished / store.RUN)
    del said["config"]["routing"]
    said["config"]["forgotten"] = 1
    files.write_json(finished / store.RUN, said)
    assert runs.list_runs()[0].asked.config == replace(RunConfig(epochs=8), routing=None)


DAMAGED = [b"[]", b"{}", b"null", b"7", b"{", b'{"config": []}', b'{"config": {}, "threads": 1}']


@pytest.mark.parametrize("bytes_", DAMAGED)
def test_a_damaged_run_is_passed_over_and_spoils_no_other(ward_id, config, bytes_):
    kept, damaged = runs.create_run(ward_id, config), runs.create_run(ward_id, config)
    folder = store.run_folder(damaged)
    (folder / store.RUN).write_bytes(bytes_)
    assert [row.id for row in runs.list_runs()] == [kept]
    runs.stop_run(kept)
    runs.tend()  # it is the next in the queue
    assert runs.progress(damaged).state == "failed"
    assert "run.json' is damaged" in runs.progress(damaged).message
    with pytest.raises(runs.StoreError, match="damaged"):
        store.read_asked(folder)


@pytest.mark.parametrize("bytes_", [b"[]", b"[1]", b"{}", b"7", b"{", b'{"pid": [], "name": 1}'])
def test_a_damaged_card_or_lock_is_as_none(finished, bytes_):
    for name in (store.CARD, states.LOCK):
        (finished / name).write_bytes(bytes_)
    (row,) = runs.list_runs()
    assert (row.state, row.card.note) == ("done", "")
    assert states.worker_of(finished) is None
    assert runs.change_card(finished.name, name="Renal").name == "Renal"
