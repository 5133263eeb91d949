"""Reads a sheet of an .xlsx file as columns of text, within limits."""

from __future__ import annotations

import datetime as dt
import io
import warnings
import zipfile

import pyarrow as pa

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.headers import header_row, title_note
from cacviz.engine.reading.kinds import shorten, word
from cacviz.engine.reading.raw import Raw

MAX_UNPACKED = 80 * 2**20  # some 3 million cells, which take half a minute
MAX_RATIO = 100  # honest sheets shrink 5 to 20 times
Rows = list[list[str]]


def read_book(
    data: bytes, name: str, notes: list[str], *, sheet: str = "", max_cells: int, max_columns: int
) -> Raw:
    """The header and the columns of a sheet: the one that is named, else the fullest."""
    _check_zip(data, name)
    import openpyxl  # slow to import and needed for spreadsheets only

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # styles and extensions that hold no values
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        names = [s.title for s in book.worksheets]
        if not names:
            raise CohortError(f"{name} has no sheet with a table. Put the table in a sheet.")
        if sheet and sheet not in names:
            raise CohortError(f"{name} has no sheet '{shorten(sheet)}'. It has: {_listed(names)}.")
        wanted = [s for s in book.worksheets if sheet in ("", s.title)]
        chosen, rows = _fullest(wanted, name, max_cells, max_columns)
    if not rows:
        raise CohortError(f"{name} has no sheet with values. Put the table in a sheet.")
    others = [n for n in names if n != chosen]
    if others and not sheet:
        notes.append(
            f"The sheet {shorten(chosen)} was read: it holds the most values. "
            f"Not read: {_listed(others)}; one of them can be chosen where the file is opened."
        )
    header, columns = _columns(rows, notes)
    return Raw(header, columns, sheets=(chosen, *others))


def _fullest(sheets: list, name: str, max_cells: int, max_columns: int) -> tuple[str, Rows]:
    """The sheet with the most filled cells, so that a codebook is not taken for the patients."""
    best: tuple[int, str, Rows] = (-1, "", [])
    for sheet in sheets:
        rows, n_cells = _rows(sheet, name, max_cells, max_columns)
        max_cells -= n_cells
        n_filled = sum(bool(text) for row in rows for text in row)
        if n_filled > best[0]:
            best = (n_filled, sheet.title, rows)
    return best[1:]


def _listed(names: list[str], most: int = 8) -> str:
    shown = ", ".join(shorten(n) for n in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _check_zip(data: bytes, name: str) -> None:
    """Sizes are read from the folder of the zip, before anything is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise CohortError(f"{name} is damaged: it cannot be unpacked. Copy it again.") from error
    if "xl/workbook.xml" not in {m.filename for m in members}:
        raise CohortError(
            f"{name} is a zip folder, not a spreadsheet. Unpack it and choose the table inside."
        )
    total = sum(m.file_size for m in members)
    if total > MAX_UNPACKED or total > MAX_RATIO * max(len(data), 10_000):
        raise CohortError(
            f"{name} would unpack to {total / 2**20:,.0f} MB, too much for a spreadsheet. "
            "Save the table as CSV or Parquet."
        )


def _rows(sheet, name: str, max_cells: int, max_columns: int) -> tuple[Rows, int]:
    """The rows that hold anything, and how many cells were looked at."""
    sheet.reset_dimensions()  # the declared size may be wrong
    rows, cells = [], 0
    for row in sheet.iter_rows(values_only=True):
        cells += len(row)
        if cells > max_cells or len(row) > max_columns:
            raise CohortError(
                f"{name} has too many cells for a spreadsheet. Save the table as CSV or Parquet."
            )
        texts = [_text(v) for v in row]
        if any(texts):
            rows.append(texts)
    return rows, cells


def _columns(rows: Rows, notes: list[str]) -> tuple[list[str], list[pa.Array]]:
    place = header_row(rows)
    if place:
        notes.append(title_note(rows, place))
    width = max(map(len, rows))
    rows = [r + [""] * (width - len(r)) for r in rows[place:]]
    header, body = rows[0], rows[1:]
    columns = [[r[i] for r in body] for i in range(width)]
    keep = [i for i in range(width) if header[i] or any(columns[i])]
    return [header[i] for i in keep], [pa.array(columns[i], pa.string()) for i in keep]


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    return word(value).strip()
