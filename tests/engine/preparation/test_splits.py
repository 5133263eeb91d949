"""Parts of a cohort: shares, strata, patients kept together, the same seed the same split."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.exceptions import CohortError
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.types import TEST, TRAIN, UNUSED, VALIDATION, Column, Outcome
from tests.engine.reading.cohort_files import shared_cohort


def ward(y, ids=None, x=None):
    y = pd.Series(y, dtype=float)
    frame = pd.DataFrame({"x": np.arange(len(y)) if x is None else x, "y": y})
    columns = [Column("x", "number"), Column("y", "number")]
    if ids is not None:
        frame["who"] = ids
        columns.append(Column("who", "number", "patient id"))
    return make_cohort("ward", frame, columns, Outcome("y"))


def test_shares_are_the_papers_in_every_class():
    y = np.r_[np.zeros(1600), np.ones(320), np.full(80, 2)]
    split = split_cohort(ward(y))
    for c in range(3):
        parts = split.part[y == c]
        shares = [np.mean(parts == p) for p in (TRAIN, VALIDATION, TEST)]
        assert shares == pytest.approx([0.5625, 0.1875, 0.25])


def test_same_seed_same_split_and_another_seed_another():
    cohort = ward(np.arange(400) % 3 == 0)
    assert np.array_equal(split_cohort(cohort, 3).part, split_cohort(cohort, 3).part)
    assert not np.array_equal(split_cohort(cohort, 3).part, split_cohort(cohort, 4).part)


def test_split_does_not_depend_on_the_features():
    y = np.arange(200) % 2
    one, other = ward(y), ward(y, x=np.random.default_rng(0).normal(size=200))
    assert np.array_equal(split_cohort(one).part, split_cohort(other).part)


def test_rows_without_outcome_are_unused():
    y = np.r_[np.zeros(30), np.ones(30), np.full(5, np.nan)]
    part = split_cohort(ward(y)).part
    assert np.all(part[-5:] == UNUSED)
    assert np.all(part[:-5] != UNUSED)


def test_no_patient_is_in_two_parts():
    rng = np.random.default_rng(1)
    ids = rng.integers(0, 500, 2000)
    y = rng.random(2000) < 0.2
    part = split_cohort(ward(y, ids)).part
    for who in np.unique(ids):
        assert len(np.unique(part[ids == who])) == 1
    assert np.mean(part == TEST) == pytest.approx(0.25, abs=0.02)
    assert np.mean(y[part == TEST]) == pytest.approx(np.mean(y), abs=0.03)


def test_rows_without_id_are_patients_of_their_own():
    ids = pd.Series([1, 1, 2, 2] + [np.nan] * 96)
    part = split_cohort(ward(np.arange(100) % 2, ids)).part
    assert part[0] == part[1]
    assert part[2] == part[3]
    assert len(np.unique(part[4:])) == 3


@pytest.mark.parametrize(("n_rare", "parts"), [(1, {TRAIN}), (2, {TRAIN, TEST})])
def test_a_tiny_class_is_always_trained_on(n_rare, parts):
    y = np.r_[np.zeros(50), np.ones(n_rare)]
    for seed in range(20):
        assert set(split_cohort(ward(y), seed).part[50:]) == parts


def test_too_few_patients_are_refused_in_words():
    with pytest.raises(CohortError, match="5 patients have an outcome"):
        split_cohort(ward([0, 1, 0, 1, 0]))


def test_one_patient_with_all_rows_is_refused():
    with pytest.raises(CohortError, match="Too few patients"):
        split_cohort(ward(np.arange(40) % 2, np.ones(40)))


def test_missing_outcome_everywhere_is_refused():
    cohort = ward(np.arange(40) % 2)
    with pytest.raises(CohortError, match="0 patients"):
        split_cohort(replace(cohort, y=np.full(40, -1)))


def test_the_diabetes_cohort_is_split_by_patient():
    cohort = shared_cohort("readmitted")
    part = split_cohort(cohort).part
    seen = cohort.frame.assign(part=part).groupby("patient_nbr")["part"].nunique()
    assert seen.max() == 1
    for c in range(3):
        assert np.mean(part[cohort.y == c] == TEST) == pytest.approx(0.25, abs=0.01)
