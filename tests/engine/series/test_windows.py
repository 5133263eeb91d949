"""Windows by hand: what is known when one ends, who belongs to it, and the flow of patients."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.engine.reading.tables import read_table
from cacviz.engine.series.joining import with_static
from cacviz.engine.series.windows import in_window, with_onset
from cacviz.engine.types import Exclusion, Window
from tests.engine.series.record_files import LONG, WIDE, as_csv, entries_of, records_of

STATIC = pd.DataFrame({"patient": [2, 1, 4], "age": [70, 50, 30], "dead": ["no", "yes", "no"]})


def static(frame=STATIC):
    return read_table(as_csv(frame), "static.csv")


def test_an_instant_at_the_very_end_is_known_and_one_later_is_not():
    assert (2, 30.0, "GCS", 3) in entries_of(in_window(records_of(LONG), Window(30)))
    assert (2, 30.0, "GCS", 3) not in entries_of(in_window(records_of(LONG), Window(29)))


def test_a_row_of_an_hour_is_known_when_the_hour_is_over():
    cut = in_window(records_of(WIDE, event="sick"), Window(2))
    assert [e for e in entries_of(cut) if e[0] == 7] == [(7, 0, "HR", 80), (7, 1, "Lactate", 4.5)]


def test_who_is_left_out_is_counted_by_reason():
    cut = in_window(records_of(WIDE, event="sick"), Window(3))
    assert cut.ids.tolist() == [9]
    assert cut.exclusions == (
        Exclusion("too short", 1, ("8",)),
        Exclusion("outcome in window", 1, ("7",)),
    )


def test_reasons_come_in_order_and_each_patient_has_one():
    rows = {"patient": [1, 1, 2, 3, 3, 4, 4], "hour": [0, 1, 0, 0, 1, 0, 1]}
    frame = pd.DataFrame({**rows, "HR": [7, 8, 6, 5, 4, None, None], "e": [0, 0, 0, 1, 1, 1, 1]})
    cut = in_window(records_of(frame, event="e"), Window(2))
    assert cut.ids.tolist() == [1]
    assert cut.exclusions == (
        Exclusion("no records", 1, ("4",)),
        Exclusion("too short", 1, ("2",)),
        Exclusion("outcome in window", 1, ("3",)),
    )


def test_an_outcome_right_after_the_window_is_the_outcome():
    cut = in_window(records_of(WIDE, event="sick"), Window(2))
    assert cut.ids.tolist() == [7, 8]
    assert cut.static.frame["sick"].tolist() == [1, 0]
    assert cut.onset is None


@pytest.mark.parametrize("frame", [LONG, LONG.assign(hours=LONG.hours.round())])
def test_a_long_table_asks_for_no_length_unless_told(frame):
    records = records_of(frame)
    assert in_window(records, Window(24)).exclusions == ()
    cut = in_window(records, Window(24, shortest=4.5))
    assert cut.exclusions == (Exclusion("too short", 1, ("1",)),)


def test_patients_without_a_record_in_the_window_can_be_kept():
    assert in_window(records_of(LONG), Window(2)).ids.tolist() == [1, 2]
    kept = in_window(records_of(LONG), Window(2, keep_empty=True))
    assert kept.ids.tolist() == [1, 2, 3]


def test_records_before_the_start_are_left_out_and_counted():
    cut = in_window(records_of(LONG.assign(hours=LONG.hours - 1)), Window(24))
    assert cut.hours.min() >= 0
    assert cut.notes[-1].code == "records before start"
    assert cut.notes[-1].values == {"n": 2}


def test_a_static_table_is_joined_by_id_and_unlisted_patients_are_counted():
    records = with_static(records_of(LONG), static())
    assert records.ids.tolist() == [1, 2, 4]
    assert records.static.frame["age"].tolist() == [50, 70, 30]
    cut = in_window(records, Window(24))
    assert cut.ids.tolist() == [1, 2]
    assert cut.exclusions == (
        Exclusion("not in static table", 1, ("3",)),
        Exclusion("no records", 1, ("4",)),
    )
    assert cut.static.frame["dead"].tolist() == ["yes", "no"]


def test_a_joined_column_replaces_one_of_the_records():
    ages = pd.DataFrame({"patient": [7, 8, 9], "Age": [1, 2, 3]})
    records = with_static(records_of(WIDE, event="sick"), static(ages))
    assert records.static.frame["Age"].tolist() == [1, 2, 3]
    assert list(records.static.frame) == ["Age", "Unit"]
    assert records.notes[-1].values == {"columns": ("Age",)}


def test_new_patients_leave_the_records_of_others_alone():
    before = records_of(WIDE, event="sick")
    more = pd.DataFrame({"patient": [10, 7, 9, 8, 3], "x": [1, 2, 3, 4, 5]})
    after = with_static(before, static(more))
    assert after.ids.tolist() == [3, 7, 8, 9, 10]
    assert entries_of(after) == entries_of(before)
    np.testing.assert_array_equal(after.observed, [np.nan, 3, 2, 3, np.nan])
    np.testing.assert_array_equal(after.onset, np.float32([np.nan, 2, np.nan, np.nan, np.nan]))


def test_patients_named_by_words_among_those_named_by_numbers_come_in_order():
    numbers = LONG.assign(patient=LONG.patient.map({1: 2, 2: 10, 3: 33}))
    more = pd.DataFrame({"patient": ["2", "10", "33", "x1"], "x": [1, 2, 3, 4]})
    after = with_static(records_of(numbers), static(more))
    assert after.ids.tolist() == ["10", "2", "33", "x1"]
    assert np.diff(after.patient).min() >= 0
    assert after.static.frame["x"].tolist() == [2, 1, 3, 4]
    assert ("10", 1.25, "HR", 60) in entries_of(after)


def test_hours_until_the_outcome_may_stand_in_the_static_table():
    onset = pd.DataFrame({"patient": [1, 2, 3], "onset": [20, None, 40]})
    records = with_onset(with_static(records_of(LONG), static(onset)), "onset")
    cut = in_window(records, Window(24))
    assert cut.exclusions == (Exclusion("outcome in window", 1, ("1",)),)
    assert cut.static.frame["onset"].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (STATIC.assign(patient=[1, 1, 2]), "in more than one row, such as 1"),
        (STATIC.assign(patient=[1, None, 2]), "Row 3 of the static table has no patient"),
        (STATIC.rename(columns={"patient": "who"}), "names the patient"),
    ],
)
def test_a_static_table_that_cannot_be_joined_says_why(frame, said):
    with pytest.raises(CohortError, match=said):
        with_static(records_of(LONG), static(frame))


@pytest.mark.parametrize(
    "window", [Window(0), Window(-3), Window(10**6), Window(2.5), Window(24, shortest=48)]
)
def test_a_window_that_cannot_be_is_refused(window):
    with pytest.raises(ConfigError):
        in_window(records_of(LONG), window)


def test_a_window_without_anybody_says_why():
    with pytest.raises(CohortError, match=r"None of 3 patients .*too short: 3"):
        in_window(records_of(WIDE, event="sick"), Window(24))
