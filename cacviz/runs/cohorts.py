"""Cohorts on disk: each table once, by its content; a cohort adds names, roles and outcome."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Cohort, Column, Outcome
from cacviz.runs import files, paths
from cacviz.runs.records import from_plain, to_plain

KINDS, CODES = b"cacviz.kinds", "y.safetensors"


@dataclass(frozen=True, slots=True)
class CohortRow:
    """A stored cohort as a list shows it, without its patients."""

    id: str
    name: str
    n_patients: int
    n_columns: int
    n_features: int
    outcome: Outcome | None
    classes: tuple[str, ...]
    fingerprint: str
    created: float  # seconds since 1970, UTC


@files.plainly()
def save_cohort(cohort: Cohort) -> str:
    """Keep the cohort and give its id; the same cohort has the same id and is kept once.

    The id comes from what the cohort says, not from its table's bytes: those hold the versions of
    the libraries that wrote them.
    """
    table = _to_parquet(cohort.frame)
    said = json.loads(files.encode(_content(cohort)))
    codes = save_arrays({"y": np.ascontiguousarray(cohort.y)})
    with files.locked(paths.lock_file()):
        cohort_id = _known_as(said, codes) or _id_of(said, cohort.y)
        shape = {"n_patients": len(cohort.frame), "n_columns": cohort.frame.shape[1]}
        _keep(cohort_id, table, said | shape, codes)
    return cohort_id


def _content(cohort: Cohort) -> dict[str, Any]:
    return {
        "name": cohort.name,
        "columns": to_plain(cohort.columns),
        "outcome": to_plain(cohort.outcome),
        "classes": list(cohort.classes),
        "fingerprint": cohort.fingerprint,
    }


def _id_of(said: dict[str, Any], y: np.ndarray) -> str:
    return files.sha256(files.encode(said) + y.astype("<i8").tobytes())[:24]


def _known_as(said: dict[str, Any], codes: bytes) -> str | None:
    """The id under which just this cohort is stored, perhaps by a version that made other ids."""
    digest = files.sha256(codes)
    found = [(f.name, files.read_manifest(f)) for f in _folders()]
    alike = [(name, m) for name, m in found if m and said.items() <= m.about.items()]
    return next((name for name, m in alike if m.files[CODES][0] == digest), None)


@files.plainly()
def load_cohort(cohort_id: str) -> Cohort:
    """The cohort just as it was saved: values, types, roles and class codes."""
    folder = _folder(cohort_id)
    said = _said(folder)
    table = _table(said["table"]).read_bytes()
    if files.sha256(table) != said["table"]:
        raise files.StoreError(f"The table of cohort '{said['name']}' was changed. Open it again.")
    return Cohort(
        name=said["name"],
        frame=_from_parquet(table),
        columns=tuple(from_plain(Column, c) for c in said["columns"]),
        outcome=from_plain(Outcome | None, said["outcome"]),
        y=load_arrays(files.read_sealed(folder, CODES))["y"],
        classes=tuple(said["classes"]),
        fingerprint=said["fingerprint"],
    )


@files.plainly()
def list_cohorts() -> list[CohortRow]:
    """Every stored cohort, the newest first."""
    rows = [_row(folder.name, _said(folder)) for folder in _folders()]
    return sorted(rows, key=lambda row: row.created, reverse=True)


def describe_cohort(cohort_id: str) -> CohortRow:
    """One stored cohort, without its patients."""
    return _row(cohort_id, _said(_folder(cohort_id)))


def remove_cohort(cohort_id: str, *, unless: Callable[[], bool] = lambda: False) -> None:
    """Take the cohort away for good, and its table unless another cohort shares it.

    `unless` is asked under the lock, where nothing can begin meanwhile. Runs made from it are
    the caller's: `control.delete_cohort` takes them too.
    """
    folder = _folder(cohort_id)
    with files.locked(paths.lock_file()):
        if unless():
            return
        files.remove(folder)
        _remove_unshared()


def sweep_tables() -> int:
    """Remove tables that no cohort has, as a crash between the two leaves; how many."""
    with files.locked(paths.lock_file()):  # else a table may be there just ahead of its cohort
        places = [f for f in paths.cohorts_dir().iterdir() if not f.name.startswith(".")]
        whole = len(places) == len(_folders())
        return _remove_unshared() if whole else 0  # a damaged cohort may yet be mended


def _remove_unshared() -> int:
    shared = {_said(folder)["table"] for folder in _folders()}
    found = [t for t in paths.tables_dir().glob("*.parquet") if t.stem not in shared]
    for table in found:
        files.remove(table)
    return len(found)


def _said(folder: Path) -> dict[str, Any]:
    manifest = files.read_manifest(folder)
    if manifest is None:
        raise files.StoreError("This cohort is not stored here any more. Open it again.")
    return manifest.about


def _keep(cohort_id: str, table: bytes, said: dict[str, Any], codes: bytes) -> None:
    """Write what is not there intact: table first, so that a cohort always has one."""
    folder, digest = paths.cohorts_dir() / cohort_id, files.sha256(table)
    manifest = files.read_manifest(folder)
    if manifest is not None and _is_intact(manifest.about["table"]):
        return
    if not _is_intact(digest):
        files.write_file(_table(digest), table)
    if manifest is None or manifest.about["table"] != digest:
        files.seal_folder(folder, {CODES: codes}, said | {"table": digest, "created": time.time()})


def _table(digest: str) -> Path:
    return paths.tables_dir() / f"{digest}.parquet"


def _is_intact(digest: str) -> bool:
    place = _table(digest)
    return place.exists() and files.sha256(place.read_bytes()) == digest


def _folder(cohort_id: str) -> Path:
    """The folder of an id, which may come from an address bar: letters and digits only."""
    if not cohort_id.isalnum() or not cohort_id.isascii():
        raise files.StoreError("This is not the name of a stored cohort.")
    return paths.cohorts_dir() / cohort_id


def _folders() -> list[Path]:
    """Of every cohort that is whole; a hidden one is still being written, or was."""
    places = [f for f in paths.cohorts_dir().iterdir() if not f.name.startswith(".")]
    return [f for f in places if files.read_manifest(f) is not None]


def _row(cohort_id: str, about: dict[str, Any]) -> CohortRow:
    return CohortRow(
        id=cohort_id,
        name=about["name"],
        n_patients=about["n_patients"],
        n_columns=about["n_columns"],
        n_features=sum(c["role"] == "feature" for c in about["columns"]),
        outcome=from_plain(Outcome | None, about["outcome"]),
        classes=tuple(about["classes"]),
        fingerprint=about["fingerprint"],
        created=about["created"],
    )


def _to_parquet(frame: pd.DataFrame) -> bytes:
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
    back = _from_parquet(data)
    changed = [name for name in frame if not _same(frame[name], back[name])]
    if changed:
        raise _unstorable(changed[0])
    return data


def _from_parquet(data: bytes) -> pd.DataFrame:
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
