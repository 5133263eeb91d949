"""Long and wide tables of records: every form, any order of rows, and every way to fail."""

import gzip
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cacviz.engine.exceptions import CohortError
from cacviz.engine.series.records import read_records
from cacviz.engine.series.rows import as_written, with_variables
from cacviz.engine.types import Layout
from tests.engine.series.record_files import (
    LONG,
    ROWS,
    WIDE,
    as_csv,
    as_parquet,
    entries_of,
    records_of,
)

BY_HAND = sorted(ROWS, key=lambda r: (r[0], r[2], r[1]))


def codes(records):
    return [note.code for note in records.notes]


FORMS = {
    "csv": as_csv(LONG),
    "tsv": LONG.to_csv(index=False, sep="\t").encode(),
    "decimal commas": LONG.to_csv(index=False, sep=";", decimal=",").encode(),
    "parquet": as_parquet(LONG),
    "parquet of categories": as_parquet(LONG.astype({"variable": "category"})),
    "csv.gz": gzip.compress(as_csv(LONG)),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_long_table_gives_the_same_records(form):
    records = read_records(FORMS[form], "records")
    assert records.form == "long"
    assert records.ids.tolist() == [1, 2, 3]
    assert records.variables == ("GCS", "HR", "Lactate")
    assert entries_of(records) == BY_HAND
    assert records.observed.tolist() == [3.0, 30.0, 5.0]
    assert records.step == 0


def test_arrays_are_small():
    records = records_of(LONG)
    kinds = [getattr(records, n).dtype for n in ("patient", "variable", "hours", "values")]
    assert kinds == [np.int32, np.int16, np.float32, np.float32]


@given(st.permutations(range(len(ROWS))))
@settings(deadline=None)
def test_the_order_of_rows_changes_nothing(order):
    assert entries_of(records_of(LONG.iloc[order])) == BY_HAND


@given(st.permutations(range(len(WIDE))))
@settings(max_examples=20, deadline=None)
def test_the_order_of_hours_changes_nothing(order):
    one, other = records_of(WIDE), records_of(WIDE.iloc[order])
    assert entries_of(one) == entries_of(other)
    pd.testing.assert_frame_equal(one.static.frame, other.static.frame)


def test_of_two_values_at_one_instant_the_lower_comes_first():
    frame = pd.DataFrame({"id": 1, "hours": 0.5, "variable": "HR", "value": [90.0, 70.0, 80.0]})
    assert [e[3] for e in entries_of(records_of(frame))] == [70, 80, 90]


def test_a_row_that_is_there_twice_counts_once():
    records = records_of(pd.concat([LONG, LONG.iloc[:2]]))
    assert entries_of(records) == BY_HAND
    assert records.notes[0].values == {"n": 2}
    assert codes(records) == ["repeated records"]


@pytest.mark.parametrize(
    ("column", "times"),
    [
        ("minutes", [30, 90, 2880]),
        ("time_hours", [0.5, 1.5, 48]),
        ("Time", ["00:30", "01:30", "48:00"]),
        ("Time", ["00:30:00", "01:30:00", "48:00:00"]),
        ("seconds", [1800, 5400, 172800]),
        ("days", [0.5 / 24, 1.5 / 24, 2]),
    ],
)
def test_times_become_hours(column, times):
    frame = pd.DataFrame({"id": 1, column: times, "variable": "HR", "value": [1, 2, 3]})
    records = records_of(frame)
    np.testing.assert_allclose(records.hours, [0.5, 1.5, 48], rtol=1e-6)
    assert codes(records) == []


def test_dates_count_from_the_first_row_of_each_patient():
    times = ["2024-03-01 22:00", "2024-03-02 01:30", "2024-05-09 10:00", "2024-05-09 10:15"]
    frame = pd.DataFrame({"id": [1, 1, 2, 2], "charttime": times, "HR": [70, 71, 80, 81]})
    assert records_of(frame).hours.tolist() == [0, 3.5, 0, 0.25]
    stamped = frame.assign(charttime=pd.to_datetime(frame.charttime))
    assert read_records(as_parquet(stamped), "x").hours.tolist() == [0, 3.5, 0, 0.25]


def test_numbers_without_a_unit_are_hours_and_that_is_said():
    frame = LONG.rename(columns={"hours": "time"})
    records = records_of(frame)
    assert records.notes[0].values == {"column": "time", "unit": "hours"}
    assert codes(records_of(frame, unit="minutes")) == []
    assert records_of(frame, unit="minutes").observed.max() == pytest.approx(0.5)


def test_a_wide_table_counts_hours_from_each_patients_first_row():
    records = records_of(WIDE, event="sick")
    assert (records.form, records.step) == ("wide", 1.0)
    assert records.variables == ("HR", "Lactate")
    assert entries_of(records) == [
        (7, 0, "HR", 80),
        (7, 2, "HR", 90),
        (7, 1, "Lactate", 4.5),
        (8, 0, "HR", 60),
        (8, 1, "HR", 61),
        (9, 2, "HR", 70),
    ]
    assert records.observed.tolist() == [3, 2, 3]


def test_hours_can_count_from_the_files_zero():
    assert records_of(WIDE, start="zero").hours.min() == 1


def test_what_never_changes_in_a_stay_is_static_and_what_was_measured_once_is_not():
    static = records_of(WIDE, event="sick").static
    expected = pd.DataFrame({"Age": [54, 76, 44], "Unit": [1, np.nan, 0]})
    pd.testing.assert_frame_equal(static.frame, expected)
    assert [c.kind for c in static.columns] == ["number", "yesno"]


def test_an_event_is_kept_as_its_onset_alone():
    records = records_of(WIDE, event="sick")
    assert "sick" not in records.variables
    assert records.event == "sick"
    np.testing.assert_array_equal(records.onset, np.float32([2, np.nan, np.nan]))
    long = LONG.assign(variable=LONG.variable.replace("GCS", "event"))
    np.testing.assert_array_equal(
        records_of(long, event="event").onset, np.float32([np.nan, 23.5, np.nan])
    )


def test_an_event_that_nobody_met_is_an_event_still():
    records = records_of(WIDE.assign(sick=0), event="sick")
    assert np.isnan(records.onset).all()
    assert "sick" not in (*records.variables, *records.static.frame.columns)


def test_columns_can_be_named():
    frame = LONG.set_axis(["who", "when_h", "what", "much"], axis=1)
    with pytest.raises(CohortError, match="names the patient"):
        records_of(frame)
    layout = {"id": "who", "time": "when_h", "variable": "what", "value": "much"}
    assert entries_of(records_of(frame, **layout)) == BY_HAND


def test_ids_may_be_words():
    frame = LONG.assign(patient=LONG.patient.map({1: "b-1", 2: "a-9", 3: "c"}))
    assert records_of(frame).ids.tolist() == ["a-9", "b-1", "c"]


def test_words_among_the_values_are_counted_and_left_out():
    frame = LONG.astype({"value": object})
    frame.loc[0, "value"] = "sinus"
    records = records_of(frame)
    assert entries_of(records) == [e for e in BY_HAND if e != ROWS[0]]
    assert records.notes[0].values == {"n": 1, "column": "value", "example": "sinus"}


def said(records):
    return [note.values["said"] for note in records.notes if note.code == "file"]


@pytest.mark.parametrize("odd", ["<0.5", "inf"])
def test_how_odd_numbers_were_read_is_said_as_of_any_table(odd):
    """Limits, commas and infinite numbers were taken in silence where tables had a note."""
    frame = LONG.astype({"value": object})
    frame.loc[0, "value"] = odd
    assert len(said(records_of(frame))) == 1
    wide = WIDE.astype({"HR": object})
    wide.loc[0, "HR"] = odd
    (text,) = said(records_of(wide))
    assert text.startswith("'HR': ")


def test_rows_without_a_variable_are_counted_and_left_out():
    records = records_of(LONG.assign(variable=[None, *LONG.variable[1:]]))
    assert len(entries_of(records)) == len(ROWS) - 1
    assert records.notes[0].values == {"n": 1}


def test_variables_of_another_cohort_come_in_its_order_and_may_be_absent():
    records = with_variables(records_of(LONG), ["Lactate", "pH", "HR"])
    assert records.variables == ("Lactate", "pH", "HR")
    assert entries_of(records)[:3] == [
        (1, 2.0, "Lactate", 4.5),
        (1, 0.5, "HR", 80),
        (1, 0.9, "HR", 90),
    ]


def test_small_floats_are_shown_as_they_were_written():
    values = np.array([92.33, 7.365, -0.03, 1234567, 0.1, 3e-7, np.nan], dtype=np.float32)
    expected = [92.33, 7.365, -0.03, 1234567, 0.1, 3e-7, np.nan]
    np.testing.assert_array_equal(as_written(values), expected)


WRONG = {
    "no time": (LONG.drop(columns="hours"), {}, "holds the time"),
    "no such column": (LONG, {"value": "valeu"}, "no column 'valeu'. Did you mean 'value'"),
    "a long one without values": (
        LONG.drop(columns="value"),
        {"form": "long"},
        "holds what was found",
    ),
    "time is a word": (
        LONG.assign(hours=["soon", *LONG.hours[1:].astype(str)]),
        {},
        "Row 2 of records.csv: the time 'soon' in column 'hours' is no number",
    ),
    "time is missing": (LONG.assign(hours=[np.nan, *LONG.hours[1:]]), {}, "Row 2 .* is missing"),
    "time is endless": (LONG.assign(hours=[np.inf, *LONG.hours[1:]]), {}, "Row 2"),
    "no patient": (
        LONG.assign(patient=[1, None, *LONG.patient[2:]]),
        {},
        "Row 3 of records.csv has no patient in column 'patient'",
    ),
    "values are words": (LONG.assign(value="high"), {}, "words such as 'high'"),
    "variables are empty": (LONG.assign(variable=None), {}, "nobody knows what was measured"),
    "nothing changes": (
        pd.DataFrame({"id": [1, 1], "hour": [0, 1], "Age": [50, 50]}),
        {},
        "no series",
    ),
    "wide without numbers": (
        pd.DataFrame({"id": [1, 1], "hour": [0, 1], "note": ["a", "b"]}),
        {},
        "holds numbers",
    ),
    "no such event": (LONG, {"event": "death"}, "no variable 'death'"),
    "no rows": (LONG.iloc[:0], {}, "no records"),
    "too many variables": (
        pd.DataFrame({"id": 1, "hour": 0, "variable": range(2001), "value": 1}),
        {},
        "2,001 different variables",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said(case):
    frame, layout, said = WRONG[case]
    with pytest.raises(CohortError, match=said):
        records_of(frame, **layout)


def test_a_path_that_is_not_there_is_said(tmp_path):
    with pytest.raises(CohortError, match="was not found"):
        read_records(tmp_path / "gone.parquet")


@given(st.binary(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_bytes_give_records_or_a_sentence(data):
    with suppress(CohortError):
        read_records(data, "noise")


CELL = st.one_of(
    st.none(), st.integers(-5, 5), st.floats(), st.sampled_from(["", "x", "07:30", "1e400", "NA"])
)


@given(st.lists(st.tuples(CELL, CELL, CELL, CELL), min_size=1, max_size=8))
@settings(max_examples=150, deadline=None)
def test_any_table_gives_records_or_a_sentence(rows):
    frame = pd.DataFrame(rows, columns=["patient", "time", "variable", "value"], dtype=object)
    for layout in (Layout(), Layout(form="wide")):
        try:
            records = read_records(as_csv(frame), "odd", layout=layout)
        except CohortError:
            continue
        assert np.isfinite(records.hours).all()
        assert np.isfinite(records.values).all()


@pytest.mark.heavy
def test_the_long_parquet_of_set_a_is_read_whole(shared_data):
    records = read_records(shared_data / "physionet2012" / "p12_set-a_long.parquet")
    assert (len(records.ids), records.form, records.step) == (4000, "p2012", 0.0)
    assert len(records.variables) == 37
    assert len(records.values) > 1_700_000


def test_words_that_never_change_in_a_stay_are_static_and_others_are_said():
    sex = WIDE["patient"].map({7: "F", 8: "M", 9: None})
    rhythm = ["sinus", "AF", "AF", "sinus", "sinus", "AF", "AF", "AF"]
    records = records_of(WIDE.assign(sex=sex, rhythm=rhythm), event="sick")
    assert records.static.frame["sex"].isna().tolist() == [False, False, True]
    assert records.static.frame["sex"].tolist()[:2] == ["F", "M"]
    assert records.static.frame["Age"].tolist() == [54, 76, 44]
    (note,) = [n for n in records.notes if n.code == "columns not numbers"]
    assert note.values["columns"] == ("rhythm",)
