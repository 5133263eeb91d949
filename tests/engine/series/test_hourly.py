"""Hourly series by hand, and their laws: forward within a patient only, mask and hours agree."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cacviz.engine.exceptions import CohortError
from cacviz.engine.series import hourly as grid
from cacviz.engine.series.hourly import hourly
from cacviz.engine.series.windows import in_window
from cacviz.engine.types import Window
from tests.engine.series.record_files import LONG, records_of

NAN = np.nan


def series_of(frame, hours):
    return hourly(in_window(records_of(frame), Window(hours, keep_empty=True)), hours)


def test_by_hand():
    series = series_of(LONG, 5)
    assert series.variables == ("GCS", "HR", "Lactate")
    np.testing.assert_array_equal(series.values[0, :, 1], [90, 90, 90, 100, 100])
    np.testing.assert_array_equal(series.values[1, :, 1], [NAN, 60, 60, 60, 60])
    np.testing.assert_array_equal(series.values[0, :, 2], [NAN, NAN, 4.5, 4.5, 4.5])
    np.testing.assert_array_equal(series.measured[0, :, 1], [True, False, False, True, False])
    np.testing.assert_array_equal(series.since[0, :, 1], [0, 1, 2, 0, 1])
    np.testing.assert_array_equal(series.since[0, :, 2], [-1, -1, 0, 1, 2])
    assert np.isnan(series.values[:, :, 0]).all()


def test_the_end_of_the_window_belongs_to_its_last_hour():
    assert series_of(LONG, 30).values[1, 29, 0] == 3


def test_series_are_small_and_not_to_be_written():
    series = series_of(LONG, 24)
    assert [p.dtype for p in (series.values, series.measured, series.since)] == [
        np.float32,
        bool,
        np.int16,
    ]
    with pytest.raises(ValueError, match="read-only"):
        series.values[0, 0, 0] = 1


def test_too_many_cells_are_refused(monkeypatch):
    monkeypatch.setattr(grid, "MAX_CELLS", 10)
    with pytest.raises(CohortError, match="Choose a shorter window"):
        series_of(LONG, 24)


ROW = st.tuples(st.integers(1, 4), st.floats(0, 9.99), st.sampled_from("ab"), st.integers(-99, 99))


@given(st.lists(ROW, min_size=1, max_size=30), st.randoms())
@settings(max_examples=60, deadline=None)
def test_laws(rows, random):
    frame = pd.DataFrame(rows, columns=["patient", "hours", "variable", "value"])
    series = series_of(frame, 10)
    filled = np.isfinite(series.values)
    assert (filled == (series.since >= 0)).all()
    assert (series.measured == (series.since == 0)).all()
    for place in np.argwhere(filled):  # each value is what was measured `since` hours before
        patient, hour, variable = place
        then = hour - series.since[tuple(place)]
        assert series.measured[patient, then, variable]
        assert series.values[tuple(place)] == series.values[patient, then, variable]
    alone = series_of(frame[frame.patient == frame.patient.min()], 10)
    for i, name in enumerate(alone.variables):  # nobody's values reach another patient
        both = series.values[0, :, series.variables.index(name)]
        np.testing.assert_array_equal(alone.values[0, :, i], both)
    shuffled = rows.copy()
    random.shuffle(shuffled)
    again = series_of(pd.DataFrame(shuffled, columns=list(frame)), 10)
    np.testing.assert_array_equal(again.values, series.values)
