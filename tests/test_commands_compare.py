"""`cacviz compare`: the contract's rows, going on where it was, one clear line where it cannot."""

import csv

import pytest

from cacviz import commands_compare
from cacviz.cli import main
from cacviz.engine.demo import make_demo
from cacviz.engine.studies import COLUMNS

SETTINGS = ["--outcome", "In-hospital_death", "--id", "RecordID"]
SETTINGS += ["--drop", "Length_of_stay,FollowUpDays,Death30Days", "--methods", "kmeans"]


@pytest.fixture
def ward(tmp_path):
    path = tmp_path / "ward.csv"
    make_demo(300).frame.to_csv(path, index=False)
    return path


def compare(ward, *more, out="found.csv"):
    place = ["--data-dir", str(ward.parent / "store"), "--out", str(ward.parent / out)]
    settings = ["--clusters", "2", "--splits", "2", "--jobs", "1"]
    return main(["compare", str(ward), *SETTINGS, *settings, *place, *more])


def read(ward, out="found.csv"):
    with (ward.parent / out).open(newline="") as file:
        return list(csv.DictReader(file))


def test_compare_writes_the_rows_of_the_contract_and_a_verdict(ward, capsys):
    assert compare(ward) == 0
    rows = read(ward)
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 8
    assert {(r["method"], r["clusters"]) for r in rows} == {
        ("lr", "1"),
        ("gbm", "1"),
        ("kmeans", "1"),
        ("kmeans", "2"),
    }
    said = capsys.readouterr()
    assert "has a mean AUPRC for" in said.out
    assert "8 of 8" in said.err


def test_ctrl_c_keeps_the_rows_and_the_same_command_goes_on(ward, capsys, monkeypatch):
    real, made = commands_compare.run_study, []

    def interrupted(*args, on_row, **more):
        def keep(row):
            on_row(row)
            made.append(row)
            if len(made) == 3:
                raise KeyboardInterrupt

        real(*args, on_row=keep, **more)

    monkeypatch.setattr(commands_compare, "run_study", interrupted)
    assert compare(ward) == 130
    assert len(read(ward)) == 3
    assert "Stopped" in capsys.readouterr().err
    assert compare(ward) == 0
    assert len(made) == len(read(ward)) == 8
    assert "3 of 8 fits done" in capsys.readouterr().err


def test_rows_of_other_settings_are_never_mixed_in(ward, capsys):
    (ward.parent / "found.csv").write_text("method,clusters\n")
    assert compare(ward) == 2
    assert "--out" in capsys.readouterr().err
    assert (ward.parent / "found.csv").read_text() == "method,clusters\n"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--methods", "magic"], "no method 'magic'"),
        (["--clusters", "two"], "--clusters is 'two'"),
        (["--splits", "0"], "number of splits"),
        (["--jobs", "0"], "--jobs is 0"),
    ],
)
def test_a_wrong_call_is_one_line_and_code_two(ward, capsys, more, said):
    assert compare(ward, *more) == 2
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert said in error


def test_a_scheduler_without_the_extra_is_one_line_and_code_two(ward, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    assert compare(ward, "--scheduler", "tcp://nowhere:1") == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    assert "pip install -e '.[cluster]'" in lines[0]
