"""Reads a table of patients from a file nobody has checked yet; every failure is a CohortError."""

from __future__ import annotations

import csv
import io
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet

from cacviz.engine.exceptions import CohortError
from cacviz.engine.kinds import Typed, shorten, type_numbers, type_words
from cacviz.engine.spreadsheets import read_sheet
from cacviz.engine.types import Column

MAX_BYTES = 200 * 2**20
MAX_COLUMNS = 10_000
MAX_CELLS = 50_000_000
MAX_CELL_LENGTH = 32_767  # a spreadsheet's own limit
DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 2**16
_NOT_TABLES = (
    (b"\xd0\xcf\x11\xe0", "an Excel file of the old kind (.xls). Save it as .xlsx or CSV"),
    (b"%PDF", "a PDF document. Export the table itself as CSV or .xlsx"),
    (b"BZh", "compressed with bzip2. Unpack it first"),
    (b"\xfd7zXZ", "compressed with xz. Unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd. Unpack it first"),
    (b"7z\xbc\xaf", "a 7z archive. Unpack it and choose the table inside"),
    (b"RDX", "an R data file. Save the table as CSV"),
    (b"\x80\x04", "a Python pickle, which is never opened. Save the table as CSV or Parquet"),
    (b"<!DOCTYPE", "a web page. Export the table itself as CSV or .xlsx"),
    (b"<html", "a web page. Export the table itself as CSV or .xlsx"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A file's rows, each column's kind, and what was noticed on the way."""

    frame: pd.DataFrame
    columns: tuple[Column, ...]
    notes: tuple[str, ...]


class Raw(NamedTuple):
    """Column names as written, values before their kind is known, and whether commas part them."""

    header: list[str]
    columns: list[pa.Array]
    comma: bool = False


def read_table(source: Path | bytes, name: str, *, missing: Sequence[str] = ()) -> Table:
    """Read CSV, TSV, XLSX or Parquet, plain or gzipped, told apart by content.

    `missing` adds codes for missing values: "-1" everywhere, "Length_of_stay=-1" in one column.
    """
    name = shorten(name, 80)
    try:
        return _read(_unpacked(_load(source, name), name), name, tuple(map(str, missing)))
    except CohortError:
        raise
    except MemoryError as error:
        raise CohortError(
            f"{name} needs more memory than this computer can give. Leave out columns or rows, "
            "or save it as Parquet."
        ) from error
    except Exception as error:
        raise CohortError(
            f"{name} could not be read: its content is damaged or not a table "
            f"({type(error).__name__}). Export it again as CSV, .xlsx or Parquet."
        ) from error


def _load(source: Path | bytes, name: str) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    else:
        data = _load_path(Path(source), name)
    if len(data) > MAX_BYTES:
        raise _too_big(name)
    if not data:
        raise CohortError(f"{name} is empty. Choose another file or export it again.")
    return data


def _load_path(path: Path, name: str) -> bytes:
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "was not found"
        raise CohortError(f"{name} {what}. Check the path and type it again.")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise _too_big(name)
        return path.read_bytes()
    except OSError as error:
        raise CohortError(
            f"{name} could not be opened ({error.strerror}). Check that you may read it."
        ) from error


def _too_big(name: str) -> CohortError:
    return CohortError(
        f"{name} is larger than {MAX_BYTES // 2**20} MB once unpacked. Leave out columns or "
        "rows, or save it as Parquet."
    )


def _unpacked(data: bytes, name: str) -> bytes:
    """Gunzip with a limit, so that a small file cannot fill the memory."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    stream, out, size = io.BytesIO(data), io.BytesIO(), 0
    unzip = zlib.decompressobj(wbits=31)
    try:
        while chunk := unzip.unused_data or unzip.unconsumed_tail or stream.read(2**20):
            if unzip.eof:
                if not chunk.startswith(b"\x1f\x8b"):
                    break
                unzip = zlib.decompressobj(wbits=31)
            size += out.write(unzip.decompress(chunk, 2**22))
            if size > MAX_BYTES:
                raise _too_big(name)
    except zlib.error as error:
        raise CohortError(f"{name} is damaged: it cannot be unpacked. Copy it again.") from error
    if not unzip.eof:
        raise CohortError(f"{name} is cut short: its end is missing. Copy or download it again.")
    return out.getvalue()


def _read(data: bytes, name: str, missing: tuple[str, ...]) -> Table:
    for magic, what in _NOT_TABLES:
        if data[:16].lstrip().startswith(magic):
            raise CohortError(f"{name} is {what}.")
    if data.startswith(b"\x1f\x8b"):
        raise CohortError(f"{name} was compressed twice. Unpack it first.")
    notes: list[str] = []
    if data.startswith(b"PAR1"):
        raw = _read_parquet(data, name)
    elif data.startswith(b"PK"):
        limits = {"max_cells": MAX_CELLS, "max_columns": MAX_COLUMNS}
        raw = Raw(*read_sheet(data, name, notes, **limits))
    else:
        raw = _read_text(data, name, notes)
    return _typed(raw, name, missing, notes)


def _read_text(data: bytes, name: str, notes: list[str]) -> Raw:
    data = _as_utf8(data, name, notes).lstrip(b"\r\n")
    sample = _sample(data)
    delimiter = _delimiter(sample)
    header: list[str] = next(_records(sample, delimiter), [])
    if not any(h.strip() for h in header):
        raise CohortError(f"{name} has no column names in its first row. Add them and try again.")
    _check_shape(name, data.count(b"\n"), len(header))
    ids = [f"c{i}" for i in range(len(header))]
    table = _parse_csv(data, delimiter, ids, name)
    _check_shape(name, table.num_rows, len(header))
    if delimiter != ",":
        notes.append(f"Values are parted by {_spoken(delimiter)}.")
    return Raw(header, [c.combine_chunks() for c in table.columns], delimiter == ",")


def _parse_csv(data: bytes, delimiter: str, ids: list[str], name: str) -> pa.Table:
    """Everything as text: what it means is decided later, by column."""
    try:
        return pa.csv.read_csv(
            pa.BufferReader(data),
            read_options=pa.csv.ReadOptions(
                use_threads=False,
                block_size=len(data) + 1,
                column_names=ids,
                skip_rows_after_names=1,
            ),
            parse_options=pa.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=pa.csv.ConvertOptions(
                column_types=dict.fromkeys(ids, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid as error:
        raise CohortError(_explain_csv(str(error), name, len(ids))) from error


def _explain_csv(message: str, name: str, n_columns: int) -> str:
    start, _, rest = message.partition("Row #")
    row, _, rest = rest.partition(": Expected ")
    if not start or not row.isdigit():
        return (
            f"{name} could not be read as a table of {n_columns} columns. A quotation mark that is "
            "never closed is the usual reason. Export it again as CSV."
        )
    found = rest.partition("got ")[2].partition(":")[0]
    return (
        f"Row {int(row):,} of {name} has {found} values, but there are {n_columns} column names. "
        "Look for a stray separator, line break or quotation mark in that row, or export again."
    )


def _as_utf8(data: bytes, name: str, notes: list[str]) -> bytes:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif data.startswith(b"\xef\xbb\xbf"):
        data, encoding = data[3:], "utf-8"
    elif len(data) >= 4 and data[1:200:2].count(0) > 0.4 * len(data[1:200:2]):
        encoding = "utf-16-le"
    elif len(data) >= 4 and data[0:200:2].count(0) > 0.4 * len(data[0:200:2]):
        encoding = "utf-16-be"
    else:
        encoding = "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise CohortError(f"{name} is cut short or damaged. Export it again.") from error
        text, encoding = data.decode("cp1252", errors="replace"), "Windows (cp1252)"
    if "\x00" in text:
        raise CohortError(
            f"{name} is not a table this app knows: it holds binary content. Choose a CSV, TSV, "
            ".xlsx or Parquet file."
        )
    if encoding == "utf-8":
        return data
    notes.append(f"Letters were read as {encoding}.")
    return text.encode("utf-8")


def _sample(data: bytes) -> str:
    """The first lines; more of them where the header alone is longer."""
    end = _SAMPLE
    first = data.find(b"\n")
    if first >= end:
        end = first + _SAMPLE
    return data[:end].decode("utf-8", errors="ignore")


def _records(sample: str, delimiter: str):
    csv.field_size_limit(2**31 - 1)
    lines = io.StringIO(sample, newline=None)
    yield from (r for r in csv.reader(lines, delimiter=delimiter) if r)


def _delimiter(sample: str) -> str:
    """The separator that gives most rows the same number of values, more than one."""
    best, best_score = ",", (0.0, 0)
    for candidate in DELIMITERS:
        if candidate not in sample.split("\n", 1)[0]:
            continue
        widths = [len(r) for r, _ in zip(_records(sample, candidate), range(100), strict=False)]
        widths = widths[:-1] or widths  # the last one may be cut
        width, count = Counter(widths).most_common(1)[0]
        score = (round(count / len(widths), 1), width)
        if width > 1 and score > best_score:
            best, best_score = candidate, score
    return best


def _spoken(delimiter: str) -> str:
    return {";": "semicolons", "\t": "tabs", "|": "upright strokes"}[delimiter]


def _check_shape(name: str, n_rows: int, n_columns: int) -> None:
    if n_columns > MAX_COLUMNS:
        raise CohortError(
            f"{name} has {n_columns:,} columns; the limit is {MAX_COLUMNS:,}. Keep the ones that "
            "matter, or check that patients are rows and not columns."
        )
    if n_rows * n_columns > MAX_CELLS:
        raise CohortError(
            f"{name} has {n_rows:,} rows and {n_columns:,} columns; together the limit is "
            f"{MAX_CELLS:,} values. Leave out columns or rows."
        )


def _read_parquet(data: bytes, name: str) -> Raw:
    """Counts are checked before anything is unpacked: declared bytes can lie, rows cannot."""
    file = pa.parquet.ParquetFile(pa.BufferReader(data))
    schema = file.schema_arrow
    _check_shape(name, file.metadata.num_rows, len(schema))
    nested = [f.name for f in schema if pa.types.is_nested(f.type)]
    if nested:
        raise CohortError(
            f"Column '{shorten(nested[0])}' of {name} holds lists, not single values. Leave it "
            "out or spread it over columns."
        )
    keep = [i for i, n in enumerate(schema.names) if not n.startswith("__index_level_")]
    batches, size = [], 0
    for batch in file.iter_batches(batch_size=2**16, use_threads=False):
        size += batch.nbytes
        if size > 4 * MAX_BYTES:
            raise _too_big(name)
        batches.append(batch)
    table = pa.Table.from_batches(batches, schema=schema)
    columns = [table.column(i).combine_chunks() for i in keep]
    return Raw([schema.names[i] for i in keep], columns)


def _named(header: Sequence[str], notes: list[str]) -> list[str]:
    """Names that are there, readable and different from each other."""
    names: list[str] = []
    taken: set[str] = set()
    for i, original in enumerate(header):
        base = shorten(original or "", 200) or f"Column {i + 1}"
        name, again = base, 2
        while name in taken:
            name, again = f"{base} ({again})", again + 1
        if name != original:
            notes.append(f"Column {i + 1} is now called {shorten(name)}.")
        taken.add(name)
        names.append(name)
    numeric = [n for n in header if n and n.strip().replace(".", "", 1).isdigit()]
    if len(header) > 1 and len(numeric) == len(header):
        notes.append("The first row holds only numbers, yet was taken as the column names.")
    return names


def _typed(raw: Raw, name: str, missing: tuple[str, ...], notes: list[str]) -> Table:
    if not raw.columns or len(raw.columns[0]) == 0:
        raise CohortError(f"{name} has column names but no patients. Check your export.")
    names = _named(raw.header, notes)
    typed = []
    for column, values in zip(names, raw.columns, strict=True):
        typed.append(_type_one(column, values, _codes_for(column, missing), raw.comma))
        if typed[-1].note:
            notes.append(typed[-1].note)
    frame = pd.DataFrame({n: t.values for n, t in zip(names, typed, strict=True)})
    columns = tuple(Column(n, t.kind) for n, t in zip(names, typed, strict=True))
    return Table(frame, columns, tuple(_told(notes)))


def _codes_for(column: str, missing: tuple[str, ...]) -> list[str]:
    """A code "-1" holds everywhere; "stay=-1" in the column stay alone."""
    codes = []
    for code in missing:
        head, mark, tail = code.rpartition("=")
        if not mark:
            codes.append(code)
        elif head == column:
            codes.append(tail)
    return codes


def _type_one(column: str, values: pa.Array, missing: list[str], comma: bool) -> Typed:
    kind = values.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        numbers = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False).copy()
        for code in missing:
            numbers[numbers == pd.to_numeric(code, errors="coerce")] = np.nan
        return type_numbers(column, numbers)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        stamps = values.cast(pa.timestamp("us"), safe=False).to_pandas()
        return Typed(pd.Series(stamps).rename(column), "date")
    texts = values.cast(pa.string()).fill_null("")
    longest = pa.compute.max(pa.compute.utf8_length(texts)).as_py()
    if longest > MAX_CELL_LENGTH:
        lengths = pa.compute.utf8_length(texts).to_numpy(zero_copy_only=False)
        raise CohortError(
            f"Column '{shorten(column)}', row {lengths.argmax() + 2:,} holds {longest:,} "
            f"characters; the limit is {MAX_CELL_LENGTH:,}. Look for a quotation mark that is "
            "never closed."
        )
    return type_words(column, texts, missing, comma=comma)


def _told(notes: list[str], most: int = 30) -> list[str]:
    if len(notes) <= most:
        return notes
    return [*notes[:most], f"… and {len(notes) - most:,} more notes of this kind."]
