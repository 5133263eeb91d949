"""The own files of two challenges, one a stay: PhysioNet 2012 (.txt) and PhysioNet 2019 (.psv)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import shorten
from cacviz.engine.reading.tables import read_table
from cacviz.engine.series.challenges.admission import ID_2012, with_admission
from cacviz.engine.series.challenges.archives import Member, members_of
from cacviz.engine.series.challenges.stacks import Stack, first_line, read_stack, stacked
from cacviz.engine.series.clocks import clock_hours
from cacviz.engine.series.joining import with_static
from cacviz.engine.series.ordering import started
from cacviz.engine.series.rows import Rows, long_records, wide_records, without_variables
from cacviz.engine.types import Layout, Records, Table

_HEADER_2012 = b"Time,Parameter,Value"


def read_challenge(source: str | Path | bytes, name: str, layout: Layout) -> Records:
    """Records of a folder or zip of one of the challenges, told by the names of its files."""
    members = members_of(source, name)
    stays = [m for m in members if m.suffix == ".psv"]
    if layout.form == "p2019" or (stays and layout.form != "p2012"):
        return _read_2019(_some(stays, name), name, replace(layout, form="p2019"))
    outcomes = [m for m in members if m.name.lower().startswith("outcomes")]
    stays = [m for m in members if _is_2012(m)]
    return _read_2012(_some(stays, name), outcomes, name, replace(layout, form="p2012"))


def _read_2012(
    stays: Sequence[Member], outcomes: Sequence[Member], name: str, layout: Layout
) -> Records:
    stack = stacked(stays, _HEADER_2012, ",", name)
    words = pa.dictionary(pa.int32(), pa.string())
    kinds = {"Time": words, "Parameter": words, "Value": pa.float64()}
    table = read_stack(stack, kinds, name)
    time = table["Time"].combine_chunks()
    hours = _clocks(time, stack)
    parameter = table["Parameter"].combine_chunks()
    variables = pc.utf8_trim_whitespace(parameter.dictionary).to_pylist()
    code = parameter.indices.to_numpy(zero_copy_only=False)
    values = table["Value"].to_numpy().copy()
    values[np.isin(code, [i for i, v in enumerate(variables) if not v])] = np.nan
    rows = _rows(stack, hours, _ids_2012(stack, code, variables, values), ID_2012, name)
    order = np.argsort(variables)
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order))
    records = long_records(rows, place[code], [variables[i] for i in order], values, layout)
    records = with_admission(without_variables(records, ("",)))
    if not outcomes:
        return records
    return with_static(records, _outcomes(outcomes), ID_2012, only_listed=False)


def _clocks(time: pa.DictionaryArray, stack: Stack) -> np.ndarray:
    known = np.array([clock_hours(w) for w in time.dictionary.to_pylist()])
    hours = known[time.indices.to_numpy(zero_copy_only=False)]
    if np.isnan(hours).any():
        row = int(np.flatnonzero(np.isnan(hours))[0])
        raise CohortError(
            f"{stack.place(row)}: the time '{shorten(time[row].as_py())}' is no clock such as "
            "07:30. Correct it, or leave the row out."
        )
    return hours


def _ids_2012(
    stack: Stack, code: np.ndarray, variables: Sequence[str], values: np.ndarray
) -> np.ndarray:
    """Each file's stay: what its row RecordID says, else what the file is called."""
    ids = np.array([int(s) if s.isdigit() and len(s) < 16 else -1 for s in stack.stems])
    if ID_2012 in variables:
        rows = np.flatnonzero((code == variables.index(ID_2012)) & np.isfinite(values))
        ids[stack.file[rows]] = values[rows].astype(np.int64)
    if (ids < 0).any():
        file = int(np.flatnonzero(ids < 0)[0])
        raise CohortError(
            f"{stack.names[file]} has no row RecordID, and its name is no number, so nobody knows "
            "whose it is. Add the row '00:00,RecordID,<number>'."
        )
    return ids


def _outcomes(members: Sequence[Member]) -> Table:
    """The outcomes of all sets under each other; -1, and one slip of -23, mean missing in them."""
    tables = [read_table(m.load(), m.name, missing=("-1",)) for m in members]
    frame = pd.concat([t.frame for t in tables], ignore_index=True)
    numbers = frame.select_dtypes("number")
    frame[numbers.columns] = numbers.mask(numbers < 0)
    known = {c.name: c for t in reversed(tables) for c in t.columns}
    return Table(frame, tuple(known[n] for n in frame.columns))


def _read_2019(stays: Sequence[Member], name: str, layout: Layout) -> Records:
    header = first_line(stays[0])
    columns = [c.strip() for c in header.decode("utf-8", "replace").split("|")]
    time = layout.time or "ICULOS"
    if len(columns) < 3 or len(set(columns)) < len(columns) or time not in columns:
        raise CohortError(
            f"{shorten(stays[0].name)} is no file of the 2019 challenge: its first row must name "
            f"the columns, parted by upright strokes, '{time}' among them."
        )
    stack = stacked(stays, header, "|", name)
    table = read_stack(stack, dict.fromkeys(columns, pa.float64()), name)
    numbers = {c: table[c].to_numpy() for c in columns}
    hours = numbers.pop(time)
    if not np.isfinite(hours).all():
        row = int(np.flatnonzero(~np.isfinite(hours))[0])
        raise CohortError(f"{stack.place(row)}: {time} is missing. Fill it in, or leave it out.")
    ids = np.array(stack.stems, dtype=object)
    rows = _rows(stack, hours, ids, layout.id or "patient", name)
    hours = started(rows.patient, rows.hours, len(rows.ids), layout.start or "first")
    return wide_records(rows._replace(hours=hours), numbers, layout)


def _rows(stack: Stack, hours: np.ndarray, ids: np.ndarray, id_name: str, name: str) -> Rows:
    """Each row's patient; a patient has one file."""
    order = np.argsort(ids, kind="stable")
    twins = np.flatnonzero(ids[order][1:] == ids[order][:-1])
    if len(twins):
        one, other = order[twins[0]], order[twins[0] + 1]
        raise CohortError(
            f"{name} holds the stay {shorten(ids[one])} twice: {stack.names[one]} and "
            f"{stack.names[other]}. Keep one of them."
        )
    place = np.empty(len(ids), dtype=np.int32)
    place[order] = np.arange(len(ids), dtype=np.int32)
    return Rows(ids[order], place[stack.file], hours, id_name)


def _is_2012(member: Member) -> bool:
    """A stay's file has its number as name, or else begins as such a file does."""
    if member.suffix != ".txt" or member.name.lower().startswith("outcomes"):
        return False
    return member.stem.isdigit() or first_line(member) == _HEADER_2012


def _some(stays: Sequence[Member], name: str) -> Sequence[Member]:
    if not stays:
        raise CohortError(
            f"{name} holds neither PhysioNet 2012 stays (.txt files that begin with "
            "'Time,Parameter,Value') nor 2019 ones (.psv files). To open another table, unpack it "
            "and choose the file itself."
        )
    return stays
