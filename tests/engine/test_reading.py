"""Files as they come: forms, separators, letters, missing codes, kinds, and every way to fail."""

import gzip
import io
import traceback
import zipfile
import zlib

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cacviz.engine import files, spreadsheets
from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading import Table, read_table
from tests.engine.cohort_files import COHORTS, shared_file

FRAME = pd.DataFrame(
    {"age": [71, 64, 80], "lab": [1.5, np.nan, 0.25], "sex": ["F", "M", "F"], "dead": [0, 1, 0]}
)
KINDS = {"age": "number", "lab": "number", "sex": "category", "dead": "yesno"}


def as_parquet(frame, **options):
    out = io.BytesIO()
    frame.to_parquet(out, **options)
    return out.getvalue()


def as_xlsx(frame):
    out = io.BytesIO()
    frame.to_excel(out, index=False)
    return out.getvalue()


def kinds(table):
    return {c.name: c.kind for c in table.columns}


def read(text, **options):
    return read_table(text.encode() if isinstance(text, str) else text, "ward.csv", **options)


CSV = FRAME.to_csv(index=False)
FORMS = {
    "csv": CSV.encode(),
    "crlf": CSV.replace("\n", "\r\n").encode(),
    "old mac": CSV.replace("\n", "\r").encode(),
    "tsv": FRAME.to_csv(index=False, sep="\t").encode(),
    "strokes": FRAME.to_csv(index=False, sep="|").encode(),
    "semicolons": FRAME.to_csv(index=False, sep=";", decimal=",").encode(),
    "excel's hint": b"sep=;\r\n" + FRAME.to_csv(index=False, sep=";").encode(),
    "bom": b"\xef\xbb\xbf" + CSV.encode(),
    "utf-16": CSV.encode("utf-16"),
    "utf-16 without mark": CSV.encode("utf-16-le"),
    "parquet": as_parquet(FRAME),
    "xlsx": as_xlsx(FRAME),
    "csv.gz": gzip.compress(CSV.encode()),
    "csv.gz in two members": gzip.compress(CSV[:20].encode()) + gzip.compress(CSV[20:].encode()),
    "parquet.gz": gzip.compress(as_parquet(FRAME)),
    "xlsx.gz": gzip.compress(as_xlsx(FRAME)),
}


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
    frame = pd.DataFrame(rng.normal(size=(500, 4)) * 10.0 ** rng.integers(-300, 300, (500, 4)))
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


