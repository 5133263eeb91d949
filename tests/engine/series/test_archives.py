"""Folders and zips that are damaged, locked, hostile or something else: each gets a sentence."""

import io
import struct
from contextlib import suppress

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cacviz.engine.exceptions import CohortError
from cacviz.engine.series.challenges import archives
from cacviz.engine.series.records import read_records
from tests.engine.series.record_files import (
    SET_A,
    STAYS_2012,
    STAYS_2019,
    as_folder,
    as_zip,
    entries_of,
)

GOOD = STAYS_2012["101.txt"]
WRONG = {
    "neither": ({"notes.md": "x"}, "holds neither PhysioNet 2012 stays"),
    "empty": ({}, "holds neither"),
    "another header": ({"101.txt": "a,b,c\n1,2,3\n"}, "101.txt begins with 'a,b,c'"),
    "no clock": (
        {"101.txt": GOOD.replace("00:37", "soon")},
        "Line 10 of 101.txt: the time 'soon'",
    ),
    "no number": (
        {"99.txt": STAYS_2012["103.txt"], "101.txt": GOOD.replace("HR,77", "HR,fast")},
        "Line 10 of 101.txt: Value 'fast' is no number",
    ),
    "a stray comma": (
        {"101.txt": GOOD.replace("HR,77", "HR,7,7")},
        "Line 10 of 101.txt has 4 values",
    ),
    "an empty line": ({"101.txt": GOOD.replace("00:37", "\n00:37")}, "Line 10 of 101.txt"),
    "the same stay twice": (
        {"101.txt": GOOD, "set-b/102.txt": GOOD},
        "holds the stay 101 twice: 101.txt and 102.txt",
    ),
    "binary": ({"101.txt": GOOD + "\0"}, "binary content"),
    "bad letters": ({"101.txt": GOOD.encode() + b"01:00,H\xffR,1\n"}, "101.txt"),
    "outcomes of others": (
        {"101.txt": GOOD, "Outcomes-a.txt": "RecordID,SOFA\n7,1\n8,2\n"},
        "No patient of the outcomes is among the records",
    ),
    "outcomes twice": (
        {"101.txt": GOOD, "Outcomes-a.txt": "RecordID,SOFA\n101,1\n101,2\n"},
        "in more than one row, such as 101",
    ),
    "other columns in 2019": (
        STAYS_2019 | {"p9.psv": "HR|ICULOS\n1|2\n"},
        "p9.psv begins with 'HR|ICULOS'",
    ),
    "2019 without its clock": ({"p1.psv": "HR|Age|Sex\n1|2|3\n"}, "'ICULOS' among them"),
    "only headers": ({"101.txt": "Time,Parameter,Value\n"}, "without a single record"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said(case):
    files, said = WRONG[case]
    with pytest.raises(CohortError, match=said.replace("|", r"\|")):
        read_records(as_zip(files), "stays.zip")


@pytest.mark.parametrize("name", ["../101.txt", "/etc/101.txt", "a/../../101.txt", "C:\\101.txt"])
def test_names_that_point_outside_are_refused(name):
    with pytest.raises(CohortError, match="points outside"):
        read_records(as_zip({name: GOOD}), "stays.zip")


def test_a_bomb_is_not_unpacked():
    data = as_zip({"101.txt": GOOD, "102.txt": b"0" * (30 * 2**20)})
    with pytest.raises(CohortError, match="as no records of patients do"):
        read_records(data, "bomb.zip")


def test_sizes_that_lie_are_found_out():
    data = bytearray(as_zip({"101.txt": GOOD}))
    place = data.rfind(b"PK\x01\x02") + 24
    data[place : place + 4] = struct.pack("<I", 20)  # the list says 20 bytes
    with pytest.raises(CohortError, match="damaged"):
        read_records(bytes(data), "liar.zip")


def test_too_many_or_too_large_files_are_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(archives, "MAX_MEMBERS", 2)
    with pytest.raises(CohortError, match="more than 2 files"):
        read_records(as_zip(STAYS_2012))
    with pytest.raises(CohortError, match="more than 2 files"):
        read_records(as_folder(tmp_path, STAYS_2012))
    monkeypatch.setattr(archives, "MAX_MEMBERS", 10)
    monkeypatch.setattr(archives, "MAX_BYTES", 100)
    with pytest.raises(CohortError, match="Read it in parts"):
        read_records(as_zip(STAYS_2012))


def test_a_locked_zip_is_said():
    data = bytearray(as_zip({"101.txt": GOOD}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + place] |= 1
    with pytest.raises(CohortError, match="password"):
        read_records(bytes(data), "locked.zip")


def test_a_spreadsheet_is_no_archive():
    out = io.BytesIO()
    frame = pd.DataFrame({"id": [1, 1], "hour": [0, 1], "HR": [70, 80]})
    frame.to_excel(out, index=False)
    assert entries_of(read_records(out.getvalue(), "x.xlsx")) == [
        (1, 0, "HR", 70),
        (1, 1, "HR", 80),
    ]


@given(st.integers(0, 600), st.integers(0, 255))
@settings(max_examples=120, deadline=None)
def test_a_damaged_zip_gives_records_or_a_sentence(place, byte):
    data = bytearray(as_zip(SET_A))
    data[place % len(data)] = byte
    with suppress(CohortError):
        read_records(bytes(data), "damaged.zip")


@given(st.text(max_size=80), st.sampled_from(["101.txt", "p1.psv"]))
@settings(max_examples=120, deadline=None)
def test_any_text_in_a_stay_gives_records_or_a_sentence(text, name):
    start = "Time,Parameter,Value\n" if name == "101.txt" else "HR|Age|ICULOS\n"
    with suppress(CohortError):
        read_records(as_zip({name: start + text}), "odd.zip")
