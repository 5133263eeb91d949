"""Bytes of a file nobody has checked yet: loaded, unpacked and recognised within limits."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from cacviz.engine.exceptions import CohortError

MAX_BYTES = 200 * 2**20
MAX_COLUMNS = 10_000
MAX_CELLS = 50_000_000
MAX_PATIENTS = 2_000_000
MAX_CELL_LENGTH = 32_767  # a spreadsheet's own limit
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


class Raw(NamedTuple):
    """Column names as written, values before their kind is known, and whether commas part them.

    `sheets` are those of a spreadsheet, the one that was read first.
    """

    header: list[str]
    columns: list[pa.Array]
    comma: bool = False
    sheets: tuple[str, ...] = ()


@contextmanager
def explained(name: str, form: str = "table") -> Iterator[None]:
    """Whatever hostile bytes make a parser raise becomes a CohortError; the cause is chained."""
    try:
        yield
    except CohortError:
        raise
    except MemoryError as error:
        raise CohortError(
            f"{name} needs more memory than this computer can give. Leave out columns or rows."
        ) from error
    except Exception as error:
        raise CohortError(
            f"{name} is a {form} file that is damaged or cut short. Copy or download it again, "
            "or export it as CSV."
        ) from error


def load(source: str | Path | bytes, name: str) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    else:
        data = _load_path(Path(source), name)
    if len(data) > MAX_BYTES:
        raise too_big(name)
    if not data:
        raise CohortError(f"{name} is empty. Choose another file or export it again.")
    return data


def _load_path(path: Path, name: str) -> bytes:
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "was not found"
        raise CohortError(f"{name} {what}. Check the path and type it again.")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise too_big(name)
        return path.read_bytes()
    except OSError as error:
        raise CohortError(
            f"{name} could not be opened ({error.strerror}). Check that you may read it."
        ) from error


def too_big(name: str) -> CohortError:
    return CohortError(
        f"{name} is larger than {MAX_BYTES // 2**20} MB once unpacked. Leave out columns or "
        "rows, or save it as Parquet."
    )


def unpacked(data: bytes, name: str) -> bytes:
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
                raise too_big(name)
    except zlib.error as error:
        raise CohortError(f"{name} is damaged: it cannot be unpacked. Copy it again.") from error
    if not unzip.eof:
        raise CohortError(f"{name} is cut short: its end is missing. Copy or download it again.")
    return out.getvalue()


def form_of(data: bytes, name: str) -> str:
    """What the content is, whatever the name says."""
    for magic, what in _NOT_TABLES:
        if data[:16].lstrip().startswith(magic):
            raise CohortError(f"{name} is {what}.")
    if data.startswith(b"\x1f\x8b"):
        raise CohortError(f"{name} was compressed twice. Unpack it first.")
    if data.startswith(b"PAR1"):
        return "Parquet"
    return "spreadsheet (.xlsx)" if data.startswith(b"PK") else "text (CSV)"


def check_patients(name: str, n_rows: int) -> None:
    """Before kinds are told, which is what takes time: so many rows are no table of patients."""
    if n_rows > MAX_PATIENTS:
        raise CohortError(
            f"{name} has {n_rows:,} rows; a table of patients or stays may have {MAX_PATIENTS:,}. "
            "Leave out rows. If it holds measurements, a row each, give it columns of a patient "
            "id, a time, a variable and a value: then it is read as hourly records."
        )


def check_shape(name: str, n_rows: int, n_columns: int) -> None:
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
