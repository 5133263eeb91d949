"""What was decided about a cohort, in words: steps, roles, subgroups, differences."""

from dataclasses import replace
from typing import get_args

import pytest

from cacviz.engine.cohorts import choosing
from cacviz.engine.types import (
    Choices,
    Column,
    Condition,
    Kind,
    Outcome,
    Role,
    Step,
)
from cacviz.wording import choices as words
from tests.wording.grammar import assert_clean

COLUMNS = tuple(Column(n, "number") for n in ("id", "age", "los", "sex", "death"))
PLAIN = choosing.settled(Choices(COLUMNS, Outcome("death")))


def step(change, *args):
    after = change(PLAIN, *args)
    return words.step_words(Step(1.0, choosing.changes_between(PLAIN, after)))


@pytest.mark.parametrize(
    ("change", "args", "said"),
    [
        (choosing.with_roles, ({"los": "left out"},), "Left out: los"),
        (choosing.with_roles, ({"id": "patient id"},), "Patient id: id"),
        (
            choosing.with_roles,
            ({"los": "left out", "sex": "sensitive"},),
            "Left out: los; Sensitive: sex",
        ),
        (choosing.with_kinds, ({"sex": "yesno"},), "Read as yes/no: sex"),
        (choosing.with_missing, ({"age": "999", "los": "999"},), "999 means missing: age and los"),
        (choosing.with_labels, ({"age": ("Age", "")},), "Labelled: age"),
        (choosing.with_labels, ({"age": ("", "years")},), "Unit: age"),
        (
            choosing.with_levels,
            ({"sex": {"1": "male"}},),
            "Read as category: sex; Levels named: sex",
        ),
        (choosing.with_kept, ("stay", ["los"]), "Kept after a warning: los"),
        (choosing.with_subset, ([Condition("age", low=65)],), "Subgroup: age 65 or more"),
        (choosing.with_outcome, (None,), "No outcome; Left out: death"),
        (
            choosing.with_outcome,
            (Outcome("los", cuts=(7.0, 13.0)),),
            "Outcome: los cut at 7 and 13; Left out: death",
        ),
        (
            choosing.with_outcome,
            (Outcome("los", quantiles=3), "feature"),
            "Outcome: los in 3 equal parts; Feature: death",
        ),
        (choosing.with_outcome, (Outcome("death", positive="1"),), "Outcome: death, event 1"),
    ],
)
def test_every_kind_of_step_is_said(change, args, said):
    assert step(change, *args) == said
    assert_clean(said)


def test_the_end_of_a_subgroup_and_of_a_missing_code_are_said():
    subset = choosing.with_subset(PLAIN, [Condition("age", low=65)])
    back = Step(1.0, choosing.changes_between(subset, PLAIN))
    assert words.step_words(back) == "Everybody"
    coded = choosing.with_missing(PLAIN, {"age": "9"})
    assert words.step_words(Step(1.0, choosing.changes_between(coded, PLAIN))) == (
        "Nothing means missing: age"
    )
    assert words.step_words(Step(1.0, ())) == "Nothing"


def test_every_role_has_a_title_and_each_that_is_asked_for_has_help():
    assert set(words.ROLE_TITLES) == set(get_args(Role))
    assert set(words.ROLE_HELP) == set(get_args(Role)) - {"feature", "outcome"}
    assert all(text.endswith(".") for text in words.ROLE_HELP.values())
    assert words.role_words("event") == "Event"
    assert words.role_words("gone") == "gone"


def test_every_kind_has_its_word():
    assert [words.kind_words(k) for k in get_args(Kind)] == [
        *("number", "yes/no", "category", "date", "text"),
    ]


@pytest.mark.parametrize(
    ("outcome", "classes", "said"),
    [
        (None, (), "no outcome yet"),
        (Outcome("death"), ("no", "yes"), "death = yes"),
        (Outcome("stay"), ("short", "long", "very long"), "stay (short, long, very long)"),
        (Outcome("death"), (), "death"),
    ],
)
def test_the_outcome_as_a_list_shows_it(outcome, classes, said):
    assert words.outcome_words(outcome, classes) == said


def test_one_line_says_outcome_features_and_what_is_left_out():
    assert (
        words.used_words(PLAIN, ("0", "1")) == "Outcome death = 1; 4 features; no column left out"
    )
    left = choosing.with_roles(PLAIN, dict.fromkeys(("id", "los", "sex"), "left out"))
    assert words.used_words(left, most=2) == (
        "Outcome death; 1 feature; left out: id, los and 1 more"
    )
    none = choosing.with_subset(choosing.with_outcome(PLAIN, None), [Condition("age", high=65)])
    assert words.used_words(none) == (
        "Only age 65 or less; No outcome chosen yet; 4 features; left out: death"
    )


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (Condition("age", low=65), "age 65 or more"),
        (Condition("age", high=65.5), "age 65.5 or less"),
        (Condition("age", 18, 65), "age 18 to 65"),
        (Condition("sex", levels=("F",)), "sex F"),
        (Condition("unit", levels=("A", "B", "C")), "unit A or B or C"),
    ],
)
def test_a_condition_in_words(condition, said):
    assert words.subset_words([condition]) == said
    assert words.subset_words([condition, Condition("x", low=1)]) == f"{said} and x 1 or more"


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (PLAIN, ""),
        (choosing.with_roles(PLAIN, {"los": "left out"}), "without los"),
        (choosing.with_outcome(PLAIN, Outcome("los")), "outcome los, without los"),
        (choosing.with_subset(PLAIN, [Condition("age", low=65)]), "only age 65 or more"),
        (
            choosing.with_kinds(PLAIN, {"sex": "category"}),
            "columns read in another way, or in other roles",
        ),
        (choosing.with_labels(PLAIN, {"age": ("Age", "years")}), ""),
    ],
)
def test_how_a_runs_choices_differ_from_todays(run, said):
    assert words.difference_words(run, PLAIN) == said


def test_features_that_are_left_out_today_are_counted():
    today = choosing.with_roles(PLAIN, {"los": "left out", "sex": "left out"})
    assert words.difference_words(PLAIN, today) == "2 more features (los and sex)"
    today = choosing.with_roles(PLAIN, {"los": "left out"})
    assert words.difference_words(PLAIN, today) == "1 more feature (los)"
    none = replace(PLAIN, outcome=None)
    assert words.difference_words(none, PLAIN) == "outcome none"
