"""Reading in a child process: the same table, and no file that brings the app down."""

import resource
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from cacviz import runs
from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading import read_table
from cacviz.runs import intake
from cacviz.runs.intake import read_safely

CSV = b"age,lab,sex,seen,dead\n71,1.5,F,2020-01-01,yes\n64,,M,2020-02-01,no\n80,0.2,,,no\n"


def test_the_child_gives_the_same_table(tmp_path):
    path = tmp_path / "ward.csv"
    path.write_bytes(CSV)
    plain = read_table(CSV, "ward.csv", missing=["age=64"])
    for source in (CSV, path):
        safe = read_safely(source, "ward.csv", missing=["age=64"])
        pd.testing.assert_frame_equal(safe.frame, plain.frame)
        assert safe.columns == plain.columns
        assert safe.notes == plain.notes


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
    monkeypatch.setattr(intake, "_ask_child", None)
    with pytest.raises(CohortError, match="larger than"):
        read_safely(bytes(201 * 2**20), "big.csv")


def test_a_child_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(intake, "MAX_SECONDS", 0.01)
    with pytest.raises(CohortError, match="took longer than"):
        read_safely(CSV, "ward.csv")


def test_a_child_that_dies_is_an_answer(monkeypatch):
    monkeypatch.setenv(intake.MEMORY_VARIABLE, str(300 * 2**20))
    data = b"a,b\n" + b"12345.678,abcdefgh\n" * 2_000_000
    with pytest.raises(CohortError, match="memory"):
        read_safely(data, "ward.csv")


def test_where_the_system_refuses_to_limit_memory_the_other_limits_hold(monkeypatch):
    held = []

    def set_limit(kind, limits):
        if kind == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")  # as macOS says
        held.append(kind)

    monkeypatch.setattr(resource, "setrlimit", set_limit)
    intake.limit_self()
    assert held == [resource.RLIMIT_CPU, resource.RLIMIT_CORE]


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
        "import os; from cacviz.runs import intake; "
        "intake._ask_child = lambda *_: os.kill(os.getpid(), 9); "
        "intake.read_safely(b'name,age\\nJOHN DOE,71\\n', 'ward.csv')"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    (left,) = data_folder.iterdir()
    assert (left / "upload").stat().st_size
    assert runs.sweep() == 1
    assert not left.exists()


def test_the_child_imports_nothing_from_the_folder_it_is_started_in(monkeypatch, tmp_path):
    (tmp_path / "pandas.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    assert len(read_safely(CSV, "ward.csv").frame) == 3


def test_reading_loads_no_heavy_library():
    code = (
        "import sys, cacviz.runs.intake, cacviz.engine.cohorts, cacviz.engine.checks,"
        "cacviz.engine.splits, cacviz.engine.preparation;"
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
