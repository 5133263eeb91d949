"""Files as they come: forms, separators, letters, missing codes and kinds."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.tables import read_table
from tests.engine.reading.cohort_files import COHORTS, shared_file
from tests.engine.reading.forms import CSV, FORMS, FRAME, as_parquet

KINDS = {"age": "number", "lab": "number", "sex": "category", "dead": "yesno"}


def kinds(table):
    return {c.name: c.kind for c in table.columns}


def read(text, **options):
    return read_table(text.encode() if isinstance(text, str) else text, "ward.csv", **options)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_table_whatever_its_name(form):
    table = read_table(FORMS[form], "misnamed.xlsx")
    pd.testing.assert_frame_equal(table.frame, FRAME, check_dtype=True)
    assert kinds(table) == KINDS


def test_a_path_reads_as_its_bytes(tmp_path):
    path = tmp_path / "ward.csv"
    path.write_text(CSV)
    pd.testing.assert_frame_equal(read_table(path, "ward.csv").frame, FRAME)


def test_letters_of_windows_are_read():
    table = read("größe;café\n1,5;ja\n2,5;nein\n".encode("cp1252"))
    assert list(table.frame) == ["größe", "café"]
    assert table.frame["größe"].tolist() == [1.5, 2.5]


def test_usual_missing_codes_are_missing_and_none_is_a_category():
    codes = ["", "NA", "n/a", "NaN", "null", "NULL", "?", ".", "#N/A", " NA "]
    table = read("x,test\n" + "".join(f"{c},None\n" for c in codes) + "5,Norm\n")
    assert table.frame["x"].isna().tolist() == [True] * len(codes) + [False]
    assert table.frame["test"].tolist() == ["None"] * len(codes) + ["Norm"]


def test_minus_one_is_missing_only_when_told():
    text = "stay,base\n-1,-1\n5,-1.0\n7,3\n"
    assert read(text).frame["stay"].tolist() == [-1, 5, 7]
    told = read(text, missing=["stay=-1"]).frame
    assert told["stay"].isna().tolist() == [True, False, False]
    assert told["base"].notna().all()
    everywhere = read(text, missing=["-1"]).frame
    assert everywhere["base"].isna().tolist() == [True, True, False]


def test_missing_codes_hold_for_parquet_too():
    table = read_table(as_parquet(FRAME), "x", missing=["age=64", "M"])
    assert table.frame["age"].isna().tolist() == [False, True, False]
    assert table.frame["sex"].isna().tolist() == [False, True, False]


def test_a_missing_code_for_no_column_is_said():
    assert any("stya=-1" in n for n in read("stay\n1\n2\n", missing=["stya=-1"]).notes)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "2", "3"], "number"),
        (["1e5", "+2", "-.5"], "number"),
        (["0", "1", "0"], "yesno"),
        (["yes", "no", "yes"], "yesno"),
        (["True", "False", ""], "yesno"),
        (["Present", "Absent", "Absent"], "yesno"),
        (["ja", "nein", "ja"], "yesno"),
        (["Oui", "Non", ""], "yesno"),
        (["M", "F", "M"], "category"),
        (["[70-80)", "[80-90)", "[0-10)"], "category"),
        (["001", "002", "010"], "category"),
        (["250.83", "V57", "276"], "category"),
        (["12345678901234567890", "12345678901234567891", ""], "category"),
        (["2020-01-31", "2021-12-01", ""], "date"),
        (["31.01.2020", "01.12.2021", ""], "date"),
        (["1/31/2020 14:05", "12/1/2021 03:00", "NA"], "date"),
        (["<0.5", "0.7", "1.9"], "number"),
        (["", "NA", "?"], "number"),
    ],
)
def test_kinds_are_told_from_values(values, kind):
    text = "x,z\n" + "".join(f"{v},1\n" for v in values)
    assert kinds(read(text))["x"] == kind


def test_long_free_text_is_text():
    notes = [f"Patient {i} was admitted by ambulance after a fall at home" for i in range(80)]
    assert kinds(read("note\n" + "\n".join(notes)))["note"] == "text"


def test_numbers_come_back_exactly():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(500, 4)) * 10.0 ** rng.integers(-300, 37, (500, 4)))
    got = read(frame.to_csv(index=False)).frame
    assert np.array_equal(got.to_numpy(), frame.to_numpy())


def test_infinite_values_are_missing_and_said():
    table = read("x,y\ninf,1\n1e999,2\n3,3\n")
    assert table.frame["x"].isna().tolist() == [True, True, False]
    assert any("2 infinite" in n for n in table.notes)


def test_thousands_and_decimal_commas():
    assert read('x,y\n"1,250",1\n"12,000",2\n').frame["x"].tolist() == [1250, 12000]
    assert read('x,y\n"1,25",1\n"12,5",2\n').frame["x"].tolist() == [1.25, 12.5]
    assert read("x;y\n1.250,5;1\n12,5;2\n").frame["x"].tolist() == [1250.5, 12.5]


def test_dots_part_thousands_where_another_column_has_decimal_commas():
    table = read("bnp;hb;born\n1.250;13,4;12.03.1950\n362;9,8;01.11.1939\n12.000;11,1;30.06.1961\n")
    assert table.frame["bnp"].tolist() == [1250, 362, 12000]
    assert kinds(table)["born"] == "date"
    assert "bnp: dots were read as thousands." in table.notes
    assert read("sg;y\n1.011;1\n1.020;2\n").frame["sg"].tolist() == [1.011, 1.02]


@pytest.mark.parametrize("word", ["n.b.", "unknown", "not done"])
@pytest.mark.parametrize("mark", [".", ","])
def test_a_word_for_not_known_among_measurements_is_missing_and_said(word, mark):
    values = [f"{7 + i / 10:.1f}".replace(".", mark) for i in range(30)]
    table = read("hb;x\n" + "\n".join(f"{v};1" for v in [*values, word]))
    assert kinds(table)["hb"] == "number"
    assert table.frame["hb"].isna().sum() == 1
    assert any(f"{word} was read as missing." in note for note in table.notes)


def test_words_among_numbers_with_decimal_commas_are_said():
    values = [f"{7 + i / 10:.1f}".replace(".", ",") for i in range(30)]
    table = read("hb;x\n" + "\n".join(f"{v};1" for v in [*values, "haemolytic"]))
    assert kinds(table)["hb"] == "category"
    assert any("mostly numbers, but 1 other" in note for note in table.notes)


def test_grades_with_unknown_among_them_stay_a_category():
    assert kinds(read("grade\n" + "\n".join(["1", "2", "3", "unknown"] * 9)))["grade"] == "category"


def test_headers_are_made_unique_readable_and_noted():
    table = read("age,age,,b\x07ad\n1,2,3,4\n")
    assert list(table.frame) == ["age", "age (2)", "Column 3", "b ad"]
    assert table.notes == (
        "Column 2 is now called age (2).",
        "Column 4 is now called b ad.",
        "Column 3: no name in the file, so called by place.",
    )


def test_what_holds_for_several_columns_is_said_once():
    table = read("age;crp;bmi;dead\n70,5;1,5;25,1;0\n61,5;2,5;31,2;1\n")
    assert "age, crp, bmi: commas were read as decimal commas." in table.notes
    assert sum("commas" in note for note in table.notes) == 1


def test_a_nameless_empty_column_is_left_out():
    table = read("a,b,\n1,2,\n3,4,\n")
    assert list(table.frame) == ["a", "b"]


def test_quoted_line_breaks_stay_inside_their_value():
    assert read('a,b\n"x\ny",1\nz,2\n').frame["a"].tolist() == ["x\ny", "z"]


def test_long_whole_numbers_of_parquet_keep_every_digit():
    frame = pd.DataFrame({"id": [2**60 + 1, 2**60 + 2], "x": [1, 2]})
    got = read_table(as_parquet(frame), "x.parquet").frame
    assert got["id"].tolist() == [str(2**60 + 1), str(2**60 + 2)]


def test_parquet_kinds_and_many_row_groups():
    n = 1000
    frame = pd.DataFrame(
        {
            "word": pd.Series([f"w{i % 7}" if i % 5 else None for i in range(n)], dtype="str"),
            "level": pd.Categorical([f"l{i % 3}" for i in range(n)]),
            "flag": np.arange(n) % 2 == 0,
            "day": pd.date_range("2020-01-01", periods=n, tz="Europe/Berlin"),
            "whole": pd.array([None, *range(1, n)], dtype="Int64"),
            "empty": pa.nulls(n).to_pandas(),
        }
    )
    table = read_table(as_parquet(frame, row_group_size=90), "x.parquet")
    expected = ["category", "category", "yesno", "date", "number", "number"]
    assert [c.kind for c in table.columns] == expected
    assert table.frame["word"].equals(frame["word"].astype("str"))
    assert table.frame["level"].tolist() == frame["level"].tolist()
    assert table.frame["whole"].isna().sum() == 1


@pytest.mark.parametrize("key", COHORTS)
def test_shared_cohorts_equal_what_pandas_reads(key):
    path = shared_file(COHORTS[key][0])
    table = read_table(path, path.name)
    theirs = pd.read_csv(path, low_memory=False, keep_default_na=False, na_values=["", "NA", "?"])
    assert list(table.frame) == list(theirs)
    for column in table.columns:
        ours, other = table.frame[column.name], theirs[column.name]
        assert np.array_equal(ours.isna(), other.isna()), column.name
        if column.kind == "number":
            assert np.array_equal(ours.dropna(), other.dropna()), column.name


def test_test_not_done_is_a_category_of_the_diabetes_cohort():
    table = read_table(shared_file("diabetes130/diabetic_data.csv.gz"), "diabetic_data.csv.gz")
    assert set(table.frame["A1Cresult"].unique()) == {"None", ">7", ">8", "Norm"}
    found = kinds(table)
    assert found["age"] == "category"
    assert found["diag_1"] == "category"
    assert found["number_diagnoses"] == "number"
    assert table.frame["weight"].isna().mean() > 0.9


def test_more_rows_than_patients_can_be_is_told_before_kinds_are(monkeypatch):
    monkeypatch.setattr("cacviz.engine.reading.raw.MAX_PATIENTS", 10)
    monkeypatch.setattr("cacviz.engine.reading.tables.type_column", lambda *_: pytest.fail("typed"))
    for header in ("id,value", "id,value,other"):
        rows = "\n".join([header, *([",".join("1" for _ in header.split(","))] * 30)])
        with pytest.raises(CohortError, match="rows; a table of patients or stays may have 10"):
            read_table(rows.encode(), "long.csv")
