"""`cacviz rule`: the contract's object, vetoes, and one line where it fails."""

import json

import pytest

from cacviz.commands.main import main
from cacviz.engine import fit_run, split_cohort
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.types import RunConfig
from cacviz.jobs import environment
from cacviz.store import cohorts, runs


@pytest.fixture(scope="module")
def fitted():
    cohort = make_demo(500)
    return cohort, fit_run(split_cohort(cohort, 0), RunConfig("kmeans", 3))


@pytest.fixture
def run(fitted):
    """The folder of a finished run in the test's own data folder."""
    cohort, found = fitted
    run_id = runs.create_run(cohorts.save_cohort(cohort), found.summary.config)
    runs.save_result(runs.run_folder(run_id), found, environment.describe(1))
    return runs.run_folder(run_id)


def test_a_rule_has_the_keys_of_the_contract(run, capsys):
    assert main(["rule", str(run), "--variables", "3", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert {"variables", "rule", "kappa", "subtypes"} <= set(said)
    assert 1 <= len(said["variables"]) <= 3
    assert isinstance(said["rule"], str)
    assert 0.4 < said["kappa"] <= 1
    assert len(said["subtypes"]) == 3
    assert all({"sensitivity", "ppv"} <= set(s) for s in said["subtypes"])


@pytest.mark.heavy
def test_vetoes_are_kept_and_an_exported_run_finds_its_patients(run, capsys, tmp_path):
    runs.export_run(run.name, tmp_path / "out")
    assert main(["rule", str(tmp_path / "out"), "--variables", "2", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["variables"][0]
    again = ["rule", run.name, "--variables", "2", "--without", first]
    assert main([*again, "--json"]) == 0
    assert first not in json.loads(capsys.readouterr().out)["variables"]
    assert main(again) == 0
    assert "kappa" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (["nowhere"], "There is no folder"),
        (["RUN", "--without", "Agee"], "no column"),
    ],
)
def test_a_wrong_call_is_one_line(run, capsys, call, word):
    assert main(["rule", *[str(run) if part == "RUN" else part for part in call]]) == 2
    *_, last = capsys.readouterr().err.strip().splitlines()
    assert word in last
