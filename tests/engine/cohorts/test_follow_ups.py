"""Later visits are told by the numbers that names end with, and by who was seen again."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.leaking.follow_ups import gap_tellers, later_visits
from cacviz.engine.cohorts.leaks import suspicions
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.types import Column, Outcome


def test_numbers_of_weeks_behind_a_first_measurement_are_later_visits():
    names = ["cd40", "cd420", "cd496", "cd80", "cd820", "age", "bp_0", "bp_30"]
    first = {"cd420": "cd40", "cd496": "cd40", "cd820": "cd80", "bp_30": "bp_0"}
    assert later_visits(names) == first


@pytest.mark.parametrize(
    "names",
    [
        [f"x{i}" for i in range(120)],  # a list counts from 0
        ["lab_10", "lab_15", "lab_20"],
        ["q0", "q5", "q10"],
        ["0", "28"],
        ["fio2_max", "fio2_0"],
        ["gcs_motor", "gcs_verbal", "icd10", "icd9"],
    ],
)
def test_lists_and_lone_numbers_are_no_visits(names):
    assert later_visits(names) == {}


def trial():
    rng = np.random.default_rng(0)
    first, seen = rng.normal(350, 90, 400), rng.random(400) < 0.6
    later = np.where(seen, first + rng.normal(0, 60, 400), np.nan)
    frame = pd.DataFrame({"cd40": first, "cd420": later, "r": seen.astype(int)})
    frame["arm"], frame["died"] = rng.integers(0, 2, 400), rng.integers(0, 2, 400)
    numbers = [Column(name, "number") for name in ("cd40", "cd420", "r", "arm")]
    return make_cohort("trial", frame, [*numbers, Column("died", "yesno")], Outcome("died"))


def test_a_later_visit_and_who_came_to_it_are_suspected_and_the_rest_is_not():
    found = {s.column: (s.code, s.values["of"]) for s in suspicions(trial())}
    assert found == {"cd420": ("visit", "cd40"), "r": ("gap", "cd420")}


def test_only_suspected_columns_are_asked_about_their_gaps():
    cohort = trial()
    assert list(gap_tellers(cohort, np.arange(400), ["cd40"])) == []
    assert list(gap_tellers(cohort, np.arange(400), ["cd420"])) == [("r", "cd420")]
