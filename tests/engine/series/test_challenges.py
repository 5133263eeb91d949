"""The challenges' own files, as folders and zips: what they hold."""

import io
import zipfile

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.exceptions import CohortError
from cacviz.engine.series.challenges.plausible import ADMISSION_RULES, put_right
from cacviz.engine.series.records import read_records
from cacviz.engine.types import Layout
from tests.engine.series.record_files import (
    OUTCOMES_2012,
    SET_A,
    STAYS_2012,
    STAYS_2019,
    as_folder,
    as_zip,
    entries_of,
)

ENTRIES_2012 = [
    (101, 7 / 60, "GCS", 15),
    (101, 7 / 60, "HR", 73),
    (101, 37 / 60, "HR", 77),
    (101, 48, "HR", 86),
    (101, 47 + 37 / 60, "Urine", 280),
    (102, 1 + 11 / 60, "MechVent", 1),
    (102, 7 + 11 / 60, "MechVent", 1),
    (102, 3, "Temp", 36.32),  # 2.4 is 36.32 °C taken for °F; -17.8 is none
    (102, 2, "Urine", 60),
    (102, 2, "Urine", 100),
    (102, 1, "Weight", 80.6),
    (102, 5, "pH", 7.35),
]


def assert_same(one, other):
    assert entries_of(one) == entries_of(other)
    pd.testing.assert_frame_equal(one.static.frame, other.static.frame)


def check_2012(records):
    assert (records.form, records.id_name, records.step) == ("p2012", "RecordID", 0.0)
    assert records.ids.tolist() == [101, 102, 103]
    found = entries_of(records)
    assert [(e[0], e[2], e[3]) for e in found] == [(e[0], e[2], e[3]) for e in ENTRIES_2012]
    np.testing.assert_allclose([e[1] for e in found], [e[1] for e in ENTRIES_2012], rtol=1e-5)


def test_a_folder_of_2012_is_read(tmp_path):
    check_2012(read_records(as_folder(tmp_path, SET_A)))


def test_a_zip_of_2012_is_read_from_a_path_and_from_bytes(tmp_path):
    data = as_zip(SET_A | {"__MACOSX/._101.txt": "x", "README.txt": "about", ".hidden": "x"})
    check_2012(read_records(data, "set-a.zip"))
    path = tmp_path / "set-a.zip"
    path.write_bytes(data)
    check_2012(read_records(path))


def test_what_admission_notes_is_static_and_minus_one_is_missing(tmp_path):
    static = read_records(as_folder(tmp_path, SET_A)).static.frame
    nan = np.nan
    expected = pd.DataFrame(
        {
            "SAPS-I": [6, 16, 21],
            "SOFA": [1, nan, 11],
            "Length_of_stay": [5, 8, 19],
            "Survival": [nan, nan, 9],
            "In-hospital_death": [0, 0, 1],
            "Age": [54, 76, 44],
            "Gender": [0, 1, nan],
            "Height": [nan, 175, 180.3],
            "Weight": [nan, 76, 56],
            "ICUType": [4, 2, 3],
            "CCU": [0, 0, 0],
            "CSRU": [0, 1, 0],
            "SICU": [1, 0, 0],
        }
    )
    pd.testing.assert_frame_equal(static, expected, check_dtype=False)


def test_outcomes_of_two_sets_are_put_under_each_other():
    header, *rows = OUTCOMES_2012.splitlines(keepends=True)
    files = SET_A | {
        "Outcomes-a.txt": header + rows[0],
        "Outcomes-b.txt": header + "".join(rows[1:]),
    }
    assert_same(read_records(as_zip(files)), read_records(as_zip(SET_A)))


def test_outcomes_may_be_absent():
    assert "SOFA" not in read_records(as_zip(STAYS_2012)).static.frame


def test_the_same_stays_as_one_long_table_give_the_same_records():
    rows = [
        [name[:-4], *line.split(",")]
        for name, text in STAYS_2012.items()
        for line in text.splitlines()[1:]
    ]
    frame = pd.DataFrame(rows, columns=["RecordID", "Time", "Parameter", "Value"])
    records = read_records(frame.to_csv(index=False).encode(), "long.csv")
    assert_same(records, read_records(as_zip(STAYS_2012)))
    assert records.form == "p2012"


def test_what_was_put_right_is_counted():
    note = next(n for n in read_records(as_zip(SET_A)).notes if n.code == "implausible records")
    assert note.values == {"changed": 2, "dropped": 1}


def test_line_ends_and_marks_of_other_systems_are_read():
    for stays in (STAYS_2012, STAYS_2019):
        windows = {n: "\ufeff" + t.replace("\n", "\r\n") + "\r\n" for n, t in stays.items()}
        assert_same(read_records(as_zip(windows)), read_records(as_zip(stays)))


