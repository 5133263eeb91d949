"""Reads records of patients in time: long or wide tables, and the challenges' own files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import Typed, as_numbers, quoted, shorten
from cacviz.engine.reading.raw import Raw, explained
from cacviz.engine.reading.tables import encoded, named_columns, read_raw, type_column
from cacviz.engine.series.challenges.admission import is_admission, with_admission
from cacviz.engine.series.challenges.archives import is_archive
from cacviz.engine.series.challenges.reading import read_challenge
from cacviz.engine.series.clocks import Clock, as_hours, unit_of
from cacviz.engine.series.layouts import find_layout
from cacviz.engine.series.ordering import started
from cacviz.engine.series.rows import Rows, long_records, wide_records, with_words
from cacviz.engine.types import Layout, Note, Records

MOST_LOST = 0.5  # of the values that may be words, before the column is thought the wrong one


def read_records(
    source: str | Path | bytes, name: str = "", *, layout: Layout | None = None, sheet: str = ""
) -> Records:
    """Measurements from CSV, TSV, XLSX or Parquet, or from a folder or zip of a challenge's files.

    A table with a column of variables and one of values is long; any other is wide, a row an hour.
    """
    layout = layout or Layout()
    if not name and not isinstance(source, (bytes, bytearray, memoryview)):
        name = Path(source).name
    name = shorten(name or "the file", 80)
    with explained(name, "record"):
        if is_archive(source):
            return read_challenge(source, name, layout)
        said: list[str] = []
        raw = read_raw(source, name, said, sheet=sheet)
        records = _of_table(raw, name, layout)
        notes = tuple(Note("file", "hint", {"said": text}) for text in said)
        return replace(records, notes=notes + records.notes)


def _of_table(raw: Raw, name: str, asked: Layout) -> Records:
    header = named_columns(raw.header, [])
    if not raw.columns or len(raw.columns[0]) == 0:
        raise CohortError(f"{name} has column names but no records. Check your export.")
    layout = find_layout(header, asked, name)
    column = dict(zip(header, raw.columns, strict=True))
    ids, patient = _patients(layout.id, column[layout.id], name)
    unit = layout.unit or None
    clock = as_hours(layout.time, column[layout.time], unit, name)
    is_long = layout.form in ("long", "p2012")
    start = layout.start or ("zero" if is_long and not clock.dated else "first")
    rows = Rows(ids, patient, started(patient, clock.hours, len(ids), start), layout.id)
    notes = _unit_note(layout, clock)
    if is_long:
        records, dropped = _long(column, raw.comma, rows, layout, name)
        notes += dropped
    else:
        records = _wide(column, raw.comma, rows, layout)
    return replace(records, notes=(*notes, *records.notes))


def _unit_note(layout: Layout, clock: Clock) -> list[Note]:
    """Plain numbers whose unit nobody told were taken as hours: that must be seen."""
    if clock.unit is None or layout.unit or unit_of(layout.time):
        return []
    return [Note("time unit", "warning", {"column": layout.time, "unit": clock.unit})]


def _patients(column: str, values: pa.Array, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The patients in ascending order, and the place of each row's among them."""
    typed = type_column(column, values, [], False).values
    gone = typed.isna().to_numpy()
    if gone.any():
        row = int(np.flatnonzero(gone)[0])
        raise CohortError(
            f"Row {row + 2:,} of {name} has no patient in column '{shorten(column)}'"
            f"{f', as {gone.sum() - 1:,} others' if gone.sum() > 1 else ''}. Fill it in, or leave "
            "those rows out."
        )
    codes, distinct = pd.factorize(typed)
    ids = distinct.to_numpy() if hasattr(distinct, "to_numpy") else np.asarray(distinct)
    if not np.issubdtype(ids.dtype, np.integer):
        ids = pd.Series(distinct).astype("str").to_numpy(dtype=object)
    order = np.argsort(ids, kind="stable")
    place = np.empty(len(ids), dtype=np.int32)
    place[order] = np.arange(len(ids), dtype=np.int32)
    return ids[order], place[codes]


