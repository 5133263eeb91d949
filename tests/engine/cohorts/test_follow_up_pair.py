"""A follow-up time and its event are found by the outcome that was made of them."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.checks import check_cohort, remedied
from cacviz.engine.cohorts.leaking.follow_up_pair import time_and_event
from cacviz.engine.cohorts.making import make_cohort, rechosen
from cacviz.engine.types import Column, Outcome
from tests.engine.reading.cohort_files import shared_cohort

N = 400


def followed(*, event=None, outcome=None):
    rng = np.random.default_rng(0)
    days = rng.exponential(900, N).round() + 1
    died = rng.random(N) < 0.6 if event is None else event
    frame = pd.DataFrame({"age": rng.normal(60, 9, N), "flag": rng.integers(0, 2, N)})
    frame["days"], frame["died"] = days, died.astype(int)
    early = died & (days <= 365)
    frame["y"] = np.where(early, 1.0, np.where(days > 365, 0.0, np.nan))
    if outcome is not None:
        frame["y"] = outcome(frame)
    columns = [Column("age", "number"), Column("flag", "yesno"), Column("days", "number")]
    columns += [Column("died", "yesno"), Column("y", "yesno")]
    return make_cohort("f", frame, columns, Outcome("y"))


def test_the_pair_and_the_day_are_found_and_a_click_gives_them_their_roles():
    cohort = followed()
    time, event, day = time_and_event(cohort)
    assert (time, event) == ("days", "died")
    assert 300 < day <= 365
    check = next(c for c in check_cohort(cohort) if c.code == "follow-up")
    taken = rechosen(cohort, remedied(cohort, check, check.remedies[0]))
    assert (taken.names("time"), taken.names("event")) == (["days"], ["died"])
    assert time_and_event(taken) is None


def test_an_outcome_that_is_the_event_or_that_chance_made_has_no_pair():
    rng = np.random.default_rng(1)
    assert time_and_event(followed(outcome=lambda f: f["died"])) is None
    assert time_and_event(followed(outcome=lambda f: rng.integers(0, 2, N))) is None
    assert time_and_event(followed(outcome=lambda f: (f["days"] < 365).astype(int))) is None


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("gbsg2", ("time", "cens")),
        ("actg175", ("days", "cens")),
        ("nwtco", ("edrel", "rel")),
        ("uci_heart", None),
        ("death", None),
    ],
)
def test_the_shared_cohorts_own_pairs_are_found(name, pair):
    found = time_and_event(shared_cohort(name))
    assert (found and found[:2]) == pair
