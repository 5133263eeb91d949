"""Levels that differ in capitals or blanks alone are asked about, and can be taken as one."""

import numpy as np
import pytest

from cacviz.engine.cohorts.checks import check_cohort
from cacviz.engine.cohorts.choosing import with_levels
from cacviz.engine.cohorts.making import make_cohort, rechosen
from cacviz.engine.types import Column, Outcome
from tests.engine.cohorts.faulty import N, after, clean, cohort_of, found, one


def sexes():
    rng = np.random.default_rng(1)
    return clean().assign(sex=rng.choice(["m", "w", "M", " W"], N, p=[0.5, 0.4, 0.06, 0.04]))


def test_two_spellings_of_a_level_are_taken_as_the_commoner_one():
    cohort = cohort_of(sexes(), {"sex": "category"})
    merged = after(cohort, one(cohort, "spelling"))
    assert set(merged.frame["sex"]) == {"m", "w"}
    assert found(merged) == set()
    assert merged.fingerprint != cohort.fingerprint


def test_spellings_that_are_kept_apart_stay_apart():
    cohort = cohort_of(sexes().replace({"m": "AA", "M": "aa"}), {"sex": "category"})
    kept = after(cohort, one(cohort, "spelling"), 1)
    assert kept.frame["sex"].nunique() == 4
    assert [c.note.severity for c in check_cohort(kept)] == ["hint"]


def test_names_given_to_levels_stand_when_spellings_are_taken_as_one():
    cohort = cohort_of(sexes(), {"sex": "category"})
    named = with_levels(cohort.choices, {"sex": {"m": "Man", "M": "man"}})
    cohort = rechosen(cohort, named)
    assert set(after(cohort, one(cohort, "spelling")).frame["sex"]) == {"Man", "w"}


@pytest.mark.parametrize("positive", ["dead", "Dead"])
def test_classes_of_the_outcome_in_two_spellings_become_one_and_the_event_stays(positive):
    frame = clean()
    dead = frame["death"] == 1
    frame["death"] = np.where(dead, "dead", "alive")
    frame.loc[frame.index[dead][:60], "death"] = "Dead"
    columns = [Column(n, "category" if n in ("death", "ward") else "number") for n in frame]
    cohort = make_cohort("ward", frame, columns, Outcome("death", positive=positive))
    merged = after(cohort, one(cohort, "spelling"))
    assert set(merged.classes) == {"alive", "dead"}
    assert merged.outcome.positive == "dead"


def test_yes_in_any_spelling_is_no_finding():
    rng = np.random.default_rng(2)
    frame = clean().assign(diabetes=rng.choice(["yes", "Yes", "no"], N))
    assert found(cohort_of(frame, {"diabetes": "yesno"})) == set()


def test_what_is_decided_of_spellings_holds_for_choices_made_again():
    cohort = cohort_of(sexes(), {"sex": "category"})
    merged = after(cohort, one(cohort, "spelling"))
    assert rechosen(cohort, merged.choices).frame["sex"].equals(merged.frame["sex"])
