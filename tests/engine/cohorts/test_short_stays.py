"""A length of stay that death cut short is told; other outcomes and places of death are not."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.checks import check_cohort, open_notes, remedied
from cacviz.engine.cohorts.making import make_cohort, rechosen
from cacviz.engine.types import Column, Outcome
from cacviz.wording.checks import check_sentence
from cacviz.wording.notes import sentence
from cacviz.wording.remedies import remedy_label

STAY = np.repeat([3.0, 9.0, 20.0], 40)


def cohort(outcome="Length_of_stay", sign="In-hospital_death", died=(8, 2, 6), cuts=(7.0, 13.0)):
    deaths = np.concatenate([np.arange(40) < n for n in died]).astype(int)
    frame = pd.DataFrame({outcome: STAY, sign: deaths, "age": np.arange(120) % 50 + 30.0})
    columns = [
        Column(outcome, "number"),
        Column(sign, "yesno", "left out"),
        Column("age", "number"),
    ]
    return make_cohort("c", frame, columns, Outcome(outcome, cuts=cuts))


def found(made):
    return [check for check in check_cohort(made) if check.code == "short stays"]


def test_deaths_among_short_stays_are_counted_on_cohort_and_with_the_run():
    (check,) = found(cohort())
    said = check_sentence(check)
    assert said.startswith(
        "Of 40 patients with 'Length_of_stay' ≤ 7, 8 died (by 'In-hospital_death')"
    )
    assert said in [sentence(note) for note in open_notes(cohort())]


def test_who_knows_it_is_not_told_again_with_each_run():
    made = cohort()
    (check,) = found(made)
    (remedy,) = check.remedies
    assert remedy_label(check, remedy) == "That is known"
    known = rechosen(made, remedied(made, check, remedy))
    assert found(known)[0].note.values["kept"]
    assert open_notes(known) == []


def test_a_yes_that_is_survival_is_turned_round():
    assert found(cohort(sign="survived", died=(32, 40, 40)))[0].note.values["died"] == 8


@pytest.mark.parametrize(
    "other",
    [
        {"outcome": "lactate"},
        {"sign": "ventilated"},
        {"died": (2, 9, 9)},
    ],
)
def test_what_is_no_stay_or_no_death_or_rare_is_not_told(other):
    assert found(cohort(**other)) == []
