"""Captions that depend on the cohort."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.types import Column, Outcome
from cacviz.wording.captions import followed_words, mostly_below
from tests.wording.grammar import assert_sentence


def followed(unknown, *, event="event"):
    """Forty patients with a time and an event; of the first ones the outcome is not known."""
    n = np.arange(40)
    died = np.where(n % 2, "yes", "no").astype(object)
    died[:unknown] = None
    frame = pd.DataFrame({"age": 40 + n, "days": 10.0 + n, "seen": n % 3 == 0, "died": died})
    columns = [
        Column("age", "number"),
        Column("days", "number", "time"),
        Column("seen", "yesno", event),
        Column("died", "yesno", "outcome"),
    ]
    return make_cohort("followed", frame, columns, Outcome("died"))


@pytest.mark.parametrize(
    ("unknown", "words"), [(1, "1 patient has a time"), (7, "7 patients have")]
)
def test_curves_say_whom_they_hold_beside_those_held_out(unknown, words):
    said = followed_words(followed(unknown))
    assert_sentence(said)
    assert said.startswith(words)


def test_subtypes_of_which_most_lie_below_0_are_named():
    values = np.array([-0.1, -0.2, 0.3, 0.2, 0.1, -0.1])
    said = mostly_below(values, np.array([0, 0, 0, 1, 1, 1]))
    assert said == "Most patients of Subtype 1 (67%) are below 0: no group of its own."
    assert mostly_below(np.abs(values), np.zeros(6, dtype=int)) == ""


def test_where_nobody_lacks_nothing_is_said():
    assert followed_words(followed(0)) == ""
    assert followed_words(followed(7, event="left out")) == ""
