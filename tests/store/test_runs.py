import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cacviz.engine.cohorts.choosing import with_outcome
from cacviz.engine.cohorts.making import changed
from cacviz.engine.types import Outcome, RunConfig
from cacviz.store import atomic, ids, models, runs, states
from cacviz.store.atomic import StoreError
from cacviz.store.records import from_plain, to_plain
from cacviz.store.runs import Card, change_card, create_run, list_runs, load_model, load_run


def test_a_summary_survives_json(fitted):
    kind = type(fitted.summary)
    back = from_plain(kind, json.loads(atomic.encode(to_plain(fitted.summary))))
    assert repr(back) == repr(fitted.summary)  # repr, since nan is not itself
    assert back.history == fitted.summary.history
    assert isinstance(back.clusters[0].class_counts, tuple)


@pytest.mark.parametrize(
    "config", [RunConfig(), RunConfig("deepcac", 5, 7, alpha=0.25, routing="hard", epochs=3)]
)
def test_a_configuration_survives_json(config):
    assert from_plain(RunConfig, json.loads(atomic.encode(to_plain(config)))) == config


def test_ids_sort_by_time_and_do_not_clash(monkeypatch):
    now = 1_700_000_000_000_000_000
    monkeypatch.setattr(ids.time, "time_ns", lambda: now)
    first = ids.new_id()
    monkeypatch.setattr(ids.time, "time_ns", lambda: now + 1_000_000)
    assert first < ids.new_id()
    assert len({ids.new_id() for _ in range(1000)}) == 1000
    assert ids.is_id(first)


def test_a_run_says_all_that_it_takes_to_repeat_it(ward, ward_id, config):
    other = changed(ward, with_outcome, Outcome("age", cuts=(60.0,)))
    plain = runs.read_asked(runs.run_folder(create_run(ward_id, config, threads=2)))
    asked = runs.read_asked(runs.run_folder(create_run(ward_id, config, cohort=other)))
    assert (plain.config, plain.choices, plain.threads) == (config, ward.choices, 2)
    assert (plain.cohort_name, plain.origin, plain.n_patients) == ("ward", "file", 60)
    assert (asked.choices, asked.classes) == (other.choices, other.classes)
    assert asked.fingerprint == other.fingerprint != plain.fingerprint
    assert (runs.cohort_of_run(asked).y == other.y).all()


def test_name_note_and_star_change_apart_from_the_result(finished):
    sealed = (finished / "result" / atomic.MANIFEST).read_bytes()
    change_card(finished.name, name="Renal", star=True)
    change_card(finished.name, note="for the meeting")
    assert load_run(finished.name).card == Card("Renal", "for the meeting", True)
    assert (finished / "result" / atomic.MANIFEST).read_bytes() == sealed


def test_a_damaged_result_is_not_shown(finished):
    (finished / "result" / "summary.json").unlink()
    assert list_runs()[0].state != "done"
    with pytest.raises(StoreError, match="incomplete"):
        load_run(finished.name)
    with pytest.raises(StoreError, match="no result yet"):
        load_model(finished.name)


def test_an_exported_run_opens_from_its_folder_and_holds_no_patients_row(finished, ward, tmp_path):
    runs.export_run(finished.name, tmp_path / "out" / "run")
    exported = load_run(tmp_path / "out" / "run")
    assert repr(exported.summary) == repr(load_run(finished.name).summary)
    assert load_model(tmp_path / "out" / "run").model.predict_proba(np.zeros((1, 2))).shape
    assert not list((tmp_path / "out").rglob("*.parquet"))
    with pytest.raises(StoreError, match="there already"):
        runs.export_run(finished.name, tmp_path / "out" / "run")


