"""Subgroups."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.choosing import with_subset
from cacviz.engine.cohorts.making import changed, make_cohort
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Column, Condition, Outcome


@pytest.fixture
def ward():
    frame = pd.DataFrame(
        {
            "age": [50, 66, 70, np.nan, 80],
            "septic": ["yes", "yes", "no", "yes", "yes"],
            "died": ["no", "yes", "no", "yes", "no"],
        }
    )
    kinds = {"age": "number", "septic": "yesno", "died": "yesno"}
    return make_cohort("ward", frame, [Column(n, k) for n, k in kinds.items()], Outcome("died"))


def test_only_patients_who_meet_all_conditions_are_in_the_subgroup(ward):
    old = Condition("age", low=65)
    septic = Condition("septic", levels=("yes",))
    found = changed(ward, with_subset, [old, septic])
    assert found.frame["age"].tolist() == [66, 80]
    assert found.y.tolist() == [1, 0]
    assert found.fingerprint != ward.fingerprint
    assert found.table is ward.table


def test_both_limits_belong_to_a_condition(ward):
    found = changed(ward, with_subset, [Condition("age", low=66, high=70)])
    assert found.frame["age"].tolist() == [66, 70]


def test_a_subgroup_without_patients_is_refused(ward):
    with pytest.raises(CohortError, match="No patient meets"):
        changed(ward, with_subset, [Condition("age", low=99)])


def test_the_subgroup_of_a_subgroup_is_cut_from_the_same_table(ward):
    first = changed(ward, with_subset, [Condition("septic", levels=("yes",))])
    second = changed(first, with_subset, [*first.choices.subset, Condition("age", low=60)])
    assert second.frame["age"].tolist() == [66, 80]
    assert changed(second, with_subset, []).n_patients == ward.n_patients
