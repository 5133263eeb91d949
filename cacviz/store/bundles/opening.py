"""Takes in a run's zip from anybody: nothing is written before all of it is checked."""

from __future__ import annotations

import json
import stat
import time
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

from cacviz.engine.cohorts.making import cohort_of
from cacviz.engine.exceptions import CohortError
from cacviz.engine.insights.registry import INSIGHTS
from cacviz.engine.reading.digests import series_digest, table_digest
from cacviz.engine.running.methods import METHODS
from cacviz.engine.types import Cohort, RunSummary, Table
from cacviz.store import (
    atomic,
    cohorts,
    ids,
    insights,
    models,
    paths,
    risk_choices,
    runs,
    tables,
    unix,
)
from cacviz.store.bundles import layout
from cacviz.store.bundles.layout import BUNDLE, HOLD, RECORD, SERIES, TABLE, Imported
from cacviz.store.records import from_plain, to_plain
from cacviz.store.series import unpack_series


def _refuse(reason: str) -> NoReturn:
    raise atomic.StoreError(f"This file was not taken in: {reason}")


@atomic.explained()
def take_in(path: Path) -> Imported:
    """Check the zip of a run and put the run into the store; a StoreError says what is wrong."""
    files = read_files(path)
    head = _head(files)
    asked, cohort = _checked_run(files), _checked_patients(files)
    if cohort is not None and cohort.fingerprint != asked.fingerprint:
        _refuse("its patients are not those that the run was made from.")
    cohort_id = cohorts.save_cohort(cohort) if cohort is not None else ""
    taken = replace(asked, cohort_id=cohort_id, created=time.time())
    kept = {n: d for n, d in files.items() if not n.startswith((BUNDLE, f"{HOLD}/"))}
    kept[runs.RUN] = atomic.encode(to_plain(taken))
    run_id = ids.new_id()
    with unix.locked(paths.lock_file()):
        atomic.make_folder(paths.runs_dir() / run_id, kept)
    return Imported(run_id, cohort_id, asked.n_patients, str(head.get("cacviz", "")))


def read_files(path: Path) -> dict[str, bytes]:
    """Every file of the zip, once its names and sizes are found to be in order."""
    try:
        with zipfile.ZipFile(path) as archive:
            _check_entries(archive.infolist())
            return {entry.filename: _read(archive, entry) for entry in archive.infolist()}
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError):
        _refuse("it is no zip file, or a damaged one. Export the run again.")


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    names = [entry.filename for entry in entries]
    if len(names) > layout.MOST_FILES or len(set(names)) < len(names):
        _refuse("it holds more files than a run has, or one of them twice.")
    strange = next((n for n in names if not layout.ALLOWED.fullmatch(n)), None)
    if strange is not None:
        _refuse(f"'{strange[:60]}' does not belong to a run of cacviz.")
    if any(stat.S_ISLNK(entry.external_attr >> 16) or entry.flag_bits & 1 for entry in entries):
        _refuse("it holds links or encrypted files.")
    if sum(entry.file_size for entry in entries) > layout.LARGEST:
        _refuse(f"it is larger than {layout.LARGEST / 2**30:g} GB when unpacked.")
    if any(_too_flat(entry) for entry in entries):
        _refuse("it unpacks to far more than a run would: it may be meant to fill the disk.")
    gone = [name for name in layout.NEEDED if name not in names]
    if gone:
        _refuse(f"'{gone[0]}' is missing. Export the run with `cacviz export`.")


