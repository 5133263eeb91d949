"""Reads the first sheet of an .xlsx file as columns of text, within limits."""

from __future__ import annotations

import datetime as dt
import io
import warnings
import zipfile

import pyarrow as pa

from cacviz.engine.exceptions import CohortError
from cacviz.engine.kinds import shorten, word

MAX_UNPACKED = 80 * 2**20  # some 3 million cells, which take half a minute
MAX_RATIO = 100  # honest sheets shrink 5 to 20 times


def read_sheet(
    data: bytes, name: str, notes: list[str], *, max_cells: int, max_columns: int
) -> tuple[list[str], list[pa.Array]]:
    """The header and the columns of the first sheet, each as an Arrow array of text."""
    _check_zip(data, name)
    import openpyxl  # slow to import and needed for spreadsheets only

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # styles and extensions that hold no values
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        if not book.worksheets:
            raise CohortError(f"{name} has no sheet with a table. Put the table in a sheet.")
        sheet = book.worksheets[0]
        if len(book.sheetnames) > 1:
            notes.append(f"Only the first sheet ({shorten(sheet.title)}) was read.")
        rows = _rows(sheet, name, max_cells, max_columns)
    if not rows:
        raise CohortError(f"The first sheet of {name} is empty. Put the table there.")
    return _columns(rows)


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


def _rows(sheet, name: str, max_cells: int, max_columns: int) -> list[list[str]]:
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
    return rows


def _columns(rows: list[list[str]]) -> tuple[list[str], list[pa.Array]]:
    width = max(map(len, rows))
    rows = [r + [""] * (width - len(r)) for r in rows]
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