def test_a_run_is_not_exported_into_a_file_nor_before_it_is_done(
    finished, ward_id, config, tmp_path
):
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(StoreError, match="is a file and can hold no run"):
        runs.export_run(finished.name, tmp_path / "notes.txt" / "run")
    with pytest.raises(StoreError, match="no result yet"):
        runs.export_run(create_run(ward_id, config), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_fifty_runs_queued_at_once_clash_nowhere_and_no_change_is_lost(ward_id, config):
    with ThreadPoolExecutor(10) as pool:
        made = list(pool.map(lambda _: create_run(ward_id, config), range(50)))
        changes = [{"name": "Renal"}, {"note": "for the meeting"}, {"star": True}]
        list(pool.map(lambda change: change_card(made[0], **change), changes))
    assert {row.id for row in list_runs()} == set(made)
    assert len(set(made)) == 50
    assert runs.read_card(runs.run_folder(made[0])) == Card("Renal", "for the meeting", True)


@pytest.mark.parametrize("hostile", ["../x", "", "01J", "A" * 26 + "/..", "u" * 26, "I" * 26])
def test_a_hostile_run_id_reaches_no_file(hostile):
    with pytest.raises(StoreError):
        load_run(hostile)


def test_the_work_of_a_list_grows_with_its_runs_and_not_with_their_square(finished, work):
    def copies(n):
        for _ in range(n):
            shutil.copytree(finished, finished.parent / ids.new_id(), copy_function=os.link)

    copies(39)
    few = work(list_runs)
    copies(360)
    assert work(list_runs) < 30 * few
    rows = list_runs()
    assert len(rows) == 400
    assert {row.state for row in rows} == {"done"}


def test_a_model_of_an_unknown_kind_is_not_opened(finished, monkeypatch):
    monkeypatch.setattr(models, "KINDS", {"preparation": models.KINDS["preparation"]})
    monkeypatch.delitem(models.METHODS, "cac")
    with pytest.raises(StoreError, match="kind that this version does not know"):
        load_model(finished.name)


STORE = (
    *("atomic", "cohorts", "history", "ids", "insights", "known", "models", "paths"),
    *("preferences", "records", "runs", "states", "studies", "tables", "timing", "unix"),
)


def test_store_and_queue_load_none_of_the_heavy_libraries():
    heavy = ("torch", "umap", "numba", "sklearn", "skops", "scipy", "streamlit")
    modules = ", ".join(f"cacviz.store.{name}" for name in STORE)
    code = (
        f"import sys, {modules}, cacviz.jobs.queue, cacviz.jobs.helper, cacviz.jobs.sweeping; "
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_reading_a_finished_run_loads_none_of_them_either(finished):
    code = (
        "import sys; from cacviz.store import runs; run = runs.load_run(runs.list_runs()[0].id); "
        "heavy = {'torch', 'umap', 'numba', 'sklearn', 'scipy'}; "
        "print(run.proba.shape, heavy & {*sys.modules})"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "(60, 2) set()"


def test_what_a_run_does_not_say_takes_its_default_and_what_is_unknown_is_left_out(finished):
    said = atomic.read_json(finished / runs.RUN)
    del said["origin"]
    said["config"]["forgotten"] = 1
    atomic.write_json(finished / runs.RUN, said)
    (row,) = list_runs()
    assert row.asked.config == RunConfig(epochs=8)
    assert row.asked.origin == "file"


DAMAGED = [b"[]", b"{}", b"null", b"7", b"{", b'{"config": []}', b'{"config": {}, "threads": 1}']


@pytest.mark.parametrize("bytes_", DAMAGED)
def test_a_damaged_run_is_passed_over_and_spoils_no_other(ward_id, config, bytes_):
    kept, damaged = create_run(ward_id, config), create_run(ward_id, config)
    folder = runs.run_folder(damaged)
    (folder / runs.RUN).write_bytes(bytes_)
    assert [row.id for row in list_runs()] == [kept]
    with pytest.raises(StoreError, match=r"run\.json' is damaged"):
        runs.read_asked(folder)


@pytest.mark.parametrize("bytes_", [b"[]", b"[1]", b"{}", b"7", b"{", b'{"pid": [], "name": 1}'])
def test_a_damaged_card_or_lock_is_as_none(finished, bytes_):
    for name in (runs.CARD, states.LOCK):
        (finished / name).write_bytes(bytes_)
    (row,) = list_runs()
    assert (row.state, row.card.note) == ("done", "")
    assert states.worker_of(finished) is None
    assert states.slots_of(finished) == 1
    assert change_card(finished.name, name="Renal").name == "Renal"
