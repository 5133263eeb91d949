"""The command line of the contract."""

import json
import subprocess
import sys

import pytest

from cacviz import runs
from cacviz.cli import main
from cacviz.engine.demo import make_demo
from cacviz.runs import load_model, load_run


@pytest.fixture
def ward(tmp_path, monkeypatch):
    monkeypatch.setenv("CACVIZ_DATA_DIR", str(tmp_path / "store"))
    path = tmp_path / "ward.csv"
    make_demo(400).frame.to_csv(path, index=False)
    yield path
    for row in runs.list_runs():
        runs.delete_run(row.id)  # its worker may still be describing the result


SETTINGS = ["--outcome", "In-hospital_death", "--id", "RecordID", "--method", "cac"]
DROPPED = ["--drop", "Length_of_stay,FollowUpDays,Death30Days"]


def fit(ward, *more):
    store = ["--data-dir", str(ward.parent / "store")]
    return main(["fit", str(ward), *SETTINGS, *DROPPED, *store, *more])


def test_fit_prints_the_object_of_the_contract(ward, capsys):
    assert fit(ward, "--clusters", "2", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    wanted = "run method clusters test silhouette routing_agreement seconds"
    assert set(wanted.split()) <= set(said)
    assert len(said["clusters"]) == 2
    assert all(c["n"] == sum(c["class_counts"]) for c in said["clusters"])
    assert {"auprc_macro", "auprc_positive", "auc", "f1_macro"} <= set(said["test"])


def test_fit_out_writes_a_run_that_loads_and_predicts(ward, capsys):
    out = ward.parent / "found"
    assert fit(ward, "--clusters", "2", "--out", str(out)) == 0
    assert "Subtype 2" in capsys.readouterr().out
    assert load_run(out).summary.config.n_clusters == 2
    preparation, model = load_model(out)
    frame = make_demo(400).frame
    assert (model.predict_proba(preparation.transform(frame).X) == load_run(out).proba).all()


def test_fit_says_in_words_that_a_large_alpha_collapsed(ward, capsys):
    assert fit(ward, "--clusters", "2", "--alpha", "0.6") == 0
    assert "beyond its critical value" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "required"),
        (["fit", "nowhere.csv", "--outcome", "y"], "not found"),
        (["fit", "WARD", "--outcome", "nothing"], "no column"),
        (["fit", "WARD", *SETTINGS, "--method", "magic"], "no method"),
        (["fit", "WARD", *SETTINGS, "--clusters", "0"], "1 or more"),
        (["fit", "WARD", *SETTINGS, "--cut", "a,b"], "list of numbers"),
    ],
)
def test_a_wrong_call_is_one_line_and_code_2(ward, capsys, arguments, words):
    arguments = [str(ward) if a == "WARD" else a for a in arguments]
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code
    said = capsys.readouterr()
    assert code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert words in said.err


def test_python_runs_the_package_as_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "cacviz", "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("usage: cacviz")
