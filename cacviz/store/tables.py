"""Tables on disk as Parquet, once for each content; what comes back is what was kept.

A table of records has its hourly series beside it, under the same seal.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Column, Flow, Series, Table
from cacviz.store import atomic, paths
from cacviz.store.series import pack_series, unpack_series

KINDS = b"cacviz.kinds"
MOST_READ = 2  # series that stay in memory, for all windows together
# by data folder and sha256, so that nobody gets what another person read; nobody can write to them
_read: dict[tuple[Path, str], Series] = {}


@dataclass(frozen=True, slots=True)
class TableRecord:
    """How a cohort's table was read, and where it is."""

    digest: str
    n_rows: int
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    flow: Flow | None = None  # of a table that was made from records


def record_of(table: Table) -> TableRecord:
    """What is kept of a table beside its rows."""
    return TableRecord(table.digest, len(table.frame), table.columns, table.notes, table.flow)


def keep_table(frame: pd.DataFrame, digest: str, series: Series | None = None) -> None:
    """Write the table unless it is there intact; the caller holds the store's lock, or a sweep
    might take a table that is there ahead of its cohort.
    """
    seal = _seal_of(digest)
    same = series is None or _intact(series_file(digest), seal.get("series")) is not None
    if same and _intact(table_file(digest), seal.get("sha256")) is not None:
        return
    data = to_parquet(frame)
    sealed = {"sha256": atomic.sha256(data)}
    if series is not None:
        packed = pack_series(series)
        atomic.write_file(series_file(digest), packed)
        sealed["series"] = atomic.sha256(packed)
    atomic.write_file(table_file(digest), data)
    atomic.write_json(_seal_file(digest), sealed)


def load_table(read: TableRecord, name: str) -> Table:
    """The table as it was read, with the hourly series that it was made from, where it was."""
    frame = load_frame(read.digest, name)
    series = load_series(read.digest, name) if read.flow else None
    return Table(frame, read.columns, read.notes, digest=read.digest, series=series, flow=read.flow)


def load_frame(digest: str, name: str) -> pd.DataFrame:
    """The table, checked against what it was when it was kept."""
    data = _intact(table_file(digest), _seal_of(digest).get("sha256"))
    if data is None:
        raise atomic.StoreError(f"The table of cohort '{name}' was changed. Open it again.")
    return from_parquet(data)


def load_series(digest: str, name: str) -> Series:
    """The hourly series beside a table, checked likewise; windows share what was read."""
    expected = str(_seal_of(digest).get("series"))
    key = (paths.data_dir(), expected)
    if key in _read:
        return _read[key]
    data = _intact(series_file(digest), expected)
    if data is None:
        said = f"The hourly records of cohort '{name}' were changed. Open the file again."
        raise atomic.StoreError(said)
    while len(_read) >= MOST_READ:
        _read.pop(next(iter(_read)), None)
    _read[key] = unpack_series(data)
    return _read[key]


def table_file(digest: str) -> Path:
    return paths.tables_dir() / f"{digest}.parquet"


def series_file(digest: str) -> Path:
    return paths.tables_dir() / f"{digest}.series"


def remove_unshared(used: set[str]) -> int:
    """Remove tables that no cohort has; how many."""
    files = [f for f in paths.tables_dir().iterdir() if f.suffix in (".parquet", ".series")]
    found = {f.stem for f in files} - used
    for digest in found:
        for file in (table_file(digest), series_file(digest), _seal_file(digest)):
            atomic.remove(file)
    return len(found)


def _seal_file(digest: str) -> Path:
    return paths.tables_dir() / f"{digest}.json"


def _seal_of(digest: str) -> dict[str, Any]:
    """What a table's own files were when they were written.

    The seal is the table's and not the cohorts': one that is written anew is well for all of them.
    """
    seal = atomic.read_json(_seal_file(digest))
    return seal if isinstance(seal, dict) else {}


def _intact(file: Path, expected: str | None) -> bytes | None:
    """The file's bytes if they are those that its seal tells of."""
    if expected is None or not file.exists():
        return None
    data = file.read_bytes()
    return data if atomic.sha256(data) == expected else None


def to_parquet(frame: pd.DataFrame) -> bytes:
    """The table as Parquet, read back once: what would come back changed is refused by name."""
    try:
        table = pa.Table.from_pandas(frame)
    except (pa.ArrowException, UnicodeError):
        raise _unstorable(_mixed(frame)) from None
    kinds = {KINDS: _kinds(frame)}
    buffer = io.BytesIO()
    pq.write_table(
        table.replace_schema_metadata({**table.schema.metadata, **kinds}),
        buffer,
        compression="zstd",
        version="2.6",
    )
    data = buffer.getvalue()
    back = from_parquet(data)
    changed = [name for name in frame if not _same(frame[name], back[name])]
    if changed:
        raise _unstorable(changed[0])
    return data


def from_parquet(data: bytes) -> pd.DataFrame:
    table = pq.read_table(io.BytesIO(data))
    kinds = pa.ipc.open_stream(table.schema.metadata[KINDS]).read_pandas().dtypes.to_dict()
    described = table.schema.pandas_metadata["columns"]
    kinds |= {c["name"]: object for c in described if c["numpy_type"] == "object"}
    return table.to_pandas().astype(kinds)


def _kinds(frame: pd.DataFrame) -> bytes:
    """The table without its rows: Parquet alone forgets seconds and categories of numbers."""
    empty = pa.RecordBatch.from_pandas(frame.iloc[:0])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, empty.schema) as stream:
        stream.write_batch(empty)
    return sink.getvalue().to_pybytes()


def _same(left: pd.Series, right: pd.Series) -> bool:
    return left.dtype == right.dtype and left.equals(right)


def _mixed(frame: pd.DataFrame) -> str:
    """The first column that Arrow cannot hold."""
    for name in frame:
        try:
            pa.Array.from_pandas(frame[name])
        except (pa.ArrowException, UnicodeError):
            return str(name)
    return str(frame.columns[0])


def _unstorable(name: str) -> CohortError:
    return CohortError(
        f"Column '{name}' mixes kinds of values and cannot be stored. "
        "Make it all numbers or all text, or leave it out."
    )
