"""Runs in words: titles, settings, rounds, where patients go, methods."""

import pytest

from cacviz.engine.running.methods import METHODS
from cacviz.engine.running.study_statistics import METRIC_NAMES
from cacviz.engine.types import Choices, Column, Condition, Outcome, RunConfig
from cacviz.wording.flow import flow_sentence
from cacviz.wording.methods import METRIC_TITLES, method_title
from cacviz.wording.rounds import ending_words, kept_words
from cacviz.wording.runs import run_titles, settings_words, told
from tests.wording.grammar import assert_clean, assert_sentence


def test_a_deep_run_tells_no_settings_of_cac():
    said = settings_words(RunConfig(method="deepcac", alpha=5.0, beta=20.0, routing="soft"), None)
    assert said.startswith("DeepCAC, k = 3, outcome separation (α) 5, subtype tightness (β) 20")
    assert "soft routing" in said
    assert not any(word in said for word in ("paper", "Logistic", "scaling", "tune", "_"))


def test_an_automatic_alpha_tells_its_value_and_where_it_comes_from():
    said = settings_words(RunConfig(), 0.05494)
    assert "outcome separation (α) 0.0549 (half its critical value)" in said
    assert "risk models: Logistic regression" in said
    assert "tuned" in settings_words(RunConfig(tune_alpha=True), 0.1)
    assert "(half" not in settings_words(RunConfig(alpha=0.2), 0.2)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_words_for_its_settings(method):
    said = settings_words(RunConfig(method=method), None)
    assert_clean(said)
    assert said.startswith(method_title(method))
    assert said.endswith("seed 0")


def test_a_method_that_is_gone_is_called_by_its_name():
    assert settings_words(RunConfig("gone", 2, 3), None) == "gone, k = 2, seed 3"
    assert method_title("gone") == "gone"


def test_every_metric_of_a_comparison_has_a_title():
    assert set(METRIC_NAMES) <= set(METRIC_TITLES)


COLUMNS = (Column("age", "number"), Column("los", "number"), Column("died", "yesno", "outcome"))
CHOICES = Choices(COLUMNS, Outcome("died"))
FEWER = Choices((COLUMNS[0], Column("los", "number", "left out"), COLUMNS[2]), Outcome("died"))
SOME = Choices(COLUMNS, Outcome("died"), (Condition("age", low=65),))


def titles(*runs):
    found = {str(i): told(*run, ("no", "yes")) for i, run in enumerate(runs)}
    return list(run_titles(found).values())


def test_a_title_says_what_differs_from_the_run_beside_it_and_no_more():
    assert titles((RunConfig(), CHOICES)) == ["CAC, k = 3"]
    assert titles((RunConfig(), CHOICES), (RunConfig("kmeans"), CHOICES)) == [
        *("CAC, k = 3", "k-means, k = 3"),
    ]
    assert titles((RunConfig(seed=1), CHOICES), (RunConfig(seed=2), CHOICES)) == [
        *("CAC, k = 3, seed 1", "CAC, k = 3, seed 2"),
    ]
    assert titles((RunConfig(), CHOICES), (RunConfig(), SOME)) == [
        *("CAC, k = 3, everybody", "CAC, k = 3, only age 65 or more"),
    ]


def test_what_follows_from_another_difference_is_not_said_twice():
    """A column less is both a feature less and a column left out."""
    assert titles((RunConfig(), CHOICES), (RunConfig(), FEWER)) == [
        *("CAC, k = 3, 2 features", "CAC, k = 3, 1 feature"),
    ]


def test_the_same_again_is_numbered_and_a_setting_that_one_has_is_said():
    same = [(RunConfig(), CHOICES)] * 3
    assert titles(*same) == ["CAC, k = 3", "CAC, k = 3 (2)", "CAC, k = 3 (3)"]
    assert titles((RunConfig(), CHOICES), (RunConfig(expert="xgb"), CHOICES)) == [
        *("CAC, k = 3", "CAC, k = 3, risk models: XGBoost (10 trees)"),
    ]


def test_names_of_the_users_own_stand_before_everything():
    found = {str(i): told(RunConfig(seed=i), CHOICES, (), "Mine") for i in range(2)}
    assert list(run_titles(found).values()) == ["Mine, seed 0", "Mine, seed 1"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], ""),
        ([{"epoch": 3, "loss": 0.1}], ""),
        ([{"round": 1, "moves": 9}, {"round": 5, "moves": 0}], "Converged after 5 rounds."),
        ([{"round": 1, "moves": 0}], "Converged after 1 round."),
        (
            [{"round": 100, "moves": 3}],
            "Stopped at the limit of 100 rounds, while patients still moved.",
        ),
    ],
)
def test_how_a_clustering_ended(rows, said):
    assert ending_words(rows, 100) == said


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (
            (5122, 1707, 2276, 30),
            "9,135 patients are 5,122 to learn from + 1,707 to tune by + 2,276 held out to test "
            "+ 30 left out: outcome not known.",
        ),
        (
            (60, 20, 20, 0),
            "100 patients are 60 to learn from + 20 to tune by + 20 held out to test.",
        ),
        ((1, 0, 0, 0), "1 patient is 1 to learn from + 0 to tune by + 0 held out to test."),
    ],
)
def test_where_the_patients_go_adds_up(counts, said):
    assert flow_sentence(counts) == said
    assert_sentence(said)


def test_where_stays_go_says_that_a_patient_goes_as_a_whole():
    said = flow_sentence((60, 20, 20, 0), 71)
    assert said.startswith("100 stays of 71 patients are 60 to learn from")
    assert said.endswith("All stays of a patient go the same way.")
    assert flow_sentence((60, 20, 20, 0), 100) == flow_sentence((60, 20, 20, 0))


def test_where_the_best_epoch_is_kept_the_last_one_need_not_be_it():
    row = {"phase": "cluster", "silhouette": 0.4, "validation_auprc": 0.7}
    assert_sentence(kept_words([row, row]))
    assert kept_words([row]) == ""  # nothing to choose from
    assert kept_words([{"phase": "cluster", "round": 1, "silhouette": 0.4}] * 5) == ""