def test_a_file_is_named_by_its_row_else_by_its_name():
    lines = STAYS_2012["101.txt"].splitlines()
    unnamed = "\n".join(line for line in lines if "RecordID" not in line)
    assert read_records(as_zip({"77.txt": unnamed})).ids.tolist() == [77]
    with pytest.raises(CohortError, match=r"stay.txt has no row RecordID"):
        read_records(as_zip({"stay.txt": unnamed}))


@pytest.mark.parametrize(
    ("height", "cm"),
    [
        *((-1, None), (1.8, 180), (13, 130), (66, 167.64), (170.2, 170.2), (365.8, 144.01546)),
        *((1750, 175), (5.1, None), (0, None)),
    ],
)
def test_heights_in_other_units_are_put_right(height, cm):
    found = put_right("Height", np.array([float(height)]), ADMISSION_RULES)[0]
    assert found == pytest.approx(cm) if cm else np.isnan(found)


@pytest.mark.parametrize(
    ("variable", "value", "right"),
    [
        *(("HR", 0, None), ("HR", 299, 299), ("HR", 300, None), ("pH", 0.735, 7.35)),
        *(("pH", 73, 7.3), ("pH", 735, 7.35), ("pH", 5, None), ("Temp", 98.6, 37)),
        *(("PaO2", 9, 90), ("WBC", 0.2, None), ("Weight", 34, None), ("DiasABP", 201, None)),
        *(("Lactate", 900, 900), ("GCS", 0, 0)),
    ],
)
def test_values_are_put_right_by_rule(variable, value, right):
    found = put_right(variable, np.array([float(value)]))[0]
    assert np.isnan(found) if right is None else found == pytest.approx(right)


def check_2019(records):
    assert (records.form, records.step, records.event) == ("p2019", 1.0, "SepsisLabel")
    assert records.ids.tolist() == ["p000001", "p000002", "p000003"]
    assert entries_of(records) == [
        ("p000001", 0, "HR", 80),
        ("p000001", 2, "HR", 90),
        ("p000001", 1, "Lactate", 4.5),
        ("p000002", 0, "HR", 60),
        ("p000002", 1, "HR", 61),
        ("p000003", 1, "HR", 70),
        ("p000003", 2, "HR", 71),
        ("p000003", 1, "Lactate", 1.5),
    ]
    assert records.observed.tolist() == [3, 2, 3]
    np.testing.assert_array_equal(records.onset, np.float32([2, np.nan, np.nan]))
    assert list(records.static.frame) == ["Age", "Unit1"]


def test_a_folder_and_a_zip_of_2019_are_read(tmp_path):
    check_2019(read_records(as_folder(tmp_path, STAYS_2019)))
    check_2019(read_records(as_zip(STAYS_2019), "training.zip"))


def test_a_stay_without_rows_is_a_patient_without_records():
    header = STAYS_2019["p000001.psv"].splitlines()[0]
    records = read_records(as_zip(STAYS_2019 | {"p000004.psv": header}))
    assert len(records.ids) == 4
    assert np.isnan(records.observed[3])
    assert records.static.frame.iloc[3].isna().all()


def test_the_form_can_be_asked_for():
    both = STAYS_2012 | STAYS_2019
    assert read_records(as_zip(both), layout=Layout(form="p2012")).form == "p2012"
    assert read_records(as_zip(both)).form == "p2019"


@pytest.mark.heavy
def test_the_raw_sample_of_2012_is_the_long_table(shared_data):
    folder = shared_data / "physionet2012"
    raw = read_records(folder / "raw-sample")
    long = read_records(folder / "p12_set-a_long.parquet")
    kept = np.isin(long.ids[long.patient], raw.ids)
    assert len(raw.ids) == 200
    np.testing.assert_array_equal(raw.ids[raw.patient], long.ids[long.patient[kept]])
    np.testing.assert_array_equal(raw.hours, long.hours[kept])
    np.testing.assert_array_equal(raw.values, long.values[kept])


def test_the_raw_sample_of_2019_is_the_hourly_table(shared_data):
    folder = shared_data / "sepsis2019"
    raw = read_records(folder / "raw-sample")
    hourly = pd.read_parquet(folder / "p19_setA_hourly.parquet")
    numbers = [int(i[1:]) for i in raw.ids]
    of_them = hourly[hourly.patient.isin(numbers)]
    assert len(raw.values) == of_them[list(raw.variables)].notna().sum().sum()
    septic = of_them.groupby("patient").SepsisLabel.max().to_numpy()
    np.testing.assert_array_equal(np.isfinite(raw.onset), septic == 1)


def test_zip_of_stored_members_is_read():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in STAYS_2012.items():
            archive.writestr(name, text)
    check_2012(read_records(out.getvalue(), "stored.zip"))
