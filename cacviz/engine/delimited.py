"""Reads CSV, TSV and their kin as columns of text: separator and letters told from the content."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.csv

from cacviz.engine.exceptions import CohortError
from cacviz.engine.files import Raw, check_shape

DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 2**16


def read_delimited(data: bytes, name: str, notes: list[str]) -> Raw:
    """The header and the columns as text; every row must have as many values as the header."""
    data, told = _without_hint(_as_utf8(data, name, notes).lstrip(b"\r\n"))
    sample = _sample(data)
    delimiter = told or _delimiter(sample)
    header: list[str] = next(_records(sample, delimiter), [])
    if not any(h.strip() for h in header):
        raise CohortError(f"{name} has no column names in its first row. Add them and try again.")
    check_shape(name, data.count(b"\n") // 2, len(header))  # values may hold line breaks
    ids = [f"c{i}" for i in range(len(header))]
    table = _parse_csv(data, delimiter, ids, name)
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


def _records(sample: str, delimiter: str) -> Iterator[list[str]]:
    csv.field_size_limit(2**31 - 1)
    lines = io.StringIO(sample, newline=None)
    try:
        yield from (r for r in csv.reader(lines, delimiter=delimiter) if r)
    except csv.Error:  # whatever is wrong, the true parser says it better
        return


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
