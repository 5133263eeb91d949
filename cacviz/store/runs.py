"""Runs on disk: a folder each, with sealed parts that are whole or not there.

runs/01J…/run.json        what was asked for: never changes
          card.json       name, note, star: the user's own
          status.json …   what the worker says (states.py, jobs/reporting.py)
          result/         sealed: summary, arrays, model, preparation
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from cacviz.engine.cohorts.making import cohort_of_nobody
from cacviz.engine.types import Choices, Cohort, FittedRun, Origin, RunConfig, RunSummary
from cacviz.store import atomic, cohorts, ids, models, paths, states, unix
from cacviz.store.headlines import headline
from cacviz.store.records import from_plain, read_record, to_plain
from cacviz.store.states import RESULT, State

RUN, CARD, RESERVE = "run.json", "card.json", "reserve"
ARRAYS = ("part", "clusters", "proba", "map2d")
ONE = "one"  # of newer runs


@dataclass(frozen=True, slots=True)
class Card:
    """What the user says of a run."""

    name: str = ""
    note: str = ""
    star: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run was asked to do: enough, with the cohort's table, to repeat it.

    `choices` are those of the day: roles, outcome and subgroup stay with the run for good.
    """

    config: RunConfig
    cohort_id: str
    cohort_name: str
    choices: Choices
    classes: tuple[str, ...]
    fingerprint: str
    n_patients: int
    threads: int
    created: float  # seconds since 1970, UTC
    origin: Origin = "file"
    n_people: int = 0  # different patients; 0 where an older version did not count them


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as a list shows it; `figures` is empty until it is done."""

    id: str
    card: Card
    asked: Asked
    state: State
    message: str
    figures: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
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
    one: np.ndarray | None = None

    @property
    def without_patients(self) -> bool:
        """Whether it came from elsewhere, and its patients did not."""
        return len(self.part) == 0


class StoredModel(NamedTuple):
    preparation: Any
    model: Any


@atomic.explained()
def create_run(
    cohort_id: str,
    config: RunConfig,
    name: str = "",
    *,
    note: str = "",
    threads: int = 1,
    cohort: Cohort | None = None,
) -> str:
    """Queue a run of a stored cohort and give its id; `jobs.queue.tend` starts it.

    With `cohort` it is made with that cohort's choices, else with those that are stored.
    """
    run_id = ids.new_id()
    with unix.locked(paths.lock_file()):  # the cohort cannot be deleted meanwhile
        row = cohorts.describe_cohort(cohort_id)
        seen = row.record if cohort is None else cohort
        asked = Asked(
            config=config,
            cohort_id=cohort_id,
            cohort_name=row.name,
            choices=seen.choices,
            classes=seen.classes,
            fingerprint=seen.fingerprint,
            n_patients=seen.n_patients,
            n_people=seen.n_people,
            threads=threads,
            created=time.time(),
            origin=row.record.origin,
        )
        queued = {"state": "queued", "message": "", "since": asked.created}
        contents = {
            RUN: atomic.encode(to_plain(asked)),
            CARD: atomic.encode(to_plain(Card(name, note))),
            states.STATUS: atomic.encode(queued),
            RESERVE: secrets.token_bytes(32_768),  # given up to say so when the disk is full
        }
        atomic.make_folder(paths.runs_dir() / run_id, contents)
    return run_id


class OfCohort(Protocol):
    """What was asked of a cohort, with the choices of the day: a run, or a comparison."""

    @property
    def cohort_id(self) -> str: ...
    @property
    def choices(self) -> Choices: ...


def cohort_of_run(asked: OfCohort) -> Cohort:
    """The patients as the run saw them: with its own choices, whatever was decided since.

    A run that came from elsewhere without its patients has a cohort of nobody.
    """
    if isinstance(asked, Asked) and not asked.cohort_id:
        about = (asked.choices, asked.classes, asked.fingerprint, asked.origin)
        return cohort_of_nobody(asked.cohort_name, *about)
    return cohorts.load_cohort(asked.cohort_id, asked.choices)


@atomic.explained()
def list_runs(cohort_id: str | None = None) -> list[RunRow]:
    """Every run (of one cohort), the newest first."""
    rows = [_row(folder) for folder in reversed(run_folders())]
    return [r for r in rows if r and cohort_id in (None, r.asked.cohort_id)]


@atomic.explained()
def load_run(run: str | Path) -> StoredRun:
    """A finished run without its model, checked by its manifest; `run` is an id or a folder."""
    folder = run_folder(run)
    arrays = models.unpack_arrays(atomic.read_sealed(folder / RESULT, "arrays.safetensors"))
    return StoredRun(
        id=folder.name,
        asked=read_asked(folder),
        card=read_card(folder),
        summary=from_plain(RunSummary, _sealed_json(folder, "summary.json")),
        environment=_sealed_json(folder, "environment.json"),
        **{name: arrays[name] for name in ARRAYS},
        one=arrays.get(ONE),
    )


@atomic.explained()
def load_model(run: str | Path) -> StoredModel:
    """The preparation and the model of a finished run; for workers and the command line only."""
    folder = run_folder(run) / RESULT
    manifest = atomic.read_manifest(folder)
    if manifest is None:
        raise atomic.StoreError("This run has no result yet.")

    def read(name: str) -> bytes:
        return atomic.read_sealed(folder, name)

    return StoredModel(*(models.unpack(n, manifest.files, read) for n in StoredModel._fields))


def save_result(folder: Path, fitted: FittedRun, environment: Mapping[str, Any]) -> None:
    """Seal what a run found: visible whole, or not at all."""
    arrays = {name: getattr(fitted, name) for name in ARRAYS}
    if fitted.one is not None:
        arrays[ONE] = fitted.one
    contents = {
        "summary.json": atomic.encode(to_plain(fitted.summary)),
        "environment.json": atomic.encode(to_plain(environment)),
        "arrays.safetensors": models.pack_arrays(arrays),
        **models.pack("preparation", "preparation", fitted.preparation),
        **models.pack("model", fitted.summary.config.method, fitted.model),
    }
    atomic.seal_folder(folder / RESULT, contents, headline(fitted.summary))


@atomic.explained()
def change_card(run_id: str, **changes: Any) -> Card:
    """Rename, annotate or star a run: `change_card(run_id, star=True)`."""
    folder = run_folder(run_id)
    with unix.locked(paths.lock_file()):
        card = replace(read_card(folder), **changes)
        atomic.write_json(folder / CARD, to_plain(card))
    return card


def check_out(out: Path) -> None:
    """Refuse a place that a run cannot be exported to."""
    with atomic.explained(f"'{out}'"):
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise atomic.StoreError(f"'{out}' is there already. Name a new folder.")
        home = next(place for place in out.absolute().parents if place.exists())
        if not home.is_dir():
            raise atomic.StoreError(f"'{home}' is a file and can hold no run. Name a new folder.")


@atomic.explained()
def export_run(run_id: str, out: Path) -> None:
    """Copy a finished run to the folder `out`, whole or not at all.

    It holds no table of patients; a `knn` risk model, though, is made of training patients.
    """
    folder = run_folder(run_id)
    manifest = atomic.read_manifest(folder / RESULT)
    if manifest is None:
        raise atomic.StoreError("This run has no result yet.")
    check_out(out)
    contents = {name: (folder / name).read_bytes() for name in (RUN, CARD)}
    for name in manifest.files:
        contents[f"{RESULT}/{name}"] = atomic.read_sealed(folder / RESULT, name)
    contents[f"{RESULT}/{atomic.MANIFEST}"] = (folder / RESULT / atomic.MANIFEST).read_bytes()
    with atomic.explained(f"'{out}'"):
        out.absolute().parent.mkdir(parents=True, exist_ok=True)
        atomic.make_folder(out.absolute(), contents)


def run_folder(run: str | Path) -> Path:
    """The folder of a run; an id may come from an address bar and is checked as such."""
    if isinstance(run, Path):
        folder = run.absolute()
    elif ids.is_id(run):
        folder = paths.runs_dir() / run
    else:
        raise atomic.StoreError("This is not the name of a run.")
    if not (folder / RUN).is_file():
        raise atomic.StoreError("This run is not here any more.")
    return folder


def run_folders() -> list[Path]:
    """Every run's folder, the oldest first."""
    return sorted(f for f in paths.runs_dir().iterdir() if not f.name.startswith("."))


def read_asked(folder: Path) -> Asked:
    try:
        return read_record(Asked, folder / RUN)
    except ValueError as error:
        raise atomic.StoreError(f"'{folder.name}/{RUN}' is damaged. Start the run anew.") from error


def read_card(folder: Path) -> Card:
    """The run's card; a damaged one is empty, and the next change mends it."""
    try:
        return from_plain(Card, atomic.read_json(folder / CARD))
    except ValueError:
        return Card()


def _row(folder: Path) -> RunRow | None:
    try:
        asked = read_asked(folder)
    except (OSError, atomic.StoreError):
        return None  # deleted while we looked, damaged, or not ours
    manifest = atomic.read_manifest(folder / RESULT)
    if manifest is not None:
        return RunRow(folder.name, read_card(folder), asked, "done", "", manifest.about)
    progress = states.progress_of(folder)
    return RunRow(folder.name, read_card(folder), asked, progress.state, progress.message, {})


def _sealed_json(folder: Path, name: str) -> Any:
    return atomic.decode(atomic.read_sealed(folder / RESULT, name))
