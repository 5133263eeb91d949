"""Insights were made with the labels of their day and are shown with those of today."""

from dataclasses import replace

import numpy as np
import pytest

from cacviz.engine.insights.described.profiles import profile_groups
from cacviz.engine.insights.relabelling import relabelled
from cacviz.engine.insights.types import (
    Beeswarm,
    Described,
    Effect,
    HeldOutTest,
    RiskFactor,
    Silhouettes,
    Student,
    Students,
    View,
)
from cacviz.engine.types import Column

TODAY = [Column("age", "number", label="Age at admission", unit="a"), Column("noise", "number")]


@pytest.fixture
def described(wards):
    return Described(profile_groups(wards[0], wards[1], 2, n_boot=0), (), ("A", "B"), None)


def feature(described, name):
    return next(f for f in described.profiles.features if f.name == name)


def test_a_feature_is_titled_as_its_column_is_today(described):
    made = relabelled(described, TODAY)
    age = feature(made, "age")
    assert (age.title, age.unit) == ("Age at admission", "a")
    assert age == replace(feature(described, "age"), title="Age at admission", unit="a")


def test_a_label_that_was_taken_away_gives_the_bare_name(described):
    noisy = replace(feature(described, "noise"), title="Noise (old)", unit="dB")
    old = replace(described, profiles=replace(described.profiles, features=(noisy,)))
    made = feature(relabelled(old, TODAY), "noise")
    assert (made.title, made.unit) == ("noise", "")


def test_columns_that_are_gone_keep_the_title_of_their_day(described):
    made = relabelled(described, TODAY)
    assert feature(made, "height") == feature(described, "height")
    assert made.names == ("A", "B")


def test_factors_and_effects_deep_inside_are_titled_anew():
    factor = RiskFactor("age", "Age", "years", 0.5, 0.1, "", 1.0)
    effect = Effect("age", "Age", "years", (1.0, 2.0), (), (0.1, 0.2))
    student = Student(0, 50, 20, factors=(factor,), noise=(factor,), effects=(effect,))
    swarm = Beeswarm(0, ("age",), np.zeros((2, 1)), np.zeros((2, 1)))
    students = Students((View(1, (student,), (swarm,), 0.8),))
    made = relabelled(students, TODAY).views[0]
    found = made.students[0]
    for part in (*found.factors, *found.noise, *found.effects):
        assert (part.title, part.unit) == ("Age at admission", "a")
    assert made.beeswarms[0].shap is swarm.shap


@pytest.mark.parametrize(
    ("of", "today"),
    [("", ""), ("Age not measured", "Age at admission not measured"), ("Other = F", "Other = F")],
)
def test_what_a_factor_is_said_of_follows_its_title(of, today):
    factor = RiskFactor("age", "Age", "years", 0.5, 0.1, "", 1.0, of)
    assert relabelled(factor, TODAY).of == today


def test_a_held_out_test_is_titled_anew_but_not_a_log_rank_test():
    rest = (100, 0.01, 0.01, True, 0.5, "Cramér's V")
    plain = HeldOutTest("age", "Age", "sensitive", "chi-square", *rest)
    rank = HeldOutTest("age", "Time to Death", "time", "log-rank", *rest)
    assert [t.title for t in relabelled((plain, rank), TODAY)] == [
        *("Age at admission", "Time to Death"),
    ]


def test_what_names_no_feature_is_given_back_as_it_is():
    scores = Silhouettes(np.arange(3), np.zeros(3), np.zeros(3), 0.1, 0.2, 3)
    assert relabelled(scores, TODAY) is scores
    assert relabelled(None, TODAY) is None
