"""`cacviz predict`: the contract's table, the run's own bits, one line where a file is wrong."""

import csv

import pandas as pd
import pytest

from cacviz.commands.main import main
from cacviz.engine.scoring.calibration import recalibrated
from cacviz.store import runs
from cacviz.store.risk_choices import change_choices
from tests.commands.conftest import LEFT_OUT, OUTCOME


@pytest.mark.worker
def test_predict_gives_the_runs_bits_by_folder_and_by_id(ward, capsys):
    out, found = ward.parent / "found", ward.parent / "predicted.csv"
    arguments = [*OUTCOME, "--drop", LEFT_OUT, "--method", "cac", "--clusters", "2"]
    assert main(["fit", str(ward), *arguments, "--out", str(out)]) == 0
    (row,) = runs.list_runs()
    capsys.readouterr()
    assert main(["predict", str(out), str(ward), "--out", str(found)]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "400 patients predicted." in said.err
    assert main(["predict", row.id, str(ward)]) == 0
    assert capsys.readouterr().out == found.read_text("utf-8")

    stored, table = runs.load_run(out), list(csv.reader(found.read_text("utf-8").splitlines()))
    classes = [f"risk_{c}" for c in stored.summary.classes]
    assert table[0] == ["RecordID", "subtype", "margin", *classes]
    assert [int(r[0]) for r in table[1:]] == pd.read_csv(ward)["RecordID"].tolist()
    assert {r[1] for r in table[1:]} == {"1", "2"}
    assert [[float(v) for v in r[3:]] for r in table[1:]] == stored.proba.tolist()

    change_choices(row.id, recalibrated=True, slope=0.5, shifts=(0.0, 0.0))
    assert main(["predict", row.id, str(ward)]) == 0
    said = capsys.readouterr()
    assert "recalibrated" in said.err
    milder = [[float(v) for v in r[3:]] for r in list(csv.reader(said.out.splitlines()))[1:]]
    assert milder == recalibrated(stored.proba, 0.5, (0.0, 0.0)).tolist()
    assert main(["predict", row.id, str(ward), "--as-given"]) == 0
    assert capsys.readouterr().out == found.read_text("utf-8")

    new = ward.parent / "new.csv"
    pd.read_csv(ward).drop(columns=["RecordID", "Age"]).head(3).to_csv(new, index=False)
    assert main(["predict", str(out), str(new)]) == 2
    assert "'Age'" in capsys.readouterr().err
    assert main(["predict", str(out), str(new), "--allow-missing", "--warnings"]) == 0
    said = capsys.readouterr()
    assert "'Age'" in said.err
    table = list(csv.reader(said.out.splitlines()))
    assert [r[0] for r in table] == ["row", "1", "2", "3"]
    assert "not known" in table[1][-1]


@pytest.mark.parametrize(
    ("run", "table", "words"),
    [
        ("nowhere", "ward.csv", "no folder 'nowhere'"),
        (".", "ward.csv", "holds no run"),
        ("0" * 26, "ward.csv", "not here"),
    ],
)
def test_a_run_that_is_not_there_is_one_line_and_code_2(
    ward, capsys, monkeypatch, run, table, words
):
    monkeypatch.chdir(ward.parent)
    assert main(["predict", run, table]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
