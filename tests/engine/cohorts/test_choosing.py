"""What is decided about a table, and taken back."""

import pytest

from cacviz.engine.cohorts.choosing import (
    can_undo,
    carried_over,
    changes_between,
    first_choices,
    settled,
    undone,
    with_kept,
    with_kinds,
    with_labels,
    with_levels,
    with_missing,
    with_outcome,
    with_roles,
)
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Choices, Column, Outcome, Step


@pytest.fixture
def choices():
    names = ("id", "age", "los", "death", "sex")
    return settled(Choices(tuple(Column(n, "number") for n in names), Outcome("death")))


def roles(choices):
    return {c.name: c.role for c in choices.columns}


def test_dates_and_free_text_start_left_out():
    columns = [Column("born", "date"), Column("note", "text"), Column("age", "number")]
    assert roles(first_choices(columns)) == {
        "born": "left out",
        "note": "left out",
        "age": "feature",
    }


def test_the_former_outcome_becomes_what_was_asked_for(choices):
    left = with_outcome(choices, Outcome("los"), "left out")
    used = with_outcome(choices, Outcome("los"), "feature")
    assert (roles(left)["death"], roles(used)["death"]) == ("left out", "feature")
    assert roles(used)["los"] == "outcome"


def test_cutting_the_same_outcome_anew_leaves_its_column_the_outcome(choices):
    again = with_outcome(choices, Outcome("death", cuts=(3.0,)), "feature")
    assert roles(again)["death"] == "outcome"


@pytest.mark.parametrize("role", ["patient id", "time", "event", "treatment"])
def test_a_role_that_one_column_can_have_passes_on(choices, role):
    first = with_roles(choices, {"id": role})
    second = with_roles(first, {"age": role})
    assert second.names(role) == ["age"]
    assert roles(second)["id"] == "left out"


def test_an_unknown_column_is_named_with_those_that_come_close(choices):
    with pytest.raises(CohortError, match=r"no column 'aeg'.*age"):
        with_roles(choices, {"aeg": "left out"})


def every_kind_of_change(choices):
    yield with_roles(choices, {"los": "left out", "id": "patient id"})
    yield with_outcome(choices, Outcome("los", cuts=(7.0, 13.0)))
    yield with_kinds(choices, {"sex": "category"})
    yield with_missing(choices, {"age": "999"})
    yield with_labels(choices, {"age": ("Age", "years")})
    yield with_levels(choices, {"sex": {"1": "male", "2": "female"}})
    yield with_kept(choices, "tells", ["los"])


def test_whatever_was_done_can_be_taken_back(choices):
    for after in every_kind_of_change(choices):
        step = Step(1.0, changes_between(choices, after))
        assert step.changes
        assert can_undo(after, step)
        assert undone(after, step) == choices


def test_a_step_on_which_a_later_one_rests_cannot_be_taken_back(choices):
    first = with_roles(choices, {"los": "left out"})
    step = Step(1.0, changes_between(choices, first))
    second = with_roles(first, {"los": "external check"})
    assert not can_undo(second, step)
    assert can_undo(with_labels(first, {"los": ("Stay", "days")}), step)


def test_choices_go_over_to_another_file_as_far_as_its_columns_are_there(choices):
    earlier = with_labels(with_roles(choices, {"los": "left out"}), {"age": ("Age", "years")})
    other = Choices(tuple(Column(n, "number") for n in ("age", "los", "new", "death")))
    found = carried_over(other, earlier)
    assert roles(found) == {
        "age": "feature",
        "los": "left out",
        "new": "feature",
        "death": "outcome",
    }
    assert found.columns[0].unit == "years"
