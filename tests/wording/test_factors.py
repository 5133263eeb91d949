"""Risk factors in words: how far explainers follow, what is shared, what the risk is of."""

from dataclasses import replace
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.judged.types import ClassView, Group, Judged
from cacviz.engine.insights.types import (
    Beeswarm,
    Effect,
    Mark,
    RiskFactor,
    Student,
    StudentState,
    View,
)
from cacviz.engine.types import Column, Note, Outcome, Scored
from cacviz.wording import factors
from tests.wording.grammar import assert_clean, assert_sentence

NAN = float("nan")
STUDENTS = {
    "explains": Student(0, 90, 40, "explains", 0.91),
    "hints": Student(1, 90, 40, "hints", 0.42),
    "too few": Student(2, 12, 1, "too few"),
    "constant": Student(3, 90, 40, "constant"),
}


def test_every_state_is_tried():
    assert set(STUDENTS) == set(get_args(StudentState))


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("explains", "follows the risks of this subtype closely (R² 0.91)."),
        ("hints", "closely (R² 0.42, 0.7 is needed)."),
        ("too few", "Too few patients to explain it."),
        ("constant", "gives every patient the same risk"),
    ],
)
def test_how_far_one_explainer_can_be_believed(state, words):
    said = factors.student_sentence(STUDENTS[state])
    assert_sentence(said)
    assert words in said


@pytest.mark.parametrize(
    ("states", "tone", "words"),
    [
        (
            ["explains", "explains"],
            "good",
            "all explainers follow the risks closely (mean R² 0.80; 0.7 or",
        ),
        (["explains", "hints"], "poor", "1 of 2 explainers follows the risks"),
        (
            ["explains", "explains", "too few"],
            "none",
            "the 2 explainers that could be fitted follow",
        ),
        (["explains", "too few"], "none", "the one explainer that could be fitted follows"),
        (["hints", "hints"], "poor", "no explainer follows the risks"),
        (["too few", "constant"], "none", "No subtype has a risk model that could be explained."),
    ],
)
def test_how_far_all_of_them_can_be_believed(states, tone, words):
    told = factors.fidelity_sentence(View(1, tuple(STUDENTS[s] for s in states), (), 0.8))
    assert_sentence(told.text)
    assert told.tone == tone
    assert words in told.text


@pytest.mark.parametrize("mark", get_args(Mark))
def test_shared_says_of_how_many_where_not_all_could_be_explained(mark):
    whole, part = factors.mark_words(mark, 3, 3), factors.mark_words(mark, 2, 3)
    assert_clean(f"{whole}{part}")
    assert bool(whole) == bool(mark)
    assert ("of the" in part or "among the" in part) == bool(mark)
    assert ("2 that could be explained" in part) == bool(mark)
    assert "explained" not in whole


@pytest.mark.parametrize(
    ("positive", "said"), [("yes", "Death"), ("1", "Death"), ("late", "Death = late")]
)
def test_the_class_is_said_unless_it_is_a_plain_yes(positive, said):
    values = np.array(["0", positive])[np.arange(20) % 2]
    frame = pd.DataFrame({"age": range(20), "death": values})
    columns = [Column("age", "number"), Column("death", "category", label="Death")]
    cohort = make_cohort("c", frame, columns, Outcome("death", positive=positive))
    assert factors.risk_of(cohort, 1) == said


def test_a_subtype_with_too_few_events_is_untested_not_without_factors():
    blank = RiskFactor("a", "A", "", 0.5, 0.1, "", 0.0, "", 1.0, p=float("nan"), counts=False)
    tried = replace(STUDENTS["explains"], factors=(), noise=(blank,))
    assert tried.untested
    assert "Too few patients" in factors.no_factor(tried)
    assert factors.unproven(tried, 10) == (
        "Not tested (1, with 50% of the gain)",
        factors.NOT_TRIED,
    )
    failed = replace(tried, noise=(replace(blank, p=0.4),))
    assert factors.no_factor(failed) == factors.NO_FACTOR
    assert (
        factors.unproven(failed, 1)[0]
        == "Not told from chance (the strongest 1, with 50% of the gain)"
    )


