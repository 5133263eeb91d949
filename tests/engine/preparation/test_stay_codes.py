"""Hours as network inputs: carried forward by hand, fitted on training patients, kept as arrays."""

import numpy as np
import pytest

from cacviz.engine.exceptions import CohortError
from cacviz.engine.preparation.stay_codes import StayCodes, carried_with_age, hour_summaries
from cacviz.engine.preparation.stays import Stays
from tests.engine.deep.sequences.courses import courses


def test_values_are_carried_forward_and_their_age_with_them():
    values = np.array([0, 5, 0, 0, 7], dtype=np.float32).reshape(1, 5, 1)
    measured = np.array([0, 1, 0, 0, 1], dtype=bool).reshape(1, 5, 1)
    carried, since = carried_with_age(values, measured)
    assert carried[0, :, 0].tolist() == [0, 5, 5, 5, 7]
    expected = [1, 0, np.log(2) / np.log(6), np.log(3) / np.log(6), 0]
    assert since[0, :, 0] == pytest.approx(expected)


def test_no_hour_knows_what_comes_after_it():
    X, _, _ = courses(50)
    codes, later = StayCodes().fit(X_ := Stays(X)), X.copy()
    later[:, 5:] = 99
    size = codes.n_hours * codes.n_variables
    blocks = [
        codes.inputs(s)[:, codes.n_inputs :].reshape(50, 3, codes.n_hours, codes.n_variables)
        for s in (X_, Stays(later))
    ]
    assert blocks[0].size == 50 * 3 * size
    np.testing.assert_array_equal(blocks[0][:, :, :5], blocks[1][:, :, :5])


def test_summaries_are_those_of_the_records():
    hours = np.full((1, 4, 2), np.nan, dtype=np.float32)
    hours[0, :, 0] = [3, np.nan, 1, 5]
    found = hour_summaries(hours).reshape(7, 2)
    # first, last, lowest, highest, median, count, slope (least squares through 0, 2, 3)
    assert found[:, 0] == pytest.approx([3, 5, 1, 5, 3, 3, 3 / 7])
    assert found[5, 1] == 0
    assert np.isnan(found[[0, 1, 2, 3, 4, 6], 1]).all()


def test_arrays_give_the_same_codes_again():
    X, _, _ = courses(80)
    codes = StayCodes().fit(Stays(X[:60]))
    again = StayCodes.from_arrays(codes.arrays())
    np.testing.assert_array_equal(again.inputs(Stays(X)), codes.inputs(Stays(X)))
    assert again.n_features == codes.n_features


@pytest.mark.parametrize("value", [1.0, np.nan])
def test_hours_that_tell_nothing_are_refused_in_words(value):
    """As of a drug that is only ever noted: that was a fault of the program."""
    hours = np.full((4, 3, 2), np.nan, dtype=np.float32)
    hours[:, 1, 0] = value
    with pytest.raises(CohortError, match=r"one value or none .* method without hours"):
        StayCodes().fit(Stays(hours, np.arange(4.0)[:, None]))
