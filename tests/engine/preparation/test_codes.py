"""Input codes: any scale, missing values, yes/no columns, fitted on train only."""

import numpy as np
import pytest

from cacviz.engine.preparation.codes import InputCodes


@pytest.fixture
def cohort():
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [
            rng.lognormal(10, 3, 400),  # a skewed number
            rng.integers(0, 2, 400),  # yes/no
            rng.normal(size=400),
            rng.normal(size=400),
            np.full(400, 7.0),  # tells nobody apart
        ]
    )
    missing = rng.random(400) < 0.3
    X[missing, 2] = np.nan
    X[missing, 3] = np.nan  # measured together: one pattern
    return X


def test_values_have_mean_zero_and_spread_one_whatever_the_scale(cohort):
    values, measured = InputCodes().fit(cohort).values(cohort)
    assert abs(values[:, 0].mean()) < 0.05
    assert values[:, 0].std() == pytest.approx(1, abs=0.05)
    assert np.abs(values).max() <= 4
    assert (values[measured == 0] == 0).all()


def test_order_is_kept_and_scale_is_forgotten(cohort):
    other = cohort.copy()
    other[:, 0] = 3 + other[:, 0] / 1000
    values = InputCodes().fit(cohort).values(cohort)[0][:, 0]
    assert (np.diff(values[np.argsort(cohort[:, 0])]) >= -1e-6).all()
    rescaled = InputCodes().fit(other).values(other)[0][:, 0]
    np.testing.assert_allclose(values, rescaled, atol=1e-5)


def test_missing_values_are_zero_in_every_code_and_marked_once_per_pattern(cohort):
    codes = InputCodes().fit(cohort)
    assert len(codes.patterns) == 1
    inputs = codes.inputs(cohort)
    missing = np.isnan(cohort[:, 2])
    of_missing = np.isin(codes.column, [2, 3])
    bins = inputs[:, codes.n_values : codes.n_values + len(codes.low)]
    assert (bins[np.ix_(missing, of_missing)] == 0).all()
    indicator = inputs[:, -1]
    assert indicator[missing].min() > indicator[~missing].max()


def test_a_yes_no_column_has_one_bin_and_passes_as_it_is(cohort):
    codes = InputCodes().fit(cohort)
    place = codes.n_values + np.flatnonzero(codes.column == 1)
    assert len(place) == 1
    np.testing.assert_array_equal(codes.inputs(cohort)[:, place[0]], cohort[:, 1])


def test_a_bin_fills_linearly_between_its_edges(cohort):
    codes = InputCodes().fit(cohort)
    first = np.flatnonzero(codes.column == 0)[2]
    X = np.repeat(cohort[:1], 3, axis=0)
    X[:, 0] = codes.low[first] + codes.width[first] * np.array([-1.0, 0.25, 2.0])
    bins = codes.inputs(X)[:, codes.n_values :]
    np.testing.assert_allclose(bins[:, first], [0, 0.25, 1], atol=1e-6)


def test_a_constant_or_empty_column_is_left_out(cohort):
    X = np.column_stack([cohort, np.full(len(cohort), np.nan)])
    assert InputCodes().fit(X).kept.tolist() == [0, 1, 2, 3]


def test_new_patients_do_not_change_what_was_fitted(cohort):
    codes = InputCodes().fit(cohort)
    before = {k: v.copy() for k, v in codes.arrays().items()}
    extreme = codes.inputs(cohort * 1e9)
    assert np.isfinite(extreme).all()
    for name, value in codes.arrays().items():
        np.testing.assert_array_equal(value, before[name])


def test_codes_from_their_arrays_are_the_same_to_the_last_bit(cohort):
    codes = InputCodes().fit(cohort)
    again = InputCodes.from_arrays(codes.arrays())
    np.testing.assert_array_equal(again.inputs(cohort), codes.inputs(cohort))
    assert again.n_inputs == codes.n_inputs == codes.inputs(cohort).shape[1]


def test_no_patients_give_no_rows(cohort):
    codes = InputCodes().fit(cohort)
    assert codes.inputs(cohort[:0]).shape == (0, codes.n_inputs)
