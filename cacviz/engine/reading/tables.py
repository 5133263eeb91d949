"""Reads a table of patients from a file nobody has checked yet; every failure is a CohortError."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.delimited import read_delimited
from cacviz.engine.reading.digests import table_digest
from cacviz.engine.reading.kinds import EXACT_INTEGER, Typed, shorten, type_numbers, type_words
from cacviz.engine.reading.raw import (
    MAX_BYTES,
    MAX_CELL_LENGTH,
    MAX_CELLS,
    MAX_COLUMNS,
    Raw,
    check_patients,
    check_shape,
    explained,
    form_of,
    load,
    too_big,
    unpacked,
)
from cacviz.engine.reading.spreadsheets import read_book
from cacviz.engine.reading.units import with_units
from cacviz.engine.types import Column, Table

NAMELESS = "no name in the file, so called by place."
MAX_RATIO = 200  # of memory to file size; a large table of patients stays below 50


def read_table(
    source: str | Path | bytes, name: str, *, missing: Sequence[str] = (), sheet: str = ""
) -> Table:
    """Read CSV, TSV, XLSX or Parquet, plain or gzipped, told apart by content.

    `missing` adds codes for missing values: "-1" everywhere, "Length_of_stay=-1" in one column.
    `sheet` names the sheet of a spreadsheet; without it the fullest is read.
    """
    name = shorten(name, 80)
    notes: list[str] = []
    with explained(name):
        raw = read_raw(source, name, notes, sheet=sheet)
        return typed_table(raw, name, tuple(map(str, missing)), notes)


def read_raw(source: str | Path | bytes, name: str, notes: list[str], *, sheet: str = "") -> Raw:
    """The columns of such a file before their kinds are told."""
    data = unpacked(load(source, name), name)
    form = form_of(data, name)
    with explained(name, form):
        return _read(data, form, name, notes, sheet)


def _read(data: bytes, form: str, name: str, notes: list[str], sheet: str) -> Raw:
    if form == "Parquet":
        return _read_parquet(data, name)
    if form.startswith("spreadsheet"):
        limits = {"max_cells": MAX_CELLS, "max_columns": MAX_COLUMNS}
        return read_book(data, name, notes, sheet=sheet, **limits)
    return read_delimited(data, name, notes)


def _read_parquet(data: bytes, name: str) -> Raw:
    """Counts are checked before anything is unpacked: declared bytes can lie, rows cannot."""
    file = pa.parquet.ParquetFile(pa.BufferReader(data))
    n_cells = file.metadata.num_rows * file.metadata.num_columns
    check_shape(name, file.metadata.num_rows, file.metadata.num_columns)
    if 8 * n_cells > max(MAX_BYTES // 2, MAX_RATIO * len(data)):
        raise CohortError(
            f"{name} would unpack from {len(data) / 2**20:.1f} to {8 * n_cells / 2**20:,.0f} MB, "
            "as no table of patients does. Leave out columns that never change."
        )
    schema = file.schema_arrow
    words = [
        f.name for f in schema if pa.types.is_string(f.type) or pa.types.is_large_string(f.type)
    ]
    if words:  # a value repeated a million times is kept once
        file = pa.parquet.ParquetFile(pa.BufferReader(data), read_dictionary=words)
        schema = file.schema_arrow
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
            raise too_big(name)
        batches.append(batch)
    table = pa.Table.from_batches(batches, schema=schema)
    columns = [table.column(i).combine_chunks() for i in keep]
    return Raw([schema.names[i] for i in keep], columns)


def named_columns(header: Sequence[str], notes: list[str]) -> list[str]:
    """Names that are there, readable and different from each other."""
    names: list[str] = []
    taken: set[str] = set()
    for i, original in enumerate(header):
        base = shorten(original or "", 200) or f"Column {i + 1}"
        name, again = base, 2
        while name in taken:
            name, again = f"{base} ({again})", again + 1
        if (original or "").strip() not in ("", name):
            notes.append(f"Column {i + 1} is now called {shorten(name)}.")
        taken.add(name)
        names.append(name)
    numeric = [n for n in header if n and n.strip().replace(".", "", 1).isdigit()]
    if len(header) > 1 and len(numeric) == len(header):
        notes.append("The first row holds only numbers, yet was taken as the column names.")
    return names


def typed_table(raw: Raw, name: str, missing: tuple[str, ...], notes: list[str]) -> Table:
    """The table that raw columns make once each column's kind is told from its values."""
    if not raw.columns or len(raw.columns[0]) == 0:
        raise CohortError(f"{name} has column names but no patients. Check your export.")
    check_patients(name, len(raw.columns[0]))
    names = named_columns(raw.header, notes)
    codes = _codes_by_column(missing, names, notes)
    typed: dict[str, Typed] = {}
    said: dict[str, list[str]] = {}
    for column, header, one in zip(names, raw.header, _all_typed(names, raw, codes), strict=True):
        nameless = not (header or "").strip()
        if nameless and one.values.isna().all():
            said.setdefault("neither a name nor a value, so left out.", []).append(column)
            continue
        typed[column] = one
        for note in filter(None, (NAMELESS if nameless else "", one.note)):
            said.setdefault(note, []).append(column)
    notes += [f"{_listed(found)}: {note}" for note, found in said.items()]
    frame = pd.DataFrame({n: t.values for n, t in typed.items()})
    columns = [Column(n, t.kind, missing=tuple(codes[n])) for n, t in typed.items()]
    digest = table_digest(frame)
    return Table(frame, with_units(columns), tuple(_told(notes)), raw.sheets, digest)


