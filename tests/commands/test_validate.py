"""`cacviz validate`: the contract's object, and one line where it cannot be."""

import json

import pytest

from cacviz.commands.main import main
from cacviz.engine.cohorts.demo import make_demo
from tests.commands.test_rule import fitted, run  # noqa: F401

DEATH = "In-hospital_death"


@pytest.fixture
def other(tmp_path):
    path = tmp_path / "other.csv"
    make_demo(400, seed=5).frame.to_csv(path, index=False)
    return path


def test_a_validation_has_the_keys_of_the_contract(run, other, capsys):  # noqa: F811
    assert main(["validate", str(run), str(other), "--outcome", DEATH, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    keys = {"verdict", "why", "subtypes", "auc", "auprc_macro", "calibration_slope", "ari"}
    assert keys <= set(said)
    assert said["verdict"] in ("replicated", "in part", "not replicated", "cannot be told")
    assert len(said["subtypes"]) == 3
    for subtype in said["subtypes"]:
        assert {"n", "share", "profile_correlation", "rate"} <= set(subtype)
        assert subtype["rate"]["low"] <= subtype["rate"]["value"] <= subtype["rate"]["high"]
    assert all(sentence.endswith(".") for sentence in said["why"])


def test_it_is_told_in_words_too(run, other, capsys):  # noqa: F811
    assert main(["validate", str(run), str(other), "--outcome", DEATH]) == 0
    said = capsys.readouterr().out
    assert "Looked for anew there" in said
    assert "calibration slope" in said


def test_a_wrong_column_is_one_line(run, other, capsys):  # noqa: F811
    assert main(["validate", str(run), str(other), "--outcome", "Death"]) == 2
    assert "no column 'Death'" in capsys.readouterr().err
