"""Reads many small files with the same columns as one, so that the parser starts but once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import shorten
from cacviz.engine.reading.raw import check_shape
from cacviz.engine.series.challenges.archives import Member

_MISSING = ["", "NaN", "nan", "NA", "N/A", "null"]


class Stack(NamedTuple):
    """The rows of all files under each other, without their first lines."""

    data: bytes
    delimiter: str
    names: tuple[str, ...]
    stems: tuple[str, ...]
    file: np.ndarray  # of each row, place in `names`
    first: np.ndarray  # row with which each file begins

    def place(self, row: int) -> str:
        """Where a row stands, as someone who opens the file would look for it."""
        file = int(self.file[row])
        return f"Line {row - int(self.first[file]) + 2:,} of {self.names[file]}"


def stacked(members: Sequence[Member], header: bytes, delimiter: str, name: str) -> Stack:
    """The files under each other; each must begin with the same column names."""
    bodies = [_body(m, header) for m in members]
    counts = np.array([b.count(b"\n") + 1 if b else 0 for b in bodies])
    check_shape(name, int(counts.sum()), header.count(delimiter.encode()) + 1)
    if not counts.sum():
        raise CohortError(f"{name} has {len(members):,} files without a single record. Check them.")
    return Stack(
        b"\n".join(b for b in bodies if b) + b"\n",
        delimiter,
        tuple(shorten(m.name) for m in members),
        tuple(m.stem for m in members),
        np.repeat(np.arange(len(members)), counts),
        np.cumsum(counts) - counts,
    )


def read_stack(stack: Stack, kinds: Mapping[str, pa.DataType], name: str) -> pa.Table:
    """The columns of all rows; what cannot be read is named by file and line."""
    try:
        return pa.csv.read_csv(
            pa.BufferReader(stack.data),
            read_options=pa.csv.ReadOptions(
                use_threads=False,  # threads cannot tell the row of an error
                block_size=len(stack.data) + 1,
                column_names=list(kinds),
            ),
            parse_options=pa.csv.ParseOptions(
                delimiter=stack.delimiter, quote_char=False, ignore_empty_lines=False
            ),
            convert_options=pa.csv.ConvertOptions(
                column_types=dict(kinds), null_values=_MISSING, strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid as error:
        raise CohortError(_explain(str(error), stack, list(kinds), name)) from error


def first_line(member: Member) -> bytes:
    """The column names as a file has them."""
    return _plain(member.load()).partition(b"\n")[0].strip()


def _plain(data: bytes) -> bytes:
    """Without the mark and the line ends of other systems."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _body(member: Member, header: bytes) -> bytes:
    """The lines below the first, which must be the column names."""
    first, _, body = _plain(member.load()).partition(b"\n")
    if first.strip() != header:
        wanted, found = shorten(header.decode("utf-8", "replace")), first.decode("utf-8", "replace")
        raise CohortError(
            f"{shorten(member.name)} begins with '{shorten(found)}', not with the column names "
            f"'{wanted}' as the others. Correct it, or take it out of the folder."
        )
    if b"\0" in body:
        raise CohortError(
            f"{shorten(member.name)} holds binary content, no records. Copy it again."
        )
    return body.rstrip()


def _explain(message: str, stack: Stack, columns: Sequence[str], name: str) -> str:
    row = re.search(r"Row #(\d+)", message)
    place = stack.place(int(row[1]) - 1) if row else name
    width = re.search(r"Expected (\d+) columns, got (\d+)", message)
    if width:
        return (
            f"{place} has {width[2]} values, but there are {width[1]} column names. Correct the "
            "line, or take the file out."
        )
    column = re.search(r"column #(\d+)", message)
    what = columns[int(column[1])] if column else "a value"
    found = re.search(r"invalid value '(.*)'", message, re.DOTALL)
    said = f"'{shorten(found[1])}' is no number" if found else "cannot be read"
    return f"{place}: {shorten(what)} {said}. Correct the line, or take the file out."
