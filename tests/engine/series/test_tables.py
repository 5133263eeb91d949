"""Records become a cohort: nothing after the window reaches it, series and table stay aligned."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.choosing import first_choices, with_outcome, with_subset
from cacviz.engine.cohorts.making import changed, cohort_of
from cacviz.engine.preparation.preparing import Preparation
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.series.tables import read_series, series_table
from cacviz.engine.types import TRAIN, Condition, Flow, Outcome, Window
from tests.engine.series.record_files import LONG, OUTCOMES_2012, STAYS_2012, as_folder, records_of

FUTURE = 987654.0


def many(n=60, seed=0, sentinel=False):
    """Hourly rows of n patients with an event; a planted value in every hour after the 24th."""
    rng = np.random.default_rng(seed)
    length = rng.integers(20, 40, n)
    patient = np.repeat(np.arange(n), length)
    hour = np.concatenate([np.arange(m) for m in length])
    frame = pd.DataFrame({"patient": patient, "hour": hour, "Age": patient % 50 + 20})
    for name in ("HR", "Lactate", "MechVent", "Urine"):
        values = rng.normal(80, 9, len(frame)).round(1)
        frame[name] = np.where(rng.random(len(frame)) < 0.6, values, np.nan)
    frame["event"] = ((patient % 3 == 0) & (hour >= 26) | (patient % 7 == 5) & (hour > 9)).astype(
        int
    )
    if sentinel:
        late = frame.hour >= 24
        frame.loc[late, ["HR", "Lactate", "MechVent", "Urine"]] = FUTURE
    return frame


def table(frame=None, hours=24, **window):
    frame = many() if frame is None else frame
    return series_table(records_of(frame, event="event"), Window(hours, **window))


def cohort(**subset):
    made = table()
    choices = with_outcome(first_choices(made.columns), Outcome("event"))
    if subset:
        choices = with_subset(choices, [Condition("Age", **subset)])
    return cohort_of("ward", made, choices)


def test_nothing_after_the_window_reaches_a_feature():
    plain, planted = table(), table(many(sentinel=True))
    assert not (planted.frame.select_dtypes("number") > FUTURE / 100).any().any()
    assert not (planted.series.values > FUTURE / 100).any()
    pd.testing.assert_frame_equal(plain.frame, planted.frame)
    np.testing.assert_array_equal(plain.series.values, planted.series.values)
    np.testing.assert_array_equal(plain.series.measured, planted.series.measured)
    np.testing.assert_array_equal(plain.series.since, planted.series.since)
    assert (plain.digest, plain.flow) == (planted.digest, planted.flow)


def test_nothing_after_the_window_reaches_instants_either():
    later = LONG.assign(hours=LONG.hours + 24.01, value=FUTURE)
    one = series_table(records_of(LONG), Window(24))
    other = series_table(records_of(pd.concat([LONG, later])), Window(24))
    pd.testing.assert_frame_equal(one.frame, other.frame)
    np.testing.assert_array_equal(one.series.values, other.series.values)


def test_the_table_has_id_outcome_static_columns_and_summaries():
    made = table()
    assert list(made.frame)[:4] == ["patient", "event", "Age", "HR_first"]
    assert made.columns[0].role == "patient id"
    assert {"Lactate_slope", "HR_count", "MechVentDuration", "UrineOutputSum"} <= set(made.frame)
    assert [c.name for c in made.columns] == list(made.frame)


def test_the_flow_adds_up():
    made = table()
    assert isinstance(made.flow, Flow)
    assert made.flow.n_read == 60
    assert made.flow.n_kept == len(made.frame) == len(made.series.values)
    assert [e.reason for e in made.flow.exclusions] == ["too short", "outcome in window"]


def test_the_order_of_rows_changes_nothing():
    frame = many()
    shuffled = frame.sample(frac=1, random_state=1)
    assert table(frame).digest == table(shuffled).digest


def test_series_are_part_of_what_a_fit_sees():
    frame = many()
    made = table(frame)
    kept = frame.patient.isin(made.frame["patient"]) & (frame.hour == 9) & frame.HR.notna()
    other = frame.copy()
    other.loc[kept.idxmax(), "HR"] += 0.1
    assert made.digest != table(other).digest


def test_a_summary_gives_way_to_a_static_column_of_its_name():
    frame = many().assign(HR_last=lambda f: f.patient * 2)
    made = table(frame)
    assert {"HR_last", "HR_last (2)"} <= set(made.frame)
    assert made.frame["HR_last"].tolist() == (2 * made.frame["patient"]).tolist()


def test_a_subset_keeps_table_and_series_aligned():
    whole, some = cohort(), cohort(low=30, high=44)
    rows = np.flatnonzero(whole.frame["Age"].between(30, 44))
    assert 0 < len(rows) < whole.n_patients
    assert len(some.series.values) == some.n_patients == len(rows)
    np.testing.assert_array_equal(some.series.values, whole.series.values[rows])
    np.testing.assert_array_equal(some.series.since, whole.series.since[rows])
    last = some.series.values[:, -1, some.series.variables.index("HR")]
    np.testing.assert_allclose(some.frame["HR_last"], last, rtol=1e-5)


def test_a_change_of_choices_keeps_the_series():
    some = cohort(low=30, high=44)
    again = changed(some, with_outcome, Outcome("event", positive="0"))
    assert again.series is some.series
    back = changed(some, with_subset, [])
    assert len(back.series.values) == back.n_patients == cohort().n_patients


def test_an_ordinary_cohort_has_no_series():
    made = table()
    plain = cohort_of("ward", type(made)(made.frame, made.columns), first_choices(made.columns))
    assert plain.series is None


def test_every_method_can_be_given_the_summaries():
    split = split_cohort(cohort())
    rows = split.rows(TRAIN)
    frame, y = split.cohort.frame.iloc[rows], split.cohort.y[rows]
    prepared = Preparation().fit(frame, split.cohort.columns, y).transform(frame)
    assert np.isfinite(prepared.X).all()
    assert "patient" not in prepared.sources


def test_a_folder_and_a_static_table_become_a_cohort(tmp_path):
    folder = as_folder(tmp_path / "set-a", STAYS_2012)
    outcomes = tmp_path / "outcomes.csv"
    outcomes.write_text(OUTCOMES_2012)
    made = read_series(folder, window=Window(48), static=outcomes, features="paper")
    assert made.frame["RecordID"].tolist() == [101, 102]
    assert made.frame["HR_last"].tolist()[0] == 86
    assert made.flow.exclusions[0].reason == "no records"


def agreement(made, given, key):
    """Cells that are equal to the given table, of those of the same patients and columns."""
    made, given = made.set_index(key), given.set_index(key)
    rows = made.index.intersection(given.index)
    one, other = made.loc[rows, given.columns].astype(float), given.loc[rows].astype(float)
    return np.isclose(one, other, rtol=1e-5, atol=1e-9, equal_nan=True)


@pytest.mark.heavy
def test_set_a_gives_the_given_static_table(shared_data):
    folder = shared_data / "physionet2012"
    given = pd.read_csv(folder / "p12_set-a_static.csv.gz")
    window = Window(48, keep_empty=True)
    made = read_series(folder / "p12_set-a_long.parquet", window=window, features="paper").frame
    columns = [c for c in given if c in made]
    equal = agreement(made, given[columns], "RecordID")
    assert len(columns) == 117
    assert len(equal) == 4000
    assert (~equal).sum() <= 51  # ties at one instant, and two readings noted in two units


@pytest.mark.heavy
def test_hourly_sepsis_gives_the_given_static_table(shared_data):
    folder = shared_data / "sepsis2019"
    given = pd.read_csv(folder / "p19_setA_static24h.csv.gz").drop(columns="n_hours")
    given.columns = given.columns.str.replace("_min", "_lowest").str.replace("_max", "_highest")
    given = given.rename(columns={"sepsis": "SepsisLabel"})
    made = read_series(folder / "p19_setA_hourly.parquet", window=Window(24), features="paper")
    assert made.frame["patient"].tolist() == given["patient"].tolist()
    assert agreement(made.frame, given, "patient").all()
    assert [(e.reason, e.n_patients) for e in made.flow.exclusions] == [
        ("too short", 4499),
        ("outcome in window", 192),
    ]


@pytest.mark.parametrize("seed", range(3))
def test_forward_filled_ends_are_the_last_values(seed):
    made = table(many(seed=seed))
    for i, name in enumerate(made.series.variables):
        if f"{name}_last" in made.frame:
            end = made.series.values[:, -1, i]
            np.testing.assert_allclose(made.frame[f"{name}_last"], end, rtol=1e-5)
            counts = made.series.measured[:, :, i].sum(axis=1)
            np.testing.assert_array_equal(made.frame[f"{name}_count"], counts)


def test_a_summary_has_a_label_that_people_can_read():
    table = series_table(records_of(LONG), Window(24))
    label = {c.name: c.label for c in table.columns}
    assert label["HR_first"] == "HR (first)"
    assert label["Lactate_count"] == "Lactate (times measured)"
    assert label["GCS_slope"] == "GCS (change an hour)"
    assert label["patient"] == ""
