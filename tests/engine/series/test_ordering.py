"""The one order of records: as a plain sort gives it, times before the start included."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cacviz.engine.series.ordering import Entries, in_order, observed_hours, started, step_of

ENTRY = st.tuples(
    st.integers(0, 3), st.integers(0, 2), st.integers(-9, 9).map(float), st.integers(-3, 3)
)


@given(st.lists(ENTRY))
@settings(deadline=None)
def test_a_plain_sort_agrees(rows):
    columns = np.array(rows, dtype=np.float64).reshape(-1, 4).T
    patient, variable = columns[0].astype(np.int32), columns[1].astype(np.int32)
    found, again = in_order(Entries(patient, variable, columns[2], columns[3]), 3)
    expected = sorted(set(rows), key=lambda r: r)
    assert [tuple(map(float, e)) for e in zip(*found, strict=True)] == [
        tuple(map(float, r)) for r in expected
    ]
    assert again == len(rows) - len(expected)


def test_more_groups_than_a_key_can_hold_are_sorted_all_the_same():
    patient = np.array([2**31 - 1, 0, 2**31 - 1], dtype=np.int64)
    found, _ = in_order(Entries(patient, np.array([1, 0, 0]), np.ones(3), np.arange(3.0)), 1000)
    assert found.values.tolist() == [1, 2, 0]


def test_what_is_no_number_is_no_record():
    values = np.array([1, np.nan, np.inf, 1e300])
    found, _ = in_order(Entries(np.zeros(4, int), np.zeros(4, int), np.arange(4.0), values), 1)
    assert found.values.tolist() == [1]


def test_hours_by_hand():
    patient, hours = np.array([0, 0, 1, 1]), np.array([3.0, 5, 1, 2])
    assert started(patient, hours, 2, "zero") is hours
    assert started(patient, hours, 2, "first").tolist() == [0, 2, 0, 1]
    assert (step_of(hours), step_of(hours + 0.1), step_of(np.empty(0))) == (1, 0, 0)
    np.testing.assert_array_equal(observed_hours(patient, hours, 3, 1.0), [6, 3, np.nan])
