"""Tells whether a file holds hourly records rather than a row a patient, before it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import shorten
from cacviz.engine.reading.raw import Raw, explained
from cacviz.engine.reading.tables import named_columns, read_raw, typed_table
from cacviz.engine.series.challenges.archives import is_archive
from cacviz.engine.series.clocks import unit_of
from cacviz.engine.series.layouts import find_layout
from cacviz.engine.types import Layout, Table, TimeUnit

LONG_ROWS, WIDE_ROWS = 2, 4  # a patient at least, in the mean: visits of a patient are fewer
LEAST_TIMES = 3


@dataclass(frozen=True, slots=True)
class Looked:
    """A file that seems to hold records: where it has what, and how much there is.

    Of a folder or zip there is no header, and nothing is known before it is read.
    """

    layout: Layout
    header: tuple[str, ...] = ()
    n_rows: int = 0
    n_patients: int = 0
    unit: TimeUnit | None = None  # that the name of the time column tells

    @property
    def archive(self) -> bool:
        return not self.header


def look(
    source: str | Path | bytes, name: str, *, missing: Sequence[str] = (), sheet: str = ""
) -> Table | Looked:
    """The table of a file; where it seems to hold records, what was seen of them instead."""
    name = shorten(name, 80)
    if is_archive(source):
        return Looked(Layout())
    notes: list[str] = []
    with explained(name):
        raw = read_raw(source, name, notes, sheet=sheet)
        found = recognise(raw)
        return found or typed_table(raw, name, tuple(map(str, missing)), notes)


def recognise(raw: Raw) -> Looked | None:
    """Records have columns of a patient and of a time by their names, and many rows a patient."""
    header = named_columns(raw.header, [])
    try:
        layout = find_layout(header, Layout(), "the file")
    except CohortError:
        return None
    column = dict(zip(header, raw.columns, strict=True))
    n_rows, n_patients = len(column[layout.id]), _distinct(column[layout.id])
    least = LONG_ROWS if layout.form == "long" else WIDE_ROWS
    if n_rows < least * max(1, n_patients) or _distinct(column[layout.time]) < LEAST_TIMES:
        return None
    return Looked(layout, tuple(header), n_rows, n_patients, unit_of(layout.time))


def _distinct(values: pa.Array) -> int:
    return pc.count_distinct(
        values.indices if pa.types.is_dictionary(values.type) else values
    ).as_py()
