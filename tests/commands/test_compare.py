"""`cacviz compare`: the contract's rows, going on where it was, one clear line where it cannot."""

import csv
import os

import pytest

from cacviz.commands.main import main
from cacviz.engine.running.studies import COLUMNS
from cacviz.jobs import queue
from cacviz.store import history, studies
from tests.commands.conftest import LEFT_OUT, OUTCOME

SETTINGS = [*OUTCOME, "--drop", LEFT_OUT, "--methods", "kmeans"]
CELLS = {("lr", "1"), ("gbm", "1"), ("kmeans", "1"), ("kmeans", "2")}


@pytest.fixture(autouse=True)
def workers(monkeypatch):
    """`--jobs` sets the number of workers for this process: not beyond a test."""
    monkeypatch.setenv("CACVIZ_WORKERS", os.environ["CACVIZ_WORKERS"])


def compare(ward, *more, out="found.csv"):
    settings = ["--clusters", "2", "--splits", "2", "--jobs", "1", "--out", str(ward.parent / out)]
    return main(["compare", str(ward), *SETTINGS, *settings, *more])


def read(ward, out="found.csv"):
    with (ward.parent / out).open(newline="") as file:
        return list(csv.DictReader(file))


def fits():
    """How many fits the one study there is has done, those done twice included."""
    (study,) = studies.list_studies()
    rows = history.read_rows(studies.study_folder(study.id))
    return sum("method" in row for row in rows)


def test_what_may_tell_the_outcome_is_said_before_any_figure(ward, capsys, monkeypatch):
    monkeypatch.setattr(queue, "start_study", lambda *_, **__: pytest.exit("it begins"))
    with pytest.raises(pytest.exit.Exception):
        main(["compare", str(ward), *OUTCOME, "--methods", "kmeans", "--splits", "2"])
    said = capsys.readouterr().err
    assert all(f"'{name}'" in said for name in LEFT_OUT.split(","))


@pytest.mark.worker
def test_compare_writes_the_rows_of_the_contract_and_a_verdict(ward, capsys):
    assert compare(ward) == 0
    rows = read(ward)
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 8
    assert {(r["method"], r["clusters"]) for r in rows} == CELLS
    said = capsys.readouterr()
    assert "tell a difference from chance" in said.out  # two splits prove nothing
    assert "8 of 8 fits done" in said.err
    assert compare(ward, out="again.csv") == 0
    assert read(ward, "again.csv") == rows
    assert fits() == 8


@pytest.mark.worker
def test_ctrl_c_keeps_the_rows_and_the_same_command_goes_on(ward, capsys, monkeypatch):
    follow = queue.follow_study

    def interrupted(study_id):
        for now in follow(study_id):
            yield now
            if len(studies.study_rows(study_id)) >= 3:
                raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(queue, "follow_study", interrupted)
        assert compare(ward) == 130
    early = read(ward)
    assert early
    assert "Stopped" in capsys.readouterr().err
    assert compare(ward) == 0
    rows = read(ward)
    assert len(rows) == 8
    assert all(row in rows for row in early)
    assert fits() == 8


def test_what_is_not_of_this_comparison_is_never_written_over(ward, capsys, monkeypatch):
    monkeypatch.setattr(queue, "start_study", lambda *_, **__: pytest.fail("it was started"))
    (ward.parent / "found.csv").write_text("method,clusters\n")
    assert compare(ward) == 2
    assert "--out" in capsys.readouterr().err
    assert (ward.parent / "found.csv").read_text() == "method,clusters\n"
    before = ward.read_bytes()
    assert compare(ward, out=ward.name) == 2  # the cohort itself
    assert ward.read_bytes() == before


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--methods", "magic"], "no method 'magic'"),
        (["--methods", "lr"], "Choose a method that finds subtypes"),
        (["--clusters", "two"], "--clusters is 'two'"),
        (["--splits", "0"], "number of splits"),
        (["--jobs", "0"], "'0' is not a whole number of 1 or more"),
    ],
)
def test_a_wrong_call_is_one_line_and_code_two(ward, capsys, more, said):
    try:
        code = compare(ward, *more)
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert said in error


def test_a_scheduler_without_the_extra_is_one_line_and_code_two(ward, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    assert compare(ward, "--scheduler", "tcp://nowhere:1") == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert "pip install -e '.[cluster]'" in error