def _long(
    column: dict[str, pa.Array], comma: bool, rows: Rows, layout: Layout, name: str
) -> tuple[Records, list[Note]]:
    code, variables = _variables(column[layout.variable])
    values, notes = _numbers(layout.value, column[layout.value], comma, name)
    nameless = code < 0
    if nameless.all():
        raise CohortError(
            f"Column '{shorten(layout.variable)}' of {name} is empty, so nobody knows what was "
            "measured. Say which column names the variable."
        )
    if nameless.any():
        notes.append(Note("nameless records", "warning", {"n": int(nameless.sum())}))
        values = np.where(nameless, np.nan, values)
    if is_admission(variables):
        layout = replace(layout, form="p2012")
    records = long_records(rows, np.maximum(code, 0), variables, values, layout)
    return (with_admission(records) if layout.form == "p2012" else records), notes


def _variables(values: pa.Array) -> tuple[np.ndarray, list[str]]:
    """The place of each row's variable among the names in order; -1 where it has none."""
    words = encoded(values)
    names = [shorten(w, 200) for w in pc.utf8_trim_whitespace(words.dictionary).to_pylist()]
    used = np.unique(words.indices.to_numpy(zero_copy_only=False))
    variables = sorted({names[i] for i in used} - {""})
    place = {n: i for i, n in enumerate(variables)}
    lookup = np.array([place.get(n, -1) for n in names], dtype=np.int32)
    return lookup[words.indices.to_numpy(zero_copy_only=False)], variables


def _numbers(
    column: str, values: pa.Array, comma: bool, name: str
) -> tuple[np.ndarray, list[Note]]:
    """Values as numbers, NaN where there is none; words among them are counted."""
    read = type_column(column, values, [], comma)
    typed, notes = read.values, _how_read({column: read})
    numbers = as_numbers(typed)
    lost = typed.notna().to_numpy() & np.isnan(numbers)
    if not lost.any():
        return numbers, notes
    row = int(np.flatnonzero(lost)[0])
    example = shorten(typed.iloc[row])
    if lost.mean() > MOST_LOST:
        raise CohortError(
            f"Column '{shorten(column)}' of {name} holds words such as '{example}' (row "
            f"{row + 2:,}), not measurements. Say which column holds the values."
        )
    said = {"n": int(lost.sum()), "column": column, "example": example}
    return numbers, [*notes, Note("records not numbers", "warning", said)]


def _how_read(columns: Mapping[str, Typed]) -> list[Note]:
    """Commas, limits such as <5 and infinite numbers: how they were taken, as of any table."""
    said: dict[str, list[str]] = {}
    for name, typed in columns.items():
        if typed.note:
            said.setdefault(typed.note, []).append(name)
    return [Note("file", "hint", {"said": f"{quoted(n)}: {note}"}) for note, n in said.items()]


def _wide(column: dict[str, pa.Array], comma: bool, rows: Rows, layout: Layout) -> Records:
    """Every other column that holds numbers, or yes and no as 1 and 0, is a variable.

    Words that never change in a stay, such as a sex, are static columns.
    """
    others = [n for n in column if n not in (layout.id, layout.time)]
    read = {n: type_column(n, column[n], [], comma) for n in others}
    words = {n: t for n, t in read.items() if not pd.api.types.is_numeric_dtype(t.values)}
    numbers = {n: as_numbers(t.values) for n, t in read.items() if n not in words}
    if not numbers:
        raise CohortError(
            f"No column beside {quoted([layout.id, layout.time])} holds numbers. Check the column "
            "names, or say which columns hold the variable and its value."
        )
    records = with_words(wide_records(rows, numbers, layout), rows, words)
    known = () if records.static is None else records.static.frame.columns
    records = replace(records, notes=(*_how_read(read), *records.notes))
    return _with_note(records, "columns not numbers", [n for n in words if n not in known])


def _with_note(records: Records, code: str, columns: Sequence[str]) -> Records:
    if not columns:
        return records
    note = Note(code, "hint", {"columns": tuple(columns)})
    return replace(records, notes=(*records.notes, note))
