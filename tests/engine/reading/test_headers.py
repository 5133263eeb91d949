"""Sheets of a spreadsheet, and column names below a title."""

import io

import openpyxl
import pytest

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.tables import read_table
from tests.engine.reading.test_reading import FRAME, read


def as_book(sheets):
    """Rows of cells by sheet, as a spreadsheet that a person made."""
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(out)
    return out.getvalue()


CODEBOOK = [["Column", "Meaning"], ["age", "in years"], ["sex", "F or M"]]
PATIENTS = [list(FRAME), *FRAME.fillna(0).to_numpy().tolist(), [55, 2, "M", 1]]


def test_of_several_sheets_the_fullest_is_read_and_the_others_are_named():
    table = read_table(as_book({"Codebook": CODEBOOK, "Data": PATIENTS, "Empty": []}), "ward.xlsx")
    assert list(table.frame) == list(FRAME)
    assert len(table.frame) == 4
    assert table.sheets == ("Data", "Codebook", "Empty")
    (note,) = table.notes
    assert note.startswith("The sheet Data was read: it holds the most values. Not read: Codebook,")


def test_a_sheet_can_be_named():
    book = as_book({"Codebook": CODEBOOK, "Data": PATIENTS})
    table = read_table(book, "ward.xlsx", sheet="Codebook")
    assert list(table.frame) == ["Column", "Meaning"]
    assert table.notes == ()
    with pytest.raises(CohortError, match=r"no sheet 'Lab'\. It has: Codebook, Data\."):
        read_table(book, "ward.xlsx", sheet="Lab")


TITLES = [["Registry of the ward"], ["Exported on", "3 May"]]


@pytest.mark.parametrize("n_titles", [1, 2])
def test_titles_above_the_column_names_of_a_sheet_are_skipped(n_titles):
    wide = [[*row, *row[:1]] for row in PATIENTS]
    table = read_table(as_book({"Data": [*TITLES[:n_titles], *wide]}), "ward.xlsx")
    assert list(table.frame) == [*FRAME, "age (2)"]
    assert table.frame["age"].tolist() == [71, 64, 80, 55]
    assert "Registry of the ward" in table.notes[0]


@pytest.mark.parametrize(
    "text",
    [
        "Registry\nage,sex,dead\n70,F,0\n61,M,1\n",
        "Registry, ward 5\n\nage;sex;dead\n70;F;0\n61;M;1\n",
        "Registry;;\n;;\nage;sex;dead\n70;F;0\n61;M;1\n",
        '"Registry\nof the ward"\nage,sex,dead\n70,F,0\n61,M,1\n',
        "# 3 May\r\n# by hand\r\nage\tsex\tdead\r\n" + "70\tF\t0\r\n61\tM\t1\r\n" * 3,
    ],
)
def test_titles_above_the_column_names_of_a_text_file_are_skipped(text):
    table = read(text)
    assert list(table.frame) == ["age", "sex", "dead"]
    assert table.frame["age"].tolist()[:2] == [70, 61]
    assert any("title" in note for note in table.notes)


@pytest.mark.parametrize("text", ["codes\na;b;c\nd;e;f\n", "a,,\n1,2,3\n4,5,6\n", "a,b\n,\n1,2\n"])
def test_column_names_without_a_title_stay_column_names(text):
    table = read(text)
    assert not any("title" in note for note in table.notes)
    assert len(table.frame) == text.count("\n") - 1
