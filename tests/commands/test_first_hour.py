"""The first hour of a data scientist: what the README shows is done as it is written there."""

import re
import shlex

import numpy as np
import pandas as pd
import pytest

from cacviz.commands.main import main
from cacviz.engine.cohorts.demo import make_demo
from cacviz.store import runs
from tests.imports import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
NAMES = {
    "In-hospital_death": "death",
    "RecordID": "patient",
    "Length_of_stay": "los",
    "FollowUpDays": "survival",
}

FEATURES = ["Age", "Sex", "Lactate_last", "GCS_median", "BUN_last", "HR_median"]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with icu.csv and new.csv, whose columns the README's examples name."""
    frame = make_demo(300).frame.rename(columns=NAMES)[[*NAMES.values(), *FEATURES]]
    frame.to_csv(tmp_path / "icu.csv", index=False)
    frame.drop(columns=["death", "los"]).head(20).to_csv(tmp_path / "new.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands(*begins):
    """The README's command lines that begin so, in its order."""
    lines = [line for line in README.splitlines() if line.startswith(begins)]
    assert len(lines) == len(begins)
    return [shlex.split(line, comments=True)[1:] for line in lines]


@pytest.mark.heavy
def test_the_api_example_of_the_readme_runs_and_gives_what_it_says(monkeypatch):
    (code,) = re.findall(r"## The API\n\n```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(ROOT)
    known = {}
    exec(compile(code, "README.md", "exec"), known)
    (said,) = re.findall(r"Scored\(value=([\d.]+), low=([\d.]+), high=([\d.]+)\)", code)
    auc = known["run"].summary.test["auc"]
    assert tuple(f"{v:.3f}" for v in (auc.value, auc.low, auc.high)) == said
    assert not set(known["drop"]) & set(known["cohort"].names("feature"))
    assert known["run"].summary.controls
    assert known["model"].predict_proba(known["X"]).shape == (3000, 2)
    assert set(known["model"].predict_cluster(known["X"])) <= {0, 1, 2}


@pytest.mark.worker
def test_the_first_command_of_the_readme_runs_on_the_demo_as_it_stands(
    data_folder, monkeypatch, capsys
):
    monkeypatch.chdir(ROOT)
    (fit,) = commands("cacviz fit sample_data/demo_icu.csv")
    assert main(fit) == 0
    (promised,) = re.findall(r"prints `(auprc_macro: [^`]*)`", README)
    assert promised in capsys.readouterr().out


@pytest.mark.worker
def test_the_command_lines_of_the_readme_lead_from_a_file_to_a_report(desk, data_folder, capsys):
    fit, predict, report, export, take_in = commands(
        "cacviz fit icu.csv --outcome los",
        "cacviz predict run1",
        "cacviz report run1",
        "cacviz export run1",
        "cacviz import run.zip",
    )
    for command in (fit, predict, report, export):
        assert main(command) == 0, capsys.readouterr().err
    table = pd.read_csv("predicted.csv")
    assert len(table) == 20
    assert {"subtype", "margin"} <= set(table.columns)
    risks = table.filter(like="risk_").to_numpy()
    assert risks.shape[1] == 3
    assert np.allclose(risks.sum(axis=1), 1)
    page = (desk / "report.html").read_text(encoding="utf-8")
    assert "Subtype 1" in page
    assert main([*take_in, "--data-dir", str(desk / "elsewhere")]) == 0
    assert len(runs.list_runs()) == 1