def _too_flat(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size - layout.SMALL > layout.FLATTEST * max(1, entry.compress_size)


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The bytes of a file, never more than it says it has."""
    with archive.open(entry) as opened:
        data = opened.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        _refuse(f"'{entry.filename}' has not the size that it claims.")
    return data


def _head(files: Mapping[str, bytes]) -> dict[str, Any]:
    """The list of contents; every file must be the one that it tells of."""
    head = _json(files, BUNDLE)
    if head.get("format") != layout.FORMAT or _newer(str(head.get("cacviz", ""))):
        _refuse(
            f"it was made by cacviz {str(head.get('cacviz', '?'))[:20]}, and this is "
            f"{version('cacviz')}. Update cacviz here, or export the run with this version."
        )
    listed = head.get("files")
    if not isinstance(listed, dict) or set(listed) != set(files) - {BUNDLE}:
        _refuse("its list of contents names other files than it holds.")
    for name, told in listed.items():
        if told != [atomic.sha256(files[name]), len(files[name])]:
            _refuse(f"'{name}' was changed after it was exported.")
    return head


def _newer(theirs: str) -> bool:
    """Whether the minor version is beyond ours; nothing that is no version passes."""
    try:
        return [int(n) for n in theirs.split(".")[:2]] > [
            int(n) for n in version("cacviz").split(".")[:2]
        ]
    except ValueError:
        return True


def _checked_run(files: Mapping[str, bytes]) -> runs.Asked:
    """What was asked, after result, model and insights were read as they will be read here."""
    try:
        asked = from_plain(runs.Asked, _json(files, runs.RUN))
        summary = from_plain(RunSummary, _json(files, f"{runs.RESULT}/summary.json"))
        arrays = models.unpack_arrays(files[f"{runs.RESULT}/arrays.safetensors"])
        known = all(name in arrays for name in runs.ARRAYS)
        if risk_choices.FILE in files:
            risk_choices.checked(files[risk_choices.FILE], len(summary.classes))
    except atomic.StoreError:
        raise
    except Exception as error:  # whatever a hostile file makes a parser raise
        raise atomic.StoreError("This file was not taken in: its run cannot be read.") from error
    if not known or summary.config != asked.config or asked.config.method not in METHODS:
        _refuse("its result is not of the run that it names, or of a method not known here.")
    _check_sealed(files, runs.RESULT)
    _check_model(files, asked.config.method)
    _check_insights(files)
    return asked


def _check_sealed(files: Mapping[str, bytes], folder: str) -> None:
    manifest = atomic.manifest_of(_json(files, f"{folder}/{atomic.MANIFEST}"))
    if manifest is None:
        _refuse(f"the seal of '{folder}' is broken.")
    inside = {n.removeprefix(f"{folder}/"): d for n, d in files.items() if n.startswith(folder)}
    inside.pop(atomic.MANIFEST)
    told = {n: (atomic.sha256(d), len(d)) for n, d in inside.items()}
    if told != manifest.files:
        _refuse(f"'{folder}' holds other files than were sealed.")


def _check_model(files: Mapping[str, bytes], method: str) -> None:
    """Open preparation and model once; skops refuses types that are not on our own list."""
    names = {n.removeprefix(f"{runs.RESULT}/") for n in files}
    for name, kind in (("preparation", "preparation"), ("model", method)):
        told = _json(files, f"{runs.RESULT}/{name}.json").get("kind")
        if told != kind:
            _refuse(f"its {name} is of another kind than the run.")
        models.unpack(name, names, lambda n: files[f"{runs.RESULT}/{n}"])


def _check_insights(files: Mapping[str, bytes]) -> None:
    home = f"{insights.HOME}/"
    for name in sorted({n.split("/")[1] for n in files if n.startswith(home)}):
        if name not in INSIGHTS:
            _refuse(f"its insight '{name}' is not known here. Update cacviz.")
        _check_sealed(files, f"{home}{name}")
        try:
            part, arrays = (files[f"{home}{name}/{n}"] for n in (insights.PART, insights.ARRAYS))
            insights.unpacked(name, part, arrays)
        except Exception as error:
            reason = f"This file was not taken in: its insight '{name}' cannot be read."
            raise atomic.StoreError(reason) from error


def _checked_patients(files: Mapping[str, bytes]) -> Cohort | None:
    """The cohort, made anew from the table: digest and fingerprint are computed, not believed."""
    if TABLE not in files or RECORD not in files:
        return None
    try:
        record = from_plain(cohorts.CohortRecord, _json(files, RECORD))
        asked = from_plain(runs.Asked, _json(files, runs.RUN))
        table = _table(files, record.table)
        return cohort_of(record.name, table, asked.choices, origin=record.origin)
    except (atomic.StoreError, CohortError):
        raise
    except Exception as error:
        raise atomic.StoreError("This file was not taken in: its table cannot be read.") from error


def _table(files: Mapping[str, bytes], read: tables.TableRecord) -> Table:
    frame = tables.from_parquet(files[TABLE])
    series = unpack_series(files[SERIES]) if SERIES in files else None
    digest = table_digest(frame)
    digest = digest if series is None else series_digest(digest, series)
    if digest != read.digest:
        _refuse("its table was changed after it was exported.")
    more = {"digest": digest, "series": series, "flow": read.flow}
    return Table(frame, read.columns, read.notes, **more)  # type: ignore[arg-type]


def _json(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    try:
        said = json.loads(files[name])
    except (KeyError, ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        _refuse(f"'{name}' is missing or cannot be read.")
    return said
