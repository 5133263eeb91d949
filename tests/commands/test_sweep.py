"""`cacviz sweep`: the contract's rows and JSON, Ctrl-C and going on, wrong calls in one line."""

import csv
import json
import os

import pytest

from cacviz.commands.main import main
from cacviz.engine.running.sweeps import plans
from cacviz.engine.running.sweeps.evidence import COLUMNS
from cacviz.jobs import sweeps as jobs
from cacviz.store import history, sweeps
from tests.commands.conftest import LEFT_OUT, OUTCOME

SETTINGS = [*OUTCOME, "--drop", LEFT_OUT, "--method", "kmeans", "--clusters", "1,2,3"]


@pytest.fixture(autouse=True)
def workers(monkeypatch):
    """`--jobs` sets the number of workers for this process: not beyond a test."""
    monkeypatch.setenv("CACVIZ_WORKERS", os.environ["CACVIZ_WORKERS"])


def sweep(ward, *more, out="found.csv"):
    settings = ["--seeds", "2", "--jobs", "1", "--out", str(ward.parent / out)]
    return main(["sweep", str(ward), *SETTINGS, *settings, *more])


def read(ward, out="found.csv"):
    with (ward.parent / out).open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.worker
def test_rows_and_json_are_the_contracts_and_a_stop_loses_nothing(ward, capsys, monkeypatch):
    monkeypatch.setattr(plans, "TWINS", {False: 2})
    monkeypatch.setattr(plans, "HALVINGS", {False: 1})
    follow = jobs.follow

    def interrupted(sweep_id):
        for now in follow(sweep_id):
            yield now
            if len(sweeps.sweep_rows(sweep_id)) >= 3:
                raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(jobs, "follow", interrupted)
        assert sweep(ward, "--resamples", "2") == 130
    early = read(ward)
    assert "Stopped" in capsys.readouterr().err
    assert sweep(ward, "--resamples", "2", "--json") == 0
    rows = read(ward)
    assert all(row in rows for row in early if row["clusters"] == "1")
    assert list(rows[0]) == [*COLUMNS, "jaccard_1", "jaccard_2", "jaccard_3"]
    assert [(r["clusters"], r["seed"]) for r in rows] == [(k, s) for s in "01" for k in "123"]
    said = capsys.readouterr()
    answer = json.loads(said.out)
    assert answer["suggested"] in (1, 2, 3)
    assert all(isinstance(sentence, str) for sentence in answer["why"])
    assert "fits done" in said.err
    (made,) = sweeps.list_sweeps()
    kept = history.read_rows(sweeps.sweep_folder(made.id))
    assert sum("kind" in row for row in kept) == len(made.asked.plan.cells())  # none done twice


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--method", "magic"], "no method 'magic'"),
        (["--method", "lr"], "finds no subtypes"),
        (["--clusters", "two"], "--clusters is 'two'"),
        (["--clusters", "1,40"], "too many"),
        (["--alphas", "1,2"], "'kmeans' has no alpha"),
        (["--seeds", "0"], "'0' is not a whole number"),
        (["--resamples", "-1"], "'-1' is not a whole number"),
    ],
)
def test_a_wrong_call_is_one_line_and_code_two(ward, capsys, more, said):
    try:
        code = sweep(ward, *more)
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert said in error


def test_another_file_is_never_written_over(ward, capsys):
    (ward.parent / "found.csv").write_text("mine\n")
    assert sweep(ward) == 2
    assert "--out" in capsys.readouterr().err
    assert (ward.parent / "found.csv").read_text() == "mine\n"
