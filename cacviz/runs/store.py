"""Runs on disk: a folder each, with sealed parts that are whole or not there.

runs/01J…/run.json        what was asked for: never changes
          card.json       name, note, star: the user's own
          status.json …   what the worker says (states.py, reports.py)
          result/         sealed: summary, arrays, model, preparation
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cacviz.engine.types import FittedRun, RunConfig, RunSummary
from cacviz.runs import cohorts, files, models, paths, states
from cacviz.runs.environment import default_threads
from cacviz.runs.records import from_plain, to_plain
from cacviz.runs.states import RESULT, State

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
RUN, CARD, RESERVE = "run.json", "card.json", "reserve"
ARRAYS = ("part", "clusters", "proba", "map2d")


@dataclass(frozen=True, slots=True)
class Card:
    """What the user says of a run."""

    name: str = ""
    note: str = ""
    star: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run was asked to do: enough, with the cohort, to repeat it."""

    config: RunConfig
    cohort_id: str
    cohort_name: str
    fingerprint: str
    n_patients: int
    threads: int
    created: float  # seconds since 1970, UTC


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as a list shows it; `figures` is empty until it is done."""

    id: str
    card: Card
    asked: Asked
    state: State
    message: str
    figures: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class StoredRun:
    """A finished run without its model: `FittedRun`'s names, plus where and with what it ran."""

    id: str
    asked: Asked
    card: Card
    summary: RunSummary
    part: np.ndarray
    clusters: np.ndarray
    proba: np.ndarray
    map2d: np.ndarray
    environment: Mapping[str, Any]


class StoredModel(NamedTuple):
    preparation: Any
    model: Any


@files.plainly()
def create_run(
    cohort_id: str, config: RunConfig, name: str = "", *, note: str = "", threads: int | None = None
) -> str:
    """Queue a run of a stored cohort and give its id; `control.tend` starts it."""
    run_id, threads = new_id(), threads or default_threads()
    with files.locked(paths.lock_file()):  # the cohort cannot be deleted meanwhile
        said = cohorts.describe_cohort(cohort_id)
        asked = Asked(
            config, cohort_id, said.name, said.fingerprint, said.n_patients, threads, time.time()
        )
        queued = {"state": "queued", "message": "", "since": asked.created}
        contents = {
            RUN: files.encode(to_plain(asked)),
            CARD: files.encode(to_plain(Card(name, note))),
            states.STATUS: files.encode(queued),
            RESERVE: secrets.token_bytes(32_768),  # given up to say so when the disk is full
        }
        files.make_folder(paths.runs_dir() / run_id, contents)
    return run_id


@files.plainly()
def list_runs(cohort_id: str | None = None) -> list[RunRow]:
    """Every run (of one cohort), the newest first."""
    rows = [_row(folder) for folder in reversed(run_folders())]
    return [r for r in rows if r and cohort_id in (None, r.asked.cohort_id)]


@files.plainly()
def load_run(run: str | Path) -> StoredRun:
    """A finished run without its model, checked by its manifest; `run` is an id or a folder."""
    folder = run_folder(run)
    arrays = models.unpack_arrays(files.read_sealed(folder / RESULT, "arrays.safetensors"))
    return StoredRun(
        id=folder.name,
        asked=read_asked(folder),
        card=read_card(folder),
        summary=from_plain(RunSummary, _sealed_json(folder, "summary.json")),
        environment=_sealed_json(folder, "environment.json"),
        **{name: arrays[name] for name in ARRAYS},
    )


@files.plainly()
def load_model(run: str | Path) -> StoredModel:
    """The preparation and the model of a finished run; for workers and the command line only."""
    folder = run_folder(run) / RESULT
    manifest = files.read_manifest(folder)
    if manifest is None:
        raise files.StoreError("This run has no result yet.")

    def read(name: str) -> bytes:
        return files.read_sealed(folder, name)

    return StoredModel(*(models.unpack(n, manifest.files, read) for n in StoredModel._fields))