def _all_typed(names: list[str], raw: Raw, codes: dict[str, list[str]]) -> list[Typed]:
    """Each column's values; where one has decimal commas, dots part thousands in the others."""
    both = list(zip(names, raw.columns, strict=True))
    found = [type_column(name, values, codes[name], raw.comma) for name, values in both]
    if not any(one.decimal_comma for one in found):
        return found
    return [
        one if one.decimal_comma else type_column(name, values, codes[name], raw.comma, dots=True)
        for one, (name, values) in zip(found, both, strict=True)
    ]


def _listed(names: list[str], most: int = 12) -> str:
    shown = ", ".join(shorten(n) for n in names[:most])
    return f"{shown} and {len(names) - most:,} more columns" if len(names) > most else shown


def _codes_by_column(
    missing: tuple[str, ...], names: list[str], notes: list[str]
) -> dict[str, list[str]]:
    """A code "-1" holds everywhere; "stay=-1" in the column stay alone."""
    codes: dict[str, list[str]] = {n: [] for n in names}
    for code in missing:
        head, mark, tail = code.rpartition("=")
        if mark and head not in codes:
            notes.append(f"The missing code {shorten(code)} names no column, so it was not used.")
        for column in [head] if mark else names:
            codes.get(column, []).append(tail)
    return codes


def type_column(
    column: str, values: pa.Array, missing: list[str], comma: bool, *, dots: bool = False
) -> Typed:
    """What one column holds, told from its values."""
    try:
        return _type_one(column, values, missing, comma, dots)
    except pa.ArrowException as error:
        raise CohortError(
            f"Column '{shorten(column)}' holds values of a kind ({shorten(values.type)}) that "
            "cannot be shown as numbers or words. Leave it out of the export."
        ) from error


def _type_one(column: str, values: pa.Array, missing: list[str], comma: bool, dots: bool) -> Typed:
    kind = values.type
    if _is_number(values):
        numbers = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False).copy()
        for code in missing:
            numbers[numbers == pd.to_numeric(code, errors="coerce")] = np.nan
        return type_numbers(column, numbers)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        stamps = values.cast(pa.timestamp("us"), safe=False).to_pandas()
        return Typed(pd.Series(stamps).rename(column), "date")
    words = encoded(values)
    _check_lengths(column, words)
    return type_words(column, words, missing, comma=comma, dots=dots)


def _is_number(values: pa.Array) -> bool:
    """Whole numbers too long for a float are names: they stay words."""
    kind = values.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return True
    if not pa.types.is_integer(kind):
        return False
    span = pa.compute.min_max(values).as_py()
    return max(abs(span["min"] or 0), abs(span["max"] or 0)) < EXACT_INTEGER


def encoded(values: pa.Array) -> pa.DictionaryArray:
    """Each different text once, and a place in that list for each row."""
    if not pa.types.is_dictionary(values.type):
        return values.cast(pa.string()).fill_null("").dictionary_encode()
    distinct = values.dictionary.cast(pa.string()).fill_null("")
    rows = values.indices.cast(pa.int32())
    if rows.null_count:
        distinct = pa.concat_arrays([distinct, pa.array([""])])
        rows = rows.fill_null(len(distinct) - 1)
    return pa.DictionaryArray.from_arrays(rows, distinct)


def _check_lengths(column: str, words: pa.DictionaryArray) -> None:
    lengths = pa.compute.utf8_length(words.dictionary).to_numpy(zero_copy_only=False)
    rows = words.indices.to_numpy(zero_copy_only=False)
    longest = int(lengths.max(initial=0))
    if longest > MAX_CELL_LENGTH:
        row = int(np.argmax(rows == lengths.argmax())) + 2
        raise CohortError(
            f"Column '{shorten(column)}', row {row:,} holds {longest:,} characters; the limit is "
            f"{MAX_CELL_LENGTH:,}. Look for a quotation mark that is never closed."
        )
    if int(lengths[rows].sum()) > MAX_BYTES:
        raise too_big(f"Column '{shorten(column)}'")


def _told(notes: list[str], most: int = 30) -> list[str]:
    if len(notes) <= most:
        return notes
    return [*notes[:most], f"… and {len(notes) - most:,} more notes of this kind."]
