"""The command line of the contract."""

import json
import subprocess
import sys

import pytest

from cacviz import cli, runs
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
        (["fit", "WARD", *SETTINGS, "--clusters", "999"], "999 subtypes are too many"),
        (["fit", "WARD", *SETTINGS, "--cut", "a,b"], "list of numbers"),
        (["fit", "WARD", *SETTINGS, "--cut", "nan"], "list of numbers"),
        (["fit", "WARD", *SETTINGS, "--quantiles", "-1"], "0 or more"),
        (["fit", "WARD", *SETTINGS, "--alpha", "nan"], "'nan' is not a number of 0 or more"),
        (["fit", "WARD", *SETTINGS, "--beta", "-1"], "0 or more"),
        (["fit", "WARD", *SETTINGS, "--seed", "-1"], "whole number from 0 to"),
        (["fit", "WARD", *SETTINGS, "--seed", "4294967296"], "whole number from 0 to"),
        (["fit", "WARD", *SETTINGS, "--out", "WARD"], "there already"),
        (["fit", "WARD", *SETTINGS, "--out", "WARD/run"], "is a file"),
        (["fit", "WARD", *SETTINGS, "--data-dir", "WARD"], "ward.csv' cannot be used"),
        (["fit", "WARD", *SETTINGS, "--data-dir", "/proc/nope"], "'/proc/nope' cannot be used"),
        (["compare", "WARD", *SETTINGS[:2], "--data-dir", "/proc/nope"], "cannot be used"),
        (["compare", "WARD", *SETTINGS[:2], "--out", "nowhere/r.csv"], "no folder 'nowhere'"),
        (["app", "--port", "99999999"], "from 1 to 65535"),
        (["app", "--data-dir", "WARD"], "cannot be used"),
    ],
)
def test_a_wrong_call_is_one_line_and_code_2_and_leaves_no_run(
    ward, capsys, monkeypatch, arguments, words
):
    monkeypatch.setattr("os.execv", lambda *_: pytest.fail("the app was started"))
    store = ward.parent / "store"
    try:
        code = main([a.replace("WARD", str(ward)) for a in arguments])
    except SystemExit as stop:
        code = stop.code
    said = capsys.readouterr()
    assert code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert words in said.err
    monkeypatch.setenv("CACVIZ_DATA_DIR", str(store))
    assert runs.list_runs() == []


def test_a_run_that_its_worker_refused_is_code_2(ward, capsys, monkeypatch):
    refused = runs.Progress("failed", "Class 'late' has one patient.", refused=True)
    monkeypatch.setattr(runs, "start_run", lambda *_: "0" * 26)
    monkeypatch.setattr(runs, "follow", lambda _: [refused])
    assert fit(ward) == 2
    assert "one patient" in capsys.readouterr().err


def test_what_the_disk_refuses_is_one_line_that_says_where(ward, capsys, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied", "/mnt/share/run")

    monkeypatch.setattr(runs, "start_run", refuse)
    assert fit(ward) == 2
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "cacviz: '/mnt/share/run' cannot be read or written (Permission denied). "
        "Check the disk and try again."
    ]


def test_app_of_an_installation_without_the_pages_is_one_line(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("os.execv", lambda *_: pytest.fail("the app was started"))
    monkeypatch.setattr(cli, "ROOT", tmp_path)
    assert main(["app"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "make app" in said.err


def test_a_figure_that_does_not_exist_is_null_in_json(ward, capsys):
    stays = make_demo(400).frame["Length_of_stay"].sort_values()
    cuts = f"{stays.iloc[200]},{stays.iloc[-2]}"  # the last class has one patient
    others = ["--drop", "In-hospital_death,FollowUpDays,Death30Days", "--clusters", "2"]
    outcome = ["--outcome", "Length_of_stay", "--cut", cuts, "--method", "cac"]
    assert main(["fit", str(ward), *outcome, *others, "--id", "RecordID", "--json"]) == 0
    said = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert None in said["test"].values()


def test_python_runs_the_package_as_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "cacviz", "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("usage: cacviz")