def save_result(folder: Path, fitted: FittedRun, environment: Mapping[str, Any]) -> None:
    """Seal what a run found: visible whole, or not at all."""
    arrays = {name: getattr(fitted, name) for name in ARRAYS}
    contents = {
        "summary.json": files.encode(to_plain(fitted.summary)),
        "environment.json": files.encode(to_plain(environment)),
        "arrays.safetensors": models.pack_arrays(arrays),
        **models.pack("preparation", fitted.preparation),
        **models.pack("model", fitted.model),
    }
    files.seal_folder(folder / RESULT, contents, _headline(fitted.summary))


@files.plainly()
def change_card(run_id: str, **changes: Any) -> Card:
    """Rename, annotate or star a run: `change_card(run_id, star=True)`."""
    folder = run_folder(run_id)
    with files.locked(paths.lock_file()):
        card = replace(read_card(folder), **changes)
        files.write_json(folder / CARD, to_plain(card))
    return card


def check_out(out: Path) -> None:
    """Refuse a place that a run cannot be exported to."""
    with files.plainly(f"'{out}'"):
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise files.StoreError(f"'{out}' is there already. Name a new folder.")
        home = next(place for place in out.absolute().parents if place.exists())
        if not home.is_dir():
            raise files.StoreError(f"'{home}' is a file and can hold no run. Name a new folder.")


@files.plainly()
def export_run(run_id: str, out: Path) -> None:
    """Copy a finished run to the folder `out`, whole or not at all.

    It holds no table of patients; a `knn` risk model, though, is made of training patients.
    """
    folder = run_folder(run_id)
    manifest = files.read_manifest(folder / RESULT)
    if manifest is None:
        raise files.StoreError("This run has no result yet.")
    check_out(out)
    contents = {name: (folder / name).read_bytes() for name in (RUN, CARD)}
    for name in manifest.files:
        contents[f"{RESULT}/{name}"] = files.read_sealed(folder / RESULT, name)
    contents[f"{RESULT}/{files.MANIFEST}"] = (folder / RESULT / files.MANIFEST).read_bytes()
    with files.plainly(f"'{out}'"):
        out.absolute().parent.mkdir(parents=True, exist_ok=True)
        files.make_folder(out.absolute(), contents)


def run_folder(run: str | Path) -> Path:
    """The folder of a run; an id may come from an address bar and is checked as such."""
    if isinstance(run, Path):
        folder = run.absolute()
    elif re.fullmatch(f"[{CROCKFORD}]{{26}}", run):
        folder = paths.runs_dir() / run
    else:
        raise files.StoreError("This is not the name of a run.")
    if not (folder / RUN).is_file():
        raise files.StoreError("This run is not here any more.")
    return folder


def run_folders() -> list[Path]:
    """Every run's folder, the oldest first."""
    return sorted(f for f in paths.runs_dir().iterdir() if not f.name.startswith("."))


def read_asked(folder: Path) -> Asked:
    try:
        return from_plain(Asked, json.loads((folder / RUN).read_bytes()))
    except ValueError as error:
        raise files.StoreError(f"'{folder.name}/{RUN}' is damaged. Start the run anew.") from error


def read_card(folder: Path) -> Card:
    """The run's card; a damaged one is empty, and the next change mends it."""
    try:
        return from_plain(Card, files.read_json(folder / CARD))
    except ValueError:
        return Card()


def new_id() -> str:
    """A ULID: sorts by time, 80 random bits against clashes."""
    number = time.time_ns() // 1_000_000 << 80 | secrets.randbits(80)
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def _row(folder: Path) -> RunRow | None:
    try:
        asked = read_asked(folder)
    except (OSError, files.StoreError):
        return None  # deleted while we looked, damaged, or not ours
    manifest = files.read_manifest(folder / RESULT)
    if manifest is not None:
        return RunRow(folder.name, read_card(folder), asked, "done", "", manifest.about)
    progress = states.progress_of(folder)
    return RunRow(folder.name, read_card(folder), asked, progress.state, progress.message, {})


def _headline(summary: RunSummary) -> dict[str, Any]:
    """What a list of runs shows of a result."""
    return {
        "test": to_plain(summary.test),
        "silhouette": float(summary.silhouette),
        "routing_agreement": to_plain(summary.routing_agreement),
        "sizes": [int(cluster.n) for cluster in summary.clusters],
        "seconds": float(summary.seconds),
    }


def _sealed_json(folder: Path, name: str) -> Any:
    return json.loads(files.read_sealed(folder / RESULT, name))
