"""Cohorts on disk: each table once, by its content; a cohort adds names, roles and outcome."""

from __future__ import annotations

import io
import time
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

KINDS = b"cacviz.kinds"


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
    """Keep the cohort and give its id; the same cohort has the same id and is kept once."""
    table = _to_parquet(cohort.frame)
    said = {
        "name": cohort.name,
        "columns": to_plain(cohort.columns),
        "outcome": to_plain(cohort.outcome),
        "classes": list(cohort.classes),
        "fingerprint": cohort.fingerprint,
        "table": files.sha256(table),
    }
    codes = save_arrays({"y": np.ascontiguousarray(cohort.y)})
    cohort_id = files.sha256(files.encode(said) + codes)[:24]
    with files.locked(paths.lock_file()):
        _keep(cohort_id, table, said, codes, cohort.frame.shape)
    return cohort_id


@files.plainly()
def load_cohort(cohort_id: str) -> Cohort:
    """The cohort just as it was saved: values, types, roles and class codes."""
    folder = _folder(cohort_id)
    said = _said(folder)
    table = (paths.tables_dir() / f"{said['table']}.parquet").read_bytes()
    if files.sha256(table) != said["table"]:
        raise files.StoreError(f"The table of cohort '{said['name']}' was changed. Open it again.")
    return Cohort(
        name=said["name"],
        frame=_from_parquet(table),
        columns=tuple(from_plain(Column, c) for c in said["columns"]),
        outcome=from_plain(Outcome | None, said["outcome"]),
        y=load_arrays(files.read_sealed(folder, "y.safetensors"))["y"],
        classes=tuple(said["classes"]),
        fingerprint=said["fingerprint"],
    )


def list_cohorts() -> list[CohortRow]:
    """Every stored cohort, the newest first."""
    rows = [_row(folder.name, _said(folder)) for folder in _folders()]
    return sorted(rows, key=lambda row: row.created, reverse=True)


def describe_cohort(cohort_id: str) -> CohortRow:
    """One stored cohort, without its patients."""
    return _row(cohort_id, _said(_folder(cohort_id)))


def remove_cohort(cohort_id: str) -> None:
    """Take the cohort away for good, and its table unless another cohort shares it.

    Runs made from it are the caller's: `store.delete_cohort` takes them too.
    """
    folder = _folder(cohort_id)
    with files.locked(paths.lock_file()):
        files.remove(folder)
        shared = {_said(f)["table"] for f in _folders()}
        for table in paths.tables_dir().glob("*.parquet"):
            if table.stem not in shared:
                files.remove(table)


def _said(folder: Path) -> dict[str, Any]:
    manifest = files.read_manifest(folder)
    if manifest is None:
        raise files.StoreError("This cohort is not stored here any more. Open it again.")
    return manifest.about


def _keep(
    cohort_id: str, table: bytes, said: dict[str, Any], codes: bytes, shape: tuple[int, ...]
) -> None:
    place = paths.tables_dir() / f"{said['table']}.parquet"
    if not place.exists() or files.sha256(place.read_bytes()) != said["table"]:
        files.write_file(place, table)
    folder = paths.cohorts_dir() / cohort_id
    if files.read_manifest(folder) is None:
        about = said | {"n_patients": shape[0], "n_columns": shape[1], "created": time.time()}
        files.seal_folder(folder, {"y.safetensors": codes}, about)


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
