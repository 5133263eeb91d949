"""Reads CSV, TSV and their kin as columns of text: separator and letters told from the content."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import pyarrow as pa
import pyarrow.csv

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.headers import DEEP, header_row, title_note
from cacviz.engine.reading.raw import Raw, check_patients, check_shape

DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 2**16
LEAST_OF_RECORDS = 3  # columns: a patient, a time and a value


def read_delimited(data: bytes, name: str, notes: list[str]) -> Raw:
    """The header and the columns as text; every row must have as many values as the header."""
    data, told = _without_hint(_as_utf8(data, name, notes).lstrip(b"\r\n"))
    sample = _sample(data)
    delimiter = told or _delimiter(sample)
    above = _title_lines(sample, delimiter, notes)
    if above:
        data = _without_lines(data, above)
        sample = _sample(data)
    header: list[str] = next(_records(sample, delimiter), [])
    if not any(h.strip() for h in header):
        raise CohortError(f"{name} has no column names in its first row. Add them and try again.")
    lines = data.count(b"\n")
    check_shape(name, lines // 2, len(header))  # values may hold line breaks
    if len(header) < LEAST_OF_RECORDS and b'"' not in data:
        check_patients(name, lines - data.endswith(b"\n"))
    ids = [f"c{i}" for i in range(len(header))]
    table = _parse_csv(data, delimiter, ids, name, above)
    check_shape(name, table.num_rows, len(header))
    if delimiter != ",":
        notes.append(f"Values are parted by {_spoken(delimiter)}.")
    return Raw(header, [c.combine_chunks() for c in table.columns], delimiter == ",")


def _without_hint(data: bytes) -> tuple[bytes, str]:
    """Excel may write 'sep=;' above the header: it is a hint, not a row."""
    first, _, rest = data[:16].partition(b"\n")
    hint = first.strip().strip(b'"').removeprefix(b"sep=").decode("ascii", "replace")
    if not first.strip(b'"').startswith(b"sep=") or hint not in DELIMITERS:
        return data, ""
    return data[len(data[:16]) - len(rest) :], hint


def _title_lines(sample: str, delimiter: str, notes: list[str]) -> int:
    """How many lines stand above the column names."""
    records = list(islice(_numbered(sample, delimiter), 3 * DEEP))
    rows = [row for _, row in records]
    place = header_row(rows)
    if not place:
        return 0
    notes.append(title_note(rows, place))
    return records[place - 1][0]


def _without_lines(data: bytes, n: int) -> bytes:
    ends = islice(re.finditer(rb"\r\n|\r|\n", data), n - 1, n)
    return data[next(ends).end() :].lstrip(b"\r\n")


def _parse_csv(data: bytes, delimiter: str, ids: list[str], name: str, above: int) -> pa.Table:
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
        raise CohortError(_explain_csv(str(error), name, len(ids), above)) from error


def _explain_csv(message: str, name: str, n_columns: int, above: int) -> str:
    start, _, rest = message.partition("Row #")
    row, _, rest = rest.partition(": Expected ")
    if not start or not row.isdigit():
        return (
            f"{name} could not be read as a table of {n_columns} columns. A quotation mark that is "
            "never closed is the usual reason. Export it again as CSV."
        )
    found = rest.partition("got ")[2].partition(":")[0]
    values = "1 value" if found == "1" else f"{found} values"
    return (
        f"Row {int(row) + above:,} of {name} has {values}, but there are {n_columns} column "
        "names. Look for a stray separator, line break or quotation mark in that row, or export "
        "again."
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


def _records(sample: str, delimiter: str) -> Iterator[list[str]]:
    return (row for _, row in _numbered(sample, delimiter))


def _numbered(sample: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Each record that is not blank, with the number of lines read so far."""
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(io.StringIO(sample, newline=None), delimiter=delimiter)
    try:
        yield from ((reader.line_num, row) for row in reader if row)
    except csv.Error:  # whatever is wrong, the true parser says it better
        return


def _delimiter(sample: str) -> str:
    """The separator that gives most rows the same number of values, more than one."""
    first = sample.split("\n", 1)[0]
    named = [d for d in DELIMITERS if d in first]
    best, score = _best_delimiter(sample, named)
    if score[0] < 0.8:  # a title may stand above the column names
        other, _ = _best_delimiter(sample, DELIMITERS)
        if header_row(list(islice(_records(sample, other), 3 * DEEP))):
            return other
    return best


def _best_delimiter(sample: str, candidates: Sequence[str]) -> tuple[str, tuple[float, int]]:
    best, best_score = ",", (0.0, 0)
    for candidate in candidates:
        widths = [len(r) for r in islice(_records(sample, candidate), 100)]
        widths = widths[:-1] or widths  # the last one may be cut
        width, count = Counter(widths or [0]).most_common(1)[0]
        score = (round(count / max(len(widths), 1), 1), width)
        if width > 1 and score > best_score:
            best, best_score = candidate, score
    return best, best_score


def _spoken(delimiter: str) -> str:
    return {";": "semicolons", "\t": "tabs", "|": "upright strokes"}[delimiter]
