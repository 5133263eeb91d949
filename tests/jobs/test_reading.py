"""Reading in a child process: the same table, and no file that brings the app down."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.tables import read_table
from cacviz.engine.series.joining import with_static
from cacviz.engine.series.records import read_records
from cacviz.engine.series.tables import series_table
from cacviz.engine.types import Window
from cacviz.jobs import reading
from cacviz.jobs.reading import read_safely
from cacviz.jobs.sweeping import sweep
from tests.engine.series.record_files import LONG, SET_A, as_csv, as_zip

CSV = b"age,lab,sex,seen,dead\n71,1.5,F,2020-01-01,yes\n64,,M,2020-02-01,no\n80,0.2,,,no\n"


def test_the_child_gives_the_same_table(tmp_path):
    path = tmp_path / "ward.csv"
    path.write_bytes(CSV)
    plain = read_table(CSV, "ward.csv", missing=["age=64"])
    for source in (CSV, path):
        safe = read_safely(source, "ward.csv", missing=["age=64"])
        pd.testing.assert_frame_equal(safe.frame, plain.frame)
        assert safe.columns == plain.columns
        assert (safe.notes, safe.digest) == (plain.notes, plain.digest)


def test_the_child_reads_the_sheet_that_was_asked_for(tmp_path):
    path = tmp_path / "ward.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"age": [70, 61], "dead": [0, 1]}).to_excel(book, sheet_name="A", index=False)
        pd.DataFrame({"note": ["x"]}).to_excel(book, sheet_name="B", index=False)
    assert read_safely(path, "ward.xlsx").sheets == ("A", "B")
    safe = read_safely(path, "ward.xlsx", sheet="B")
    assert list(safe.frame) == ["note"]
    assert safe.sheets == ("B", "A")


def test_errors_of_the_child_are_told_as_they_are():
    with pytest.raises(CohortError, match=r"Row 3 of ward\.csv has 3 values"):
        read_safely(b"a,b\n1,2\n1,2,3\n", "ward.csv")


def test_too_large_uploads_are_refused_without_a_child(monkeypatch):
    monkeypatch.setattr(reading, "_ask_child", None)
    with pytest.raises(CohortError, match="larger than"):
        read_safely(bytes(201 * 2**20), "big.csv")


def test_a_child_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(reading, "MAX_SECONDS", 0.01)
    with pytest.raises(CohortError, match="took longer than"):
        read_safely(CSV, "ward.csv")


def test_a_child_that_dies_is_an_answer(monkeypatch):
    monkeypatch.setenv(reading.MEMORY_VARIABLE, str(300 * 2**20))
    data = b"a,b\n" + b"12345.678,abcdefgh\n" * 2_000_000
    with pytest.raises(CohortError, match="memory"):
        read_safely(data, "ward.csv")


def test_nothing_is_left_on_disk(monkeypatch, tmp_path, data_folder):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    read_safely(CSV, "ward.csv")
    with pytest.raises(CohortError):
        read_safely(b"", "ward.csv")
    assert not list(tmp_path.iterdir())
    assert not list(data_folder.iterdir())


def test_an_upload_that_a_kill_left_is_swept(data_folder):
    code = (
        "import os; from cacviz.jobs import reading; "
        "reading._ask_child = lambda *_: os.kill(os.getpid(), 9); "
        "reading.read_safely(b'name,age\\nJOHN DOE,71\\n', 'ward.csv')"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    (left,) = data_folder.iterdir()
    assert (left / "upload").stat().st_size
    assert sweep() == 1
    assert not left.exists()


def test_the_child_imports_nothing_from_the_folder_it_is_started_in(monkeypatch, tmp_path):
    (tmp_path / "pandas.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    assert len(read_safely(CSV, "ward.csv").frame) == 3


def test_reading_loads_no_heavy_library():
    code = (
        "import sys, cacviz.jobs.reading, cacviz.engine.cohorts.making,"
        "cacviz.engine.cohorts.checks,"
        "cacviz.engine.preparation.splits, cacviz.engine.preparation.preparing;"
        "heavy = {'torch', 'numba', 'umap', 'sklearn', 'scipy', 'streamlit', 'openpyxl'};"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_numbers_cross_over_exactly():
    values = np.random.default_rng(0).normal(size=200)
    frame = pd.DataFrame({"x": values, "w": [f"é{i}" for i in range(200)]})
    got = read_safely(frame.to_csv(index=False).encode(), "ward.csv").frame
    assert np.array_equal(got["x"], values)
    assert got["w"].tolist() == frame["w"].tolist()


def test_records_come_with_their_hours_and_the_flow_from_the_child():
    asked = reading.RecordsAsked(
        window=Window(48), static=b"RecordID,died\n101,0\n102,1\n", static_name="died.csv"
    )
    phases = []
    safe = reading.read_records_safely(as_zip(SET_A), "set.zip", asked, phases.append)
    assert safe.series.values.shape[:2] == (2, 48)
    assert safe.frame["died"].tolist() == [0, 1]
    assert [e.reason for e in safe.flow.exclusions] == ["not in static table"]
    assert set(phases) - {""} <= set(reading.PHASES)
    again = series_table(
        with_static(read_records(as_zip(SET_A), "set.zip"), read_table(asked.static, "died.csv")),
        Window(48),
    )
    assert again.digest == safe.digest


def test_what_looks_like_records_is_said_and_not_read_as_a_table():
    found = reading.look_safely(as_csv(LONG), "long.csv")
    assert found.layout.variable == "variable"
    assert list(reading.look_safely(CSV, "ward.csv").frame) == ["age", "lab", "sex", "seen", "dead"]


def test_a_reading_that_is_interrupted_leaves_no_child(data_folder, monkeypatch):
    def press_stop(phase):
        if phase == "reading":
            raise KeyboardInterrupt

    started = []
    real = subprocess.Popen
    monkeypatch.setattr(
        reading.subprocess, "Popen", lambda *a, **k: started.append(real(*a, **k)) or started[-1]
    )
    monkeypatch.setattr(reading, "PATIENCE", 0.01)
    many = as_csv(LONG).replace(b"\n3,5.0", b"\n3,5.0,Lactate,2" * 100_000 + b"\n3,5.0")
    with pytest.raises(KeyboardInterrupt):
        reading.read_records_safely(many, "l.csv", reading.RecordsAsked(), press_stop)
    assert started[0].poll() is not None
    assert not list(data_folder.iterdir())


def test_a_table_that_this_machine_has_no_room_for_is_refused_before_it_is_held(monkeypatch):
    few = type("Memory", (), {"available": 1000})()
    monkeypatch.setattr(reading.psutil, "virtual_memory", lambda: few)
    monkeypatch.setattr(reading, "_load_table", lambda *_: pytest.fail("held"))
    with pytest.raises(CohortError, match="memory to work with"):
        reading.read_safely(b"age,died\n1,0\n2,1\n", "ward.csv")
