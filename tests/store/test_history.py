"""Rows that a job writes as it goes: whole lines, whatever happened in between."""

import pytest

from cacviz.store import atomic, history
from cacviz.store.history import HISTORY, append_rows, end_torn_line, read_history, read_rows


def test_history_drops_a_torn_line_and_keeps_the_later_of_two(tmp_path):
    rows = (
        b'{"phase":"a","epoch":1,"loss":3}\n{"phase":"a","epo\n{"phase":"a","epoch":1,"loss":2}\n'
    )
    (tmp_path / HISTORY).write_bytes(rows)
    assert read_history(tmp_path) == [{"phase": "a", "epoch": 1, "loss": 2}]


def test_a_step_is_told_by_its_phase_and_unit(tmp_path):
    append_rows(tmp_path, b'{"phase":"a","epoch":1}\n{"phase":"b","epoch":1}\n{"round":1}\n')
    assert len(read_history(tmp_path)) == 3


def test_rows_without_a_step_are_all_kept(tmp_path):
    append_rows(tmp_path, b'{"phase":"a"}\n{"phase":"a"}\n')
    assert len(read_history(tmp_path)) == 2


@pytest.mark.parametrize("junk", [b"[]\n", b"7\n", b"\xff\xfe\n", b"\n", b"null\n"])
def test_what_is_no_row_is_passed_over(tmp_path, junk):
    append_rows(tmp_path, junk + b'{"epoch":1}\n')
    assert read_rows(tmp_path) == [{"epoch": 1}]


def test_without_a_file_there_are_no_rows(tmp_path):
    assert read_rows(tmp_path) == read_history(tmp_path) == []


def test_after_a_torn_line_the_next_begins_on_its_own(tmp_path):
    (tmp_path / HISTORY).write_bytes(b'{"epoch":1}\n{"epo')
    end_torn_line(tmp_path)
    append_rows(tmp_path, b'{"epoch":2}\n')
    assert read_rows(tmp_path) == [{"epoch": 1}, {"epoch": 2}]


def test_rows_that_the_disk_refuses_halfway_leave_nothing_behind(tmp_path, monkeypatch):
    append_rows(tmp_path, b'{"epoch":1}\n')
    real = atomic.write

    def full(descriptor, data):
        real(descriptor, data[:5])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(history.atomic, "write", full)
        with pytest.raises(OSError, match="No space"):
            append_rows(tmp_path, b'{"epoch":2}\n')
    assert (tmp_path / HISTORY).read_bytes() == b'{"epoch":1}\n'
