"""Treatment in words: effects or associations, and with which power."""

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

from cacviz.engine.insights.treated.effects import arm_effects
from cacviz.engine.insights.treated.types import (
    Imbalance,
    Interaction,
    Treatment,
    TreatmentView,
)
from cacviz.wording import treatment as words
from tests.wording.grammar import assert_sentence


def view(p, factor=3.4, power=0.3):
    import numpy as np

    n, events = np.array([[10, 20], [30, 40]]), np.array([[1, 2], [3, 8]])
    found = None if p is None else Interaction(p, 3.0, 1, 100, "bootstrap", factor, power)
    return TreatmentView(1, arm_effects(n, events, 0), found)


@pytest.mark.parametrize("p", [None, 0.0004, 0.4])
@pytest.mark.parametrize("randomised", [True, False, None])
def test_the_verdict_is_made_of_sentences(p, randomised):
    for part in words.verdict_parts(view(p), randomised=randomised):
        assert_sentence(part)
    assert_sentence(words.standing_sentence(randomised))


def test_only_what_was_randomised_is_called_an_effect():
    assert "effect" in words.verdict_parts(view(0.4), randomised=True)[-1]
    assert "association" in words.verdict_parts(view(0.4), randomised=False)[-1]
    assert "association" in words.standing_sentence(False)


def test_power_is_told_even_where_nothing_can_be_found():
    assert "too few" in words.power_sentence(view(0.4, math.nan).interaction)
    said = words.power_sentence(view(0.4).interaction)
    assert "by a factor of 2 between" in said
    assert "a chance of 30%" in said
    assert "a factor of about 3.4" in said


def test_the_test_and_its_power_are_said_to_be_on_the_scale_of_odds():
    power, verdict = words.verdict_parts(view(0.4), randomised=True)
    assert "beyond what one common odds ratio gives" in verdict
    assert "percentage points" not in power
    old = words.power_sentence(view(0.4, math.nan, math.nan).interaction)
    assert_sentence(old)
    assert "not known" in old


def test_a_p_value_of_several_tests_is_said_to_be_adjusted():
    shown = view(0.04)
    several = replace(shown, interaction=replace(shown.interaction, tests=3))
    said = words.verdict_parts(several, randomised=True)[-1]
    assert_sentence(said)
    assert "adjusted for 3 outcomes" in said
    assert "adjusted" not in words.verdict_parts(shown, randomised=True)[-1]


def test_tables_have_a_line_an_effect():
    shown = view(0.4)
    found = Treatment("arm", "Arm", ("a", "b"), 0, ((10, 20), (30, 40)), (shown,), (), (), 3, 1)
    table = words.effect_table(found, shown, ["one", "two"])
    assert table["Subtype"].tolist() == ["All held-out patients", "one", "two"]
    assert_sentence(words.imbalance_sentence(found, randomised=None))


def test_a_bare_code_of_an_arm_has_the_treatments_name_before_it():
    found = Treatment("arm", "Arm", ("0", "drug"), 0, (), (), (), (), 3, 1)
    assert words.arm_titles(found) == ["Arm 0", "drug"]


def treatment(*differences):
    found = tuple(Imbalance(f"c{i}", f"Column {i}", d) for i, d in enumerate(differences))
    return Treatment("arm", "Arm", ("a", "b"), 0, (), (), (), found, len(found), len(found))


def test_features_that_tell_the_arm_are_named():
    said = words.repeats_sentence(treatment(5.0, 2.4, 0.3))
    assert_sentence(said)
    assert "'Column 0' and 'Column 1' tell much of the arm" in said
    assert "Column 2" not in said


def test_columns_that_tell_the_arm_are_no_differences_and_chance_is_said_of_trials_alone():
    found = treatment(5.0, 0.3, 0.2)
    said = words.imbalance_sentence(found, randomised=None)
    assert said.startswith("Among all patients of the cohort 2 of 2 features differ ")
    assert "or more, beside 'Column 0', which tells the arm. Of a column that was" in said
    assert "are chance" in words.imbalance_sentence(found, randomised=True)
    assert "made none either" not in words.lead(found)
    assert "made none either" in words.lead(treatment(0.3))


def test_tests_of_arms_are_adjusted_for_the_number_of_subtypes():
    curves = [SimpleNamespace(p=p, n=40) for p in (0.03, 0.5, float("nan"))]
    found = replace(treatment(0.3), survival=(*curves, None))
    assert words.log_rank_words(found, 0).startswith(
        "Log-rank between the arms: p = 0.060, adjusted for 2 subtypes; 40"
    )
    assert [words.log_rank_words(found, j) for j in (2, 3)] == ["", ""]


def test_ordinary_differences_between_arms_are_no_alarm():
    assert words.repeats_sentence(treatment(0.4, 0.1)) == ""


@pytest.mark.parametrize(
    ("n", "said"), [(0, "0 of 17 features differ "), (1, "1 of 17 features differs ")]
)
def test_the_verb_agrees_with_how_many_features_differ_between_the_arms(n, said):
    found = replace(treatment(0.2), n_features=17, n_imbalanced=n)
    assert words.imbalance_sentence(found, randomised=True).startswith(
        f"Among all patients of the cohort {said}"
    )
