"""Packs a finished run into a zip: without an entry of any patient, unless asked."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from cacviz.engine.insights.described.small_cells import without_small
from cacviz.engine.insights.types import Described, Students
from cacviz.store import atomic, cohorts, insights, models, risk_choices, runs, tables
from cacviz.store.bundles.layout import BUNDLE, FORMAT, RECORD, SERIES, TABLE
from cacviz.store.records import to_plain
from cacviz.store.series import pack_series

MADE_OF_PATIENTS = (b"KNeighbors", b"KDTree", b"BallTree")  # estimators that keep who they saw
OF_PATIENTS = ("map", "silhouettes")  # insights with an entry a patient
LABELS = ("labels", "labels_")
HOLDS_PATIENTS = (
    "The risk models of this run (nearest neighbours) are made of its training patients: whoever "
    "has the file has them. Export it with its patients (--with-patients), or run it anew with "
    "another risk model."
)


@atomic.explained()
def pack_run(run: str | Path, *, with_patients: bool = False) -> bytes:
    """The run as a zip; `run` is an id or the folder of an exported run."""
    folder = runs.run_folder(run)
    stored = runs.load_run(folder)
    if holds_patients(folder) and not with_patients:
        raise atomic.StoreError(HOLDS_PATIENTS)
    files = (
        _own(folder)
        | _risks(folder)
        | _result(folder, with_patients)
        | _insights(folder, stored, with_patients)
    )
    if with_patients:
        files |= _patients(stored.asked)
    return _zipped(files, {"with_patients": with_patients, "n_patients": stored.asked.n_patients})


def holds_patients(run: str | Path) -> bool:
    """Whether a model cannot leave without taking training patients along."""
    folder = runs.run_folder(run) / runs.RESULT
    manifest = atomic.read_manifest(folder)
    if manifest is None or "model.skops" not in manifest.files:
        return False
    with zipfile.ZipFile(io.BytesIO(atomic.read_sealed(folder, "model.skops"))) as model:
        schema = model.read("schema.json")
    return any(word in schema for word in MADE_OF_PATIENTS)


def _own(folder: Path) -> dict[str, bytes]:
    names = (runs.RUN, runs.CARD, insights.NAMES)
    return {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}


def _risks(folder: Path) -> dict[str, bytes]:
    """How risks are recalibrated, which the insight it was read from may not leave with."""
    chosen, remedy = risk_choices.read_choices(folder), risk_choices.remedy_of(folder)
    if remedy is not None:
        chosen = replace(chosen, slope=remedy[0], shifts=remedy[1])
    return {risk_choices.FILE: atomic.encode(to_plain(chosen))}


def _result(folder: Path, with_patients: bool) -> dict[str, bytes]:
    home = folder / runs.RESULT
    manifest = atomic.read_manifest(home)
    assert manifest is not None  # the run was loaded
    files = {name: atomic.read_sealed(home, name) for name in manifest.files}
    if not with_patients:
        arrays = models.unpack_arrays(files["arrays.safetensors"])
        files["arrays.safetensors"] = models.pack_arrays({n: a[:0] for n, a in arrays.items()})
        files["model.safetensors"] = _unlabelled(files["model.safetensors"])
    return _under(runs.RESULT, atomic.sealed(files, manifest.about))


def _unlabelled(data: bytes) -> bytes:
    """A model's arrays without the subtype of each training patient; no prediction needs them."""
    arrays = models.unpack_arrays(data)
    blank = {name: np.zeros_like(arrays[name]) for name in LABELS if name in arrays}
    return models.pack_arrays(arrays | blank)


def _insights(folder: Path, stored: runs.StoredRun, with_patients: bool) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for name in insights.INSIGHTS:
        if not insights.is_there(folder / insights.HOME, name):
            continue
        part = insights.load_part(folder, name)
        if not with_patients:
            if name in OF_PATIENTS or part is None:
                continue
            part = without_patients(part)
        packed = insights.packed(name, part)
        if with_patients or not _by_patient(packed, stored):
            files |= _under(f"{insights.HOME}/{name}", packed)
    return files


def without_patients(part: Any) -> Any:
    """An insight with what speaks of single patients, or of very few, taken out."""
    if isinstance(part, Students):
        views = tuple(replace(view, beeswarms=()) for view in part.views)
        return replace(part, views=views)
    if isinstance(part, Described):
        return replace(part, profiles=without_small(part.profiles))
    return part


def _by_patient(packed: Mapping[str, bytes], stored: runs.StoredRun) -> bool:
    """Whether a part has arrays with an entry for each patient of some set: those stay here."""
    sizes = {int(np.sum(stored.part == p)) for p in np.unique(stored.part)} | {len(stored.part)}
    arrays = models.unpack_arrays(packed[insights.ARRAYS])
    return any(n in sizes for array in arrays.values() for n in array.shape if n)


def _patients(asked: runs.Asked) -> dict[str, bytes]:
    if not asked.cohort_id:
        raise atomic.StoreError("The patients of this run are not kept here: it came without them.")
    record = replace(cohorts.read_record(cohorts.cohort_folder(asked.cohort_id)), steps=())
    table = tables.load_table(record.table, record.name)
    files = {TABLE: tables.to_parquet(table.frame), RECORD: atomic.encode(to_plain(record))}
    return files | ({SERIES: pack_series(table.series)} if table.series is not None else {})


def _under(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {f"{folder}/{name}": data for name, data in files.items()}


def _zipped(files: Mapping[str, bytes], about: Mapping[str, Any]) -> bytes:
    """The zip with its list of contents; no dates: the same run gives the same file."""
    listed = {name: [atomic.sha256(data), len(data)] for name, data in files.items()}
    head = {"format": FORMAT, "cacviz": version("cacviz"), **about, "files": listed}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in {BUNDLE: json.dumps(head, indent=1).encode(), **files}.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return buffer.getvalue()
