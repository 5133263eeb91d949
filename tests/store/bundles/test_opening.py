"""Files from anybody: what is not a run of cacviz is refused with a reason, and nothing is kept."""

import io
import json
import pickle
import zipfile

import pytest

from cacviz.store import atomic, paths, runs
from cacviz.store.atomic import StoreError
from cacviz.store.bundles import layout
from cacviz.store.bundles.opening import take_in
from cacviz.store.bundles.packing import pack_run


@pytest.fixture
def offered(with_kept, tmp_path, monkeypatch):
    """The files of a packed run; gives them and a way to offer them, changed, to another store."""
    with zipfile.ZipFile(io.BytesIO(pack_run(with_kept[1], with_patients=True))) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path / "elsewhere"))

    def offer(changed, *, relist=True):
        if relist:
            head = json.loads(changed["bundle.json"])
            others = {n: d for n, d in changed.items() if n != "bundle.json"}
            head["files"] = {n: [atomic.sha256(d), len(d)] for n, d in others.items()}
            changed = {"bundle.json": json.dumps(head).encode(), **others}
        path = tmp_path / "offered.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in changed.items():
                archive.writestr(name, data)
        return take_in(path)

    return files, offer


def assert_refused(offer, files, why, **how):
    with pytest.raises(StoreError, match=why):
        offer(files, **how)
    assert runs.list_runs() == []
    assert not list(paths.cohorts_dir().iterdir())


def test_a_packed_run_is_taken_in(offered):
    files, offer = offered
    assert offer(files).n_patients == 400


@pytest.mark.parametrize(
    "name", ["../../evil.json", "/etc/cron.d/x", "result/../../x.json", "..\\x", "model.pkl", "a/"]
)
def test_a_path_that_no_run_has_is_refused(offered, name):
    files, offer = offered
    assert_refused(offer, {**files, name: b"{}"}, "does not belong to a run")


def test_a_pickle_is_never_opened(offered):
    files, offer = offered
    assert_refused(offer, {**files, "result/model.pkl": pickle.dumps(1)}, "does not belong")
    assert_refused(
        offer, {**files, "result/model.skops": pickle.dumps(1)}, "other files than were sealed"
    )


@pytest.mark.parametrize("name", ["result/model.safetensors", "run.json", "cohort/table.parquet"])
def test_a_changed_file_is_refused_by_name(offered, name):
    files, offer = offered
    assert_refused(
        offer, {**files, name: files[name] + b" "}, f"'{name}' was changed", relist=False
    )


def test_a_seal_that_was_not_broken_by_listing_anew_still_tells(offered):
    files, offer = offered
    summary = files["result/summary.json"].replace(b'"n_clusters":2', b'"n_clusters":3')
    assert summary != files["result/summary.json"]
    assert_refused(offer, {**files, "result/summary.json": summary}, "not of the run|other files")


def test_a_file_that_fills_the_disk_is_refused_before_it_is_unpacked(offered):
    files, offer = offered
    assert_refused(offer, {**files, "names.json": b"0" * 20_000_000}, "fill the disk")


def test_a_file_that_is_too_large_is_refused(offered, monkeypatch):
    files, offer = offered
    monkeypatch.setattr(layout, "LARGEST", 1000)
    assert_refused(offer, files, "larger than")


def test_a_newer_version_asks_for_an_update(offered):
    files, offer = offered
    head = json.loads(files["bundle.json"])
    for changed in ({"cacviz": "99.0.0"}, {"format": 2}, {"cacviz": "x"}):
        said = json.dumps(head | changed).encode()
        assert_refused(offer, {**files, "bundle.json": said}, "Update cacviz here")


def test_another_table_than_the_runs_is_refused(offered, with_kept):
    from cacviz.engine.cohorts.demo import make_demo
    from cacviz.store import tables

    files, offer = offered
    other = tables.to_parquet(make_demo(300).frame)
    assert_refused(offer, {**files, "cohort/table.parquet": other}, "table was changed")


def test_types_that_cacviz_does_not_write_are_not_opened(offered):
    import datetime

    import skops.io

    files, offer = offered
    inner = {n.removeprefix("result/"): d for n, d in files.items() if n.startswith("result/")}
    inner.pop(atomic.MANIFEST)
    inner["model.skops"] = skops.io.dumps({"0": datetime.timedelta(1)})
    sealed = {f"result/{n}": d for n, d in atomic.sealed(inner, {}).items()}
    assert_refused(offer, {**files, **sealed}, "types that cacviz does not write")


def test_what_is_no_zip_is_said_to_be_none(tmp_path, data_folder):
    path = tmp_path / "run.zip"
    path.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(StoreError, match="no zip file"):
        take_in(path)