BAD = {
    "empty": (b"", "is empty"),
    "header only": (b"a,b\n", "no patients"),
    "blank": (b"\n\n  \n", "no column names"),
    "ragged": (b"a,b\n1,2\n1,2,3\n", "Row 3 .* has 3 values, but there are 2"),
    "short row": (b"a,b\n1,2\n1\n", "Row 3 .* has 1 values"),
    "binary": (bytes(range(256)) * 4, "binary"),
    "old excel": (b"\xd0\xcf\x11\xe0" + bytes(100), "Save it as .xlsx"),
    "pdf": (b"%PDF-1.7 ...", "PDF"),
    "pickle": (b"\x80\x04\x95abc", "pickle"),
    "web page": (b"<!DOCTYPE html><table>", "web page"),
    "gzip cut": (gzip.compress(CSV.encode() * 50)[:-30], "cut short|damaged"),
    "gzip twice": (gzip.compress(gzip.compress(CSV.encode())), "twice"),
    "parquet cut": (FORMS["parquet"][:-20], "Parquet file that is damaged"),
    "xlsx cut": (FORMS["xlsx"][:-200], "cannot be unpacked"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused_in_words(case):
    data, words = BAD[case]
    with pytest.raises(CohortError, match=words):
        read_table(data, "ward.csv")


def test_a_zip_folder_is_no_spreadsheet():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("ward.csv", CSV)
    with pytest.raises(CohortError, match="zip folder"):
        read_table(out.getvalue(), "ward.zip")


def test_missing_paths_and_folders_are_said(tmp_path):
    with pytest.raises(CohortError, match="was not found"):
        read_table(tmp_path / "none.csv", "none.csv")
    with pytest.raises(CohortError, match="is a folder"):
        read_table(tmp_path, "folder")


def test_lists_in_parquet_are_refused_by_column():
    table = pa.table({"a": [1, 2], "many": [[1, 2], [3]]})
    out = io.BytesIO()
    pq.write_table(table, out)
    with pytest.raises(CohortError, match="'many'"):
        read_table(out.getvalue(), "x.parquet")


def test_limits_hold_before_anything_is_unpacked(monkeypatch):
    with pytest.raises(CohortError, match="20,000 columns"):
        read(",".join(f"c{i}" for i in range(20_000)) + "\n" + "1," * 19_999 + "1\n")
    with pytest.raises(CohortError, match="'a', row 3 holds 40,000 characters"):
        read("a,b\nx,1\n" + "y" * 40_000 + ",2\n")
    monkeypatch.setattr(files, "MAX_CELLS", 1_000)
    with pytest.raises(CohortError, match="together the limit"):
        read("a,b\n" + "1,2\n" * 600)
    monkeypatch.setattr(files, "MAX_BYTES", 10_000)
    with pytest.raises(CohortError, match="larger than"):
        read("a\n" + "1\n" * 6_000)
    with pytest.raises(CohortError, match="larger than"):
        read_table(gzip.compress(b"a\n" + b"1\n" * 6_000), "bomb.csv.gz")


def test_a_parquet_bomb_is_refused_by_its_rows():
    table = pa.table({f"c{i}": pa.array(np.zeros(1_000_000, np.int8)) for i in range(60)})
    out = io.BytesIO()
    pq.write_table(table, out)
    assert len(out.getvalue()) < 300_000
    with pytest.raises(CohortError, match="1,000,000 rows and 60 columns"):
        read_table(out.getvalue(), "bomb.parquet")


def test_a_parquet_that_grows_beyond_reason_is_refused():
    table = pa.table({f"c{i}": pa.array(np.zeros(1_000_000, np.int8)) for i in range(40)})
    out = io.BytesIO()
    pq.write_table(table, out)
    with pytest.raises(CohortError, match=r"would unpack from 0\.1 to 305 MB"):
        read_table(out.getvalue(), "bomb.parquet")


def test_a_parquet_of_one_repeated_long_word_is_refused():
    words = pa.DictionaryArray.from_arrays(pa.array(np.zeros(100_000, np.int32)), ["x" * 30_000])
    out = io.BytesIO()
    pq.write_table(pa.table({"a": words}), out)
    with pytest.raises(CohortError, match="'a' is larger than"):
        read_table(out.getvalue(), "bomb.parquet")


def test_a_spreadsheet_bomb_is_refused_by_its_folder(monkeypatch):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<x/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 20_000_000)
    with pytest.raises(CohortError, match="would unpack to 19 MB"):
        read_table(out.getvalue(), "bomb.xlsx")
    monkeypatch.setattr(spreadsheets, "MAX_UNPACKED", 1000)
    with pytest.raises(CohortError, match="would unpack"):
        read_table(FORMS["xlsx"], "x.xlsx")


def test_hostile_text_in_errors_is_short_and_on_one_line():
    name = "x" * 500 + "\n\x1b[31m"
    with pytest.raises(CohortError) as caught:
        read_table(b"", name)
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


def is_slip(error):
    """Our own code, not a parser, ran into it: 'a damaged file' would be a lie."""
    frames = traceback.extract_tb(error.__cause__.__traceback__) if error.__cause__ else []
    parsed = (zipfile.BadZipFile, zlib.error, UnicodeDecodeError, MemoryError, pa.ArrowException)
    ours = any(f.name == "_typed" for f in frames)  # after parsing, all is ours
    ours |= bool(frames) and "cacviz" in frames[-1].filename
    return ours and not isinstance(error.__cause__, parsed)


def assert_a_table_or_a_cohort_error(data):
    try:
        table = read_table(data, "any")
    except CohortError as error:
        caught = error
    else:
        caught = None
    if caught is not None:
        assert str(caught).endswith((".", "?"))
        assert not is_slip(caught)
        return
    assert isinstance(table, Table)
    assert len(table.frame) > 0
    assert [c.name for c in table.columns] == list(table.frame)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_give_a_table_or_a_cohort_error(data):
    assert_a_table_or_a_cohort_error(data)


CELLS = st.sampled_from(
    ["1", "2.5", "NA", "x", '"', ",", ";", "\n", "\r", "\t", "é", "1,5", "|", ""]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(CELLS, max_size=60), st.sampled_from(["utf-8", "utf-16", "latin-1"]))
def test_any_text_gives_a_table_or_a_cohort_error(cells, encoding):
    assert_a_table_or_a_cohort_error(",".join(cells).encode(encoding))


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(FORMS)),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=8),
    st.floats(0, 1),
)
def test_any_damage_gives_a_table_or_a_cohort_error(form, flips, end):
    data = bytearray(FORMS[form])
    for where, byte in flips:
        data[int(where * (len(data) - 1))] = byte
    assert_a_table_or_a_cohort_error(bytes(data[: int(len(data) * end)] if end < 0.7 else data))


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
