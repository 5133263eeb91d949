import errno
import os

import pytest

from cacviz.store import atomic
from cacviz.store.atomic import StoreError, read_manifest, read_sealed, seal_folder, write_file

CALLS = ("write", "sync", "rename")
FILES = {"a.json": b"{}", "b.bin": b"\x00" * 5000}


def fail_at(monkeypatch, number):
    """Make the call of that number to any primitive fail as a full disk does; count the calls."""
    made = []
    for name in CALLS:
        monkeypatch.setattr(atomic, name, _failing(getattr(atomic, name), made, number))
    return made


def _failing(call, made, number):
    def failing(*arguments):
        made.append(call)
        if len(made) == number:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return call(*arguments)

    return failing


def test_a_sealed_folder_reads_back(tmp_path):
    seal_folder(tmp_path / "part", FILES, {"auc": 0.8})
    assert read_manifest(tmp_path / "part").about == {"auc": 0.8}
    assert {name: read_sealed(tmp_path / "part", name) for name in FILES} == FILES


def test_whichever_call_fails_the_folder_is_whole_or_not_there(tmp_path):
    number, visible = 0, False
    while not visible:
        number += 1
        with pytest.MonkeyPatch.context() as patch:
            fail_at(patch, number)
            try:
                seal_folder(tmp_path / "part", FILES, {})
                visible = True
            except OSError:
                whole = read_manifest(tmp_path / "part") is not None
                assert whole == (tmp_path / "part").exists()
        assert not list(tmp_path.glob(".tmp-*"))
        if not visible:
            atomic.remove(tmp_path / "part")
    assert number > 3 * 2 + 2  # three files written and synced, two folders synced, one rename


def test_whichever_call_fails_a_file_keeps_its_old_bytes_or_has_the_new_ones(tmp_path):
    path = tmp_path / "card.json"
    write_file(path, b"old")
    for number in range(1, 5):
        with pytest.MonkeyPatch.context() as patch:
            fail_at(patch, number)
            with pytest.raises(OSError, match="No space"):
                write_file(path, b"new")
        assert path.read_bytes() == (b"old" if number < 4 else b"new")
    assert not list(tmp_path.glob(".tmp-*"))


@pytest.mark.parametrize("name", ["a.json", "b.bin", "manifest.json"])
def test_a_cut_file_makes_the_folder_invisible(tmp_path, name):
    seal_folder(tmp_path / "part", FILES, {})
    os.truncate(tmp_path / "part" / name, 1)
    assert read_manifest(tmp_path / "part") is None


def test_a_changed_byte_is_refused(tmp_path):
    seal_folder(tmp_path / "part", FILES, {})
    (tmp_path / "part" / "b.bin").write_bytes(b"\x01" * 5000)
    with pytest.raises(StoreError, match="changed after it was saved"):
        read_sealed(tmp_path / "part", "b.bin")


def test_a_changed_manifest_is_refused(tmp_path):
    seal_folder(tmp_path / "part", FILES, {"auc": 0.5})
    manifest = tmp_path / "part" / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b"0.5", b"0.9"))
    assert read_manifest(tmp_path / "part") is None


def test_sweep_takes_what_the_dead_left_and_not_what_the_living_write(tmp_path):
    mine, theirs = atomic._hidden_beside(tmp_path / "x"), tmp_path / ".tmp-1-2.gone-abcd"
    mine.mkdir()
    theirs.mkdir()
    (theirs / "half").write_bytes(b"1")
    assert atomic.sweep(tmp_path) == 1
    assert mine.exists()
    assert not theirs.exists()


def test_a_folder_with_folders_inside_is_made_in_one_step(tmp_path):
    atomic.make_folder(tmp_path / "run", {"run.json": b"{}", "result/deep/summary.json": b"[]"})
    assert (tmp_path / "run" / "result" / "deep" / "summary.json").read_bytes() == b"[]"
    with pytest.raises(OSError, match="not empty"):
        atomic.make_folder(tmp_path / "run", {"run.json": b"other"})
    assert (tmp_path / "run" / "run.json").read_bytes() == b"{}"
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_what_is_no_json_is_as_none(tmp_path):
    (tmp_path / "torn.json").write_bytes(b'{"a": ')
    assert atomic.read_json(tmp_path / "torn.json") is None
    assert atomic.read_json(tmp_path / "absent.json") is None


def test_a_scratch_folder_is_gone_afterwards_even_after_an_error(tmp_path):
    def fall():
        with atomic.scratch(tmp_path) as folder:
            (folder / "upload").write_bytes(b"patients")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fall()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("code", "sentence"),
    [(errno.ENOSPC, "disk is full"), (errno.EDQUOT, "disk is full"), (errno.EIO, "cannot be read")],
)
def test_what_the_disk_refuses_is_a_sentence(code, sentence):
    with pytest.raises(StoreError, match=sentence), atomic.explained():
        raise OSError(code, "x")
