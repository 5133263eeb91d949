from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from cacviz.engine.insights.described.measured import measure
from cacviz.engine.insights.described.profiles import again, profile_groups, profile_subtypes
from cacviz.engine.insights.described.small_cells import hide_small, without_small
from cacviz.engine.scoring.effects import LARGEST, pairwise_level_smd

ODD = "ignore::"


@pytest.fixture
def profiles(wards):
    return profile_groups(wards[0], wards[1], 2)


def feature(profiles, name):
    return next(f for f in profiles.features if f.name == name)


def test_means_and_spread_are_those_of_pandas(wards, profiles):
    cohort, ward = wards
    known = cohort.frame["age"].groupby(ward)
    age = feature(profiles, "age")
    assert [c.mean for c in age.cells] == pytest.approx(known.mean().tolist())
    assert [c.sd for c in age.cells] == pytest.approx(known.std().tolist())
    assert [c.median for c in age.cells] == pytest.approx(known.median().tolist())
    assert [c.missing for c in age.cells] == [1, 0]
    assert age.overall.mean == pytest.approx(cohort.frame["age"].mean())


def test_what_differs_most_comes_first_and_is_stable(profiles):
    names = [f.name for f in profiles.features]
    assert names[:2] == ["age", "oxygen"]
    assert names[-1] == "height"  # an external check is described, not ranked
    assert feature(profiles, "age").stability == 1.0
    assert np.isnan(feature(profiles, "height").stability)
    assert profiles.top == 2


def test_circular_p_values_are_those_of_scipy(wards, profiles):
    cohort, ward = wards
    age = cohort.frame["age"]
    expected = stats.f_oneway(age[ward == 0].dropna(), age[ward == 1].dropna()).pvalue
    assert feature(profiles, "age").circular_p == pytest.approx(expected)
    table = pd.crosstab(ward, cohort.frame["unit"])
    expected = stats.chi2_contingency(table, correction=False).pvalue
    assert feature(profiles, "unit").circular_p == pytest.approx(expected)


@pytest.mark.filterwarnings(f"{ODD}FutureWarning", f"{ODD}DeprecationWarning", f"{ODD}UserWarning")
def test_differences_and_tests_are_those_of_tableone(demo, demo_run):
    tableone = pytest.importorskip("tableone")
    train = np.flatnonzero(demo_run.part == 0)
    test = np.flatnonzero(demo_run.part == 2)
    ours = profile_subtypes(demo, demo_run.clusters, 3, train, test)
    numbers = [f.name for f in ours.features if f.shape == "number"][:8]
    others = [f.name for f in ours.features if f.shape != "number"][:3]
    frame = demo.frame.iloc[train][numbers + others].assign(subtype=demo_run.clusters[train])
    table = tableone.TableOne(
        *(frame, numbers + others),
        categorical=others,
        groupby="subtype",
        pval=True,
        smd=True,
        htest_name=True,
        missing=False,
    )
    smd = table.smd_table
    for name in numbers + others:
        largest = max(abs(float(v)) for v in np.ravel(smd.loc[name]))
        assert feature(ours, name).effect == pytest.approx(largest, abs=0.006), name


def test_a_subtype_of_four_shows_its_means_but_is_compared_with_none(wards):
    cohort, ward = wards
    groups = ward.copy()
    groups[[5, 6, 7, 8]] = 2
    age = feature(profile_groups(cohort, groups, 3), "age")
    assert age.cells[2].mean == pytest.approx(cohort.frame["age"].iloc[5:9].mean())
    assert np.isnan(age.standing[2])
    assert age.pair == (0, 1)


def test_where_small_counts_are_hidden_a_subtype_of_four_shows_no_means(wards):
    cohort, ward = wards
    groups = ward.copy()
    groups[[5, 6, 7, 8]] = 2
    hidden = without_small(profile_groups(cohort, groups, 3))
    age, unit = feature(hidden, "age"), feature(hidden, "unit")
    assert age.cells[2].hidden
    assert np.isnan(age.cells[2].mean)
    assert not age.cells[0].hidden
    assert age.cells[0].mean == pytest.approx(np.nanmean(cohort.frame["age"][groups == 0]))
    assert None in unit.cells[2].counts
    shown = [n for cell in unit.cells for n in cell.counts if n is not None]
    assert all(n == 0 or n >= 5 for n in shown)


def test_a_hidden_count_cannot_be_computed_from_the_others():
    counts = np.array([[20, 3, 40], [30, 30, 30]])
    hidden = hide_small(counts)
    assert hidden[0, 1]
    assert (hidden.sum(axis=1) != 1).all()
    assert (hidden.sum(axis=0) != 1).all()
    assert not hide_small(np.array([[20, 5, 0]])).any()


def test_groups_without_any_spread_are_as_far_apart_as_it_gets():
    counts = np.array([[[20.0, 0.0], [0.0, 20.0]]])
    assert pairwise_level_smd(counts)[1][0, 0] == LARGEST


def test_the_largest_difference_is_between_the_pair_that_is_named(demo, demo_run):
    ours = profile_groups(demo, demo_run.clusters, 3, n_boot=0)
    best = ours.features[0]
    assert best.shape == "number"
    gaps = {
        (a, b): abs(best.cells[a].mean - best.cells[b].mean)
        / np.sqrt((best.cells[a].sd ** 2 + best.cells[b].sd ** 2) / 2)
        for a, b in combinations(range(3), 2)
    }
    assert max(gaps, key=gaps.get) == best.pair
    assert gaps[best.pair] == pytest.approx(best.effect)


def test_groups_that_share_no_level_are_as_far_apart_as_it_gets():
    counts = np.array([[[50.0, 50, 0], [0, 0, 100]], [[50.0, 49, 1], [0, 0, 100]]])
    assert pairwise_level_smd(counts)[1].tolist() == [[LARGEST, LARGEST]]


def test_one_patient_with_a_level_of_his_own_does_not_part_the_groups():
    """A column of remarks, one a patient, was once as far apart as it gets, by rounding."""
    first, second = np.zeros(12), np.zeros(12)
    first[7], first[11], second[11] = 1, 150, 338
    smd = pairwise_level_smd(np.array([[first, second]]))[1][0, 0]
    assert smd == pytest.approx(np.sqrt(2 / 150), rel=0.01)  # gap² over the mean of the variances


def test_a_difference_that_is_reversed_in_other_patients_is_negative(wards):
    cohort, ward = wards
    (age,) = measure(cohort, ["age"])
    first, second = np.where(np.arange(120) % 2, ward, -1), np.where(np.arange(120) % 2, -1, ward)
    found = again(age, (0, 1), first, second)
    assert found > 1
    assert again(age, (0, 1), first, np.where(second < 0, -1, 1 - second)) == -found
    (unit,) = measure(cohort, ["unit"])
    assert abs(again(unit, (0, 1), first, second)) < 1


def test_too_few_patients_have_no_difference_and_not_none_at_all(wards):
    cohort, ward = wards
    groups = np.where(np.arange(120) < 63, ward, -1)  # sixty of one ward, three of the other
    made = profile_groups(cohort, groups, 2, n_boot=0)
    assert all(np.isnan(f.effect) for f in made.features)
    age = feature(made, "age")
    assert np.isfinite(age.standing[0])
    assert np.isnan(age.standing[1])