@pytest.mark.parametrize("text", [factors.LEAD, factors.BARS, factors.NO_FACTOR, factors.NOISE])
def test_what_stands_on_every_page_is_whole(text):
    assert_sentence(text)


def test_a_student_below_the_line_never_explains():
    assert not replace(STUDENTS["hints"], r2=0.69).explains


def factor(direction, mark="all", title="GCS lowest"):
    return RiskFactor("gcs", title, "", 0.3, 0.1, mark, direction)


def explained(*factors_of):
    students = [Student(j, 90, 40, "explains", 0.9, factors=f) for j, f in enumerate(factors_of)]
    return View(1, tuple(students), (), 0.9)


def test_a_column_that_acts_in_opposite_ways_is_pointed_out():
    view = explained((factor(0.8),), (factor(-0.7),), (factor(0.6),))
    (said,) = factors.opposed(view)
    assert (
        said == "GCS lowest raises the risk in Subtype 1 and Subtype 3 and lowers it in Subtype 2."
    )


@pytest.mark.parametrize("other", [factor(0.5), factor(-0.1), factor(-0.9, mark="")])
def test_nothing_is_pointed_out_where_a_column_has_one_clear_way(other):
    assert factors.opposed(explained((factor(0.8),), (other,))) == []


def test_subtypes_that_share_one_risk_model_are_not_said_to_have_mechanisms_of_their_own():
    assert_sentence(factors.shared_risk([Note("routing"), Note("shared risk")]))
    assert factors.shared_risk([Note("own risk")]) == ""


def test_the_swarm_says_what_grey_circles_are_where_some_were_not_measured():
    known = Beeswarm(0, ("a",), np.zeros((2, 1)), np.ones((2, 1)), ("",))
    assert "not measured" not in factors.swarm_caption(known, "death")
    some = replace(known, values=np.array([[1.0], [np.nan]]))
    said = factors.swarm_caption(some, "death")
    assert said.endswith("Grey circles: not measured.")
    assert_sentence(said)


def test_a_curve_says_where_it_is_the_being_measured_that_counts():
    gap = replace(factor(-1.0), of="GCS lowest not measured")
    curve = Effect("gcs", "GCS lowest", "", (3.0, 15.0), (), (0.2, 0.1))
    said = factors.effect_caption(explained((gap,), (factor(0.5),)), [(0, curve), (1, curve)])
    assert "In Subtype 1 it is mostly whether GCS lowest was measured" in said
    assert_sentence(said)
    level = replace(curve, values=(), words=("F", "M"))
    plain = factors.effect_caption(explained((replace(gap, of="Sex = F"),)), [(0, level)])
    assert plain == factors.ONE_FEATURE


@pytest.mark.parametrize(
    ("low", "words"), [(0.24, "not shown to order this subtype's held-out patients"), (0.56, "")]
)
def test_factors_of_risks_no_better_than_chance_are_doubted(low, words):
    scored = Judged(
        Group("subtype", cluster=1), 40, 15, Scored(0.4, 0.3, 0.5), Scored(0.6, low, 0.8)
    )
    found = SimpleNamespace(views=(ClassView(1, (scored,)),))
    said = factors.not_ranked(found, 1, 1)
    assert words in said
    assert bool(said) == bool(words)
    assert factors.not_ranked(found, 1, 0) == factors.not_ranked(None, 1, 1) == ""


def test_factors_are_hints_where_there_are_any():
    factor = RiskFactor("age", "Age", "", 0.4, 0.1, "", 1.0)
    said = factors.student_sentence(replace(STUDENTS["hints"], factors=(factor,)))
    assert said.endswith("0.7 is needed): read its factors as hints only.")


@pytest.mark.parametrize(
    ("classes", "said"),
    [(("a", "b"), "death = b"), (("no", "yes"), "death"), (("≤ 7", "> 7"), "death > 7")],
)
def test_a_class_that_was_cut_needs_no_other_sign(classes, said):
    frame = pd.DataFrame({"death": [3.0, 9.0]})
    cohort = make_cohort("c", frame, [Column("death", "number")], Outcome("death", cuts=(7.0,)))
    assert factors.risk_of(replace(cohort, classes=classes), 1) == said
