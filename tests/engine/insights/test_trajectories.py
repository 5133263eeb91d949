"""The mean course of a variable: by hand, and its interval as scipy has it."""

import numpy as np
import pytest
from scipy import stats

from cacviz.engine.insights.described.trajectories import student_quantile, trajectories
from cacviz.engine.series.hourly import carried, sampling
from cacviz.engine.types import Series


def series_of(values):
    """Patients × hours of one variable; NaN was not measured."""
    values = np.array(values, dtype=np.float32)[:, :, None]
    return Series(("HR",), *carried(values.copy(), np.isfinite(values)))


GAP = np.nan
FOUR = series_of([[80, GAP, 90], [GAP, GAP, 100], [60, 62, GAP], [70, 66, GAP]])


def test_a_patient_counts_in_the_hours_in_which_it_was_measured():
    one, other = trajectories(FOUR, "HR", [np.array([0, 1]), np.array([2, 3])])
    assert (one.n, one.counts.tolist()) == (2, [1, 0, 2])
    assert one.mean[[0, 2]].tolist() == [80, 95]
    assert np.isnan(one.mean[1])
    assert (other.counts.tolist(), other.mean[:2].tolist()) == ([2, 2, 0], [65, 64])
    half = stats.t.ppf(0.975, 1) * np.std([60, 70], ddof=1) / np.sqrt(2)
    assert other.high[0] - other.mean[0] == pytest.approx(half, rel=1e-4)
    assert np.isnan(one.low[0])  # one patient has no interval


def test_carried_values_count_from_the_first_measurement_on():
    one, other = trajectories(FOUR, "HR", [np.array([0, 1]), np.array([2, 3])], carried=True)
    assert one.counts.tolist() == [1, 1, 2]
    assert other.mean.tolist() == [65, 64, 64]


def test_hours_of_too_few_patients_tell_nothing():
    (one,) = trajectories(FOUR, "HR", [np.arange(4)], fewest=3)
    assert one.counts.tolist() == [3, -1, -1]
    assert np.isnan(one.mean).tolist() == [False, True, True]
    assert np.isnan(one.low[1:]).all()


def test_an_empty_subtype_has_an_empty_course():
    (one,) = trajectories(FOUR, "HR", [np.array([], dtype=int)])
    assert one.counts.tolist() == [0, 0, 0]
    assert np.isnan(one.mean).all()


def test_the_quantile_is_students():
    degrees = np.array([1, 2, 3, 4, 5, 7, 10, 30, 1000])
    assert student_quantile(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-3)


def test_sampling_counts_measurements_and_not_what_was_carried():
    found = sampling(FOUR)
    assert found.by_hour[:, 0].tolist() == [0.75, 0.5, 0.5]
    assert (found.ever.tolist(), found.hours.tolist()) == ([1.0], [2.0])
