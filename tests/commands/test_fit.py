"""`cacviz fit`: the contract's object, the run as a folder, and every finding in words."""

import json

import pytest

from cacviz.commands.main import main
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.running.methods import METHODS
from cacviz.engine.running.settings import COMMON
from cacviz.jobs import queue
from cacviz.store import paths, runs
from cacviz.store.runs import list_runs
from cacviz.store.states import Progress
from tests.commands.conftest import LEFT_OUT, OUTCOME

SETTINGS = [*OUTCOME, "--method", "cac"]


def fit(ward, *more):
    return main(["fit", str(ward), *SETTINGS, "--drop", LEFT_OUT, *more])


@pytest.mark.worker
def test_fit_prints_the_object_of_the_contract(ward, capsys):
    assert fit(ward, "--clusters", "2", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    wanted = "run method clusters test silhouette routing_agreement seconds controls notes"
    assert set(wanted.split()) <= set(said)
    assert len(said["clusters"]) == 2
    assert all(c["n"] == sum(c["class_counts"]) for c in said["clusters"])
    assert {"auprc_macro", "auprc_positive", "auc", "f1_macro"} <= set(said["test"])
    assert set(said["controls"]) == {"cac", "kmeans", "lr", "gbm"}  # cac: its own k = 1
    assert all(note.endswith(".") for note in said["notes"])
    assert said["conclusion"] == "too few"
    (row,) = list_runs()
    assert row.id == said["run"]


@pytest.mark.worker
def test_fit_out_writes_a_run_that_loads_and_predicts(ward, capsys):
    out = ward.parent / "found"
    assert fit(ward, "--clusters", "2", "--out", str(out)) == 0
    assert "Subtype 2" in capsys.readouterr().out
    assert runs.load_run(out).summary.config.n_clusters == 2
    preparation, model = runs.load_model(out)
    frame = make_demo(400).frame
    risks = model.predict_proba(preparation.transform(frame).X)
    assert (risks == runs.load_run(out).proba).all()


@pytest.mark.worker
def test_fit_says_in_words_that_a_large_alpha_collapsed_and_names_every_leak(ward, capsys):
    arguments = ["fit", str(ward), *SETTINGS, "--drop", "FollowUpDays,Death30Days"]
    assert main([*arguments, "--clusters", "2", "--alpha", "0.6"]) == 0
    said = capsys.readouterr().out
    assert "beyond its critical value" in said
    assert "'Length_of_stay'" in said


@pytest.mark.worker
def test_a_figure_that_does_not_exist_is_null_in_json(ward, capsys):
    stays = make_demo(400).frame["Length_of_stay"].sort_values()
    cuts = f"{stays.iloc[200]},{stays.iloc[-2]}"  # the last class has one patient
    others = ["--drop", "In-hospital_death,FollowUpDays,Death30Days", "--clusters", "2"]
    outcome = ["--outcome", "Length_of_stay", "--cut", cuts, "--method", "cac"]
    assert main(["fit", str(ward), *outcome, *others, "--id", "RecordID", "--json"]) == 0
    said = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert None in said["test"].values()


def test_a_run_that_its_worker_refused_is_code_2(ward, capsys, monkeypatch):
    refused = Progress("failed", "Class 'late' has one patient.", refused=True)
    monkeypatch.setattr(queue, "start_run", lambda *_, **__: "0" * 26)
    monkeypatch.setattr(queue, "follow_run", lambda _: [refused])
    assert fit(ward) == 2
    assert "one patient" in capsys.readouterr().err


def test_a_run_that_failed_otherwise_is_code_1(ward, capsys, monkeypatch):
    failed = Progress("failed", "The worker ended.", refused=False)
    monkeypatch.setattr(queue, "start_run", lambda *_, **__: "0" * 26)
    monkeypatch.setattr(queue, "follow_run", lambda _: [failed])
    assert fit(ward) == 1
    assert "The worker ended." in capsys.readouterr().err


def test_ctrl_c_stops_the_run(ward, capsys, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt
        yield

    stopped = []
    monkeypatch.setattr(queue, "start_run", lambda *_, **__: "0" * 26)
    monkeypatch.setattr(queue, "follow_run", interrupted)
    monkeypatch.setattr(queue, "stop_run", stopped.append)
    assert fit(ward) == 130
    assert stopped == ["0" * 26]
    assert "Stopped" in capsys.readouterr().err


def test_what_the_disk_refuses_is_one_line_that_says_where(ward, capsys, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", "/mnt/share/run")

    monkeypatch.setattr(queue, "start_run", refuse)
    assert fit(ward) == 2
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "cacviz: '/mnt/share/run' cannot be read or written (Permission denied). "
        "Check the disk and try again."
    ]


def test_flags_reach_the_run_and_what_was_not_given_is_not_set(ward, monkeypatch):
    asked = []
    monkeypatch.setattr(
        queue, "start_run", lambda _, config, **__: asked.append(config) or "0" * 26
    )
    monkeypatch.setattr(queue, "follow_run", lambda _: [Progress("failed", "enough")])
    fit(ward, "--clusters", "2", "--expert", "xgb", "--seed", "5")
    fit(ward, "--tune-alpha")
    first, second = asked
    assert (first.n_clusters, first.seed, first.settings) == (2, 5, (("expert", "xgb"),))
    assert second.settings == (("tune_alpha", True),)


def test_help_lists_every_method_and_the_words_of_the_catalogue(capsys):
    with pytest.raises(SystemExit):
        main(["fit", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert all(name in said for name in METHODS)
    assert COMMON["routing"].help in said


def test_data_dir_is_where_the_run_goes(ward, monkeypatch):
    monkeypatch.setattr(queue, "start_run", lambda *_, **__: "0" * 26)
    monkeypatch.setattr(queue, "follow_run", lambda _: [Progress("failed", "enough")])
    fit(ward, "--data-dir", str(ward.parent / "elsewhere"))
    assert paths.data_dir() == ward.parent / "elsewhere"
