"""Summaries by hand and against pandas, and those of ventilation and urine."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cacviz.engine.series.records import read_records
from cacviz.engine.series.summaries import STATISTICS, full_plan, paper_plan, summaries
from cacviz.engine.series.windows import in_window
from cacviz.engine.types import Window
from tests.engine.series.record_files import LONG, STAYS_2012, WIDE, as_zip, records_of

NAN = np.nan


def columns_of(records, hours, plan=full_plan, **window):
    cut = in_window(records, Window(hours, **window))
    return {n: v.tolist() for n, v in summaries(cut, plan(cut), hours).items()}


def test_by_hand():
    found = columns_of(records_of(LONG), 24)
    hr = {s: found[f"HR_{s}"] for s in STATISTICS}
    np.testing.assert_allclose(hr["first"], [80, 60, NAN])
    np.testing.assert_allclose(hr["last"], [100, 60, NAN])
    np.testing.assert_allclose(hr["lowest"], [80, 60, NAN])
    np.testing.assert_allclose(hr["highest"], [100, 60, NAN])
    np.testing.assert_allclose(hr["median"], [90, 60, NAN])
    np.testing.assert_allclose(hr["count"], [3, 1, 0])
    slope = np.polyfit([0.5, 0.9, 3], [80, 90, 100], 1)[0]
    np.testing.assert_allclose(hr["slope"], [slope, NAN, NAN], rtol=1e-5)
    assert found["GCS_last"][1] == 9


def test_a_median_of_two_is_between_them():
    frame = pd.DataFrame({"id": 1, "hours": [0.5, 2.5], "variable": "HR", "value": [70, 81]})
    assert columns_of(records_of(frame), 4)["HR_median"] == [75.5]


def test_two_values_at_one_instant_have_no_slope():
    frame = pd.DataFrame({"id": 1, "hours": [2.5, 2.5], "variable": "HR", "value": [70, 81]})
    found = columns_of(records_of(frame), 4)
    assert np.isnan(found["HR_slope"][0])
    assert (found["HR_first"], found["HR_last"]) == ([70], [81])


@pytest.mark.parametrize("values", [[0.1] * 7, [36.6, 37.7, 36.6], [7.35, 7.35]])
def test_a_level_course_has_the_slope_0_exactly(values):
    frame = pd.DataFrame({"id": 1, "hours": range(len(values)), "variable": "x", "value": values})
    assert columns_of(records_of(frame), 24)["x_slope"] == [0]


def test_ventilation_and_urine_have_the_papers_names():
    records = read_records(as_zip(STAYS_2012))
    found = columns_of(records, 48, paper_plan, keep_empty=True)
    np.testing.assert_array_equal(found["MechVentStartTime"], [NAN, 71, NAN])
    np.testing.assert_array_equal(found["MechVentDuration"], [NAN, 360, NAN])
    np.testing.assert_array_equal(found["MechVentLast8Hour"], [NAN, 0, NAN])
    np.testing.assert_array_equal(found["MechVentCount"], [NAN, 2, NAN])
    np.testing.assert_array_equal(found["UrineOutputSum"], [280, 160, NAN])
    late = columns_of(records, 12, paper_plan, keep_empty=True)
    np.testing.assert_array_equal(late["MechVentLast8Hour"], [NAN, 1, NAN])
    np.testing.assert_array_equal(late["UrineOutputSum"], [NAN, 160, NAN])


def test_the_papers_plan_has_five_of_vital_signs_and_two_of_the_laboratory():
    names = columns_of(read_records(as_zip(STAYS_2012)), 48, paper_plan)
    of = {v: [n for n in names if n.startswith(f"{v}_")] for v in ("HR", "pH", "Weight")}
    assert of["HR"] == ["HR_first", "HR_last", "HR_lowest", "HR_highest", "HR_median"]
    assert of["pH"] == ["pH_first", "pH_last"]
    assert of["Weight"] == ["Weight_first", "Weight_last"]
    wide = columns_of(records_of(WIDE, event="sick"), 2, paper_plan)
    assert [n for n in wide if n.startswith("Lactate")] == [
        f"Lactate_{s}" for s in ("first", "last", "lowest", "highest", "median")
    ]


def test_records_beyond_the_window_are_a_mistake():
    records = records_of(LONG)
    with pytest.raises(AssertionError):
        summaries(records, full_plan(records), 24)


ROW = st.tuples(st.integers(1, 4), st.floats(0, 9.99), st.sampled_from("ab"), st.integers(-99, 99))


@given(st.lists(ROW, min_size=1, max_size=40, unique_by=lambda r: r[:3]))
@settings(max_examples=60, deadline=None)
def test_pandas_agrees(rows):
    frame = pd.DataFrame(rows, columns=["patient", "hours", "variable", "value"])
    frame["hours"] = frame.hours.astype(np.float32).astype(float)
    frame = frame.drop_duplicates(["patient", "hours", "variable"]).sort_values("hours")
    found = columns_of(records_of(frame), 10)
    groups = frame.groupby(["patient", "variable"]).value
    for name, how in zip(
        STATISTICS, ("first", "last", "min", "max", "median", "size"), strict=False
    ):
        table = getattr(groups, how)().unstack()
        for variable in table:
            expected = table[variable].fillna(0 if name == "count" else NAN)
            np.testing.assert_allclose(found[f"{variable}_{name}"], expected)
