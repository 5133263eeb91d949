"""Figures of hourly records draw the numbers they are given."""

import numpy as np

from cacviz.engine.insights.types import Trajectory
from cacviz.figures.hours import MOST_DRAWN, flow_of_patients, measured_by_hour
from cacviz.figures.theme import subtype_color
from cacviz.figures.trajectories import Course, mean_courses

GAP = np.nan
ONE = Trajectory(
    0,
    9,
    np.array([9, 8, 0, 7]),
    np.array([80.0, 82, GAP, 85]),
    np.array([78.0, 80, GAP, 83]),
    np.array([82.0, 84, GAP, 87]),
)
OTHER = Trajectory(1, 5, np.array([5, -1, 5, 5]), *[np.array([60.0, GAP, 62, 63])] * 3)


def test_the_flow_has_a_part_a_reason_and_adds_up():
    figure = flow_of_patients(["in the cohort", "too short"], [90, 10])
    assert [bar.x[0] for bar in figure.data] == [90, 10]


def test_shares_by_hour_are_drawn_with_the_most_measured_first():
    shares = np.linspace(0, 1, 3 * 50).reshape(3, 50)
    figure = measured_by_hour([f"v{i}" for i in range(50)], shares)
    assert figure.data[0].z.shape == (MOST_DRAWN, 3)
    assert list(figure.data[0].x) == [1, 2, 3]


def test_courses_have_their_subtypes_colours_means_and_counts():
    figure = mean_courses([ONE, OTHER], ["Subtype 1", "Subtype 2"], [0, 1], variable="HR")
    means = [t for t in figure.data if t.mode == "lines+markers"]
    assert [t.line.color for t in means] == [subtype_color(0), subtype_color(1)]
    assert np.array_equal(means[0].y, ONE.mean, equal_nan=True)
    counts = [t for t in figure.data if t.yaxis == "y2"]
    assert counts[0].y.tolist() == [9, 8, 0, 7]
    assert np.isnan(counts[1].y[1])  # hidden


def test_a_band_is_drawn_for_each_stretch_of_hours_that_has_one():
    figure = mean_courses([ONE], ["Subtype 1"], [0], variable="HR")
    bands = [t for t in figure.data if t.fill == "toself"]
    assert [t.y.tolist() for t in bands] == [[82, 84, 80, 78]]


def test_only_the_subtypes_that_are_shown_are_drawn():
    figure = mean_courses([ONE, OTHER], ["Subtype 1", "Subtype 2"], [1], variable="HR")
    assert {t.name for t in figure.data if t.mode == "lines+markers"} == {"Subtype 2"}


def test_a_patients_own_course_marks_what_was_measured_alone():
    own = Course("Patient <7>", np.array([70.0, 70, 75, 75]), np.array([True, False, True, False]))
    figure = mean_courses([ONE], ["Subtype 1"], [0], variable="HR", own=own)
    marks = next(t for t in figure.data if t.mode == "markers")
    assert (marks.x.tolist(), marks.y.tolist()) == ([1, 3], [70, 75])
    assert "<7>" not in marks.name
