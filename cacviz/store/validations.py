"""Validations of runs in other cohorts: a folder each, kept as long as the run.

validations/01J…/validation.json   which run, which cohort, which outcome there
                 status.json …     as with runs
                 result/           sealed: what was found
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path

from cacviz.engine.insights.elsewhere.types import Validation
from cacviz.store import atomic, cohorts, ids, paths, states
from cacviz.store.records import from_plain, to_plain
from cacviz.store.states import Progress

VALIDATION, FOUND = "validation.json", "found.json"


@dataclass(frozen=True, slots=True)
class AskedValidation:
    """A run, and the cohort in which it is looked at."""

    run: str
    cohort_id: str
    cohort_name: str
    outcome: str  # the column there
    created: float


@dataclass(frozen=True, slots=True)
class ValidationRow:
    """A validation as a list shows it."""

    id: str
    asked: AskedValidation
    progress: Progress


@atomic.explained()
def create_validation(run: str, cohort_id: str, outcome: str) -> str:
    """A new validation, queued; its id."""
    row, made = cohorts.describe_cohort(cohort_id), ids.new_id()
    asked = AskedValidation(run, cohort_id, row.name, outcome, time.time())
    queued = {"state": "queued", "message": "", "since": asked.created}
    contents = {VALIDATION: atomic.encode(to_plain(asked)), states.STATUS: atomic.encode(queued)}
    atomic.make_folder(home() / made, contents)
    return made


def home() -> Path:
    return paths.private(paths.data_dir() / "validations")


def validation_folders() -> list[Path]:
    """Every validation's folder, the oldest first."""
    return sorted(f for f in home().iterdir() if not f.name.startswith("."))


def validation_folder(name: str) -> Path:
    """The folder of a validation."""
    folder = home() / name
    if not ids.is_id(name) or not (folder / VALIDATION).is_file():
        raise atomic.StoreError("This validation is not here any more.")
    return folder


def read_asked(folder: Path) -> AskedValidation:
    try:
        return from_plain(AskedValidation, json.loads((folder / VALIDATION).read_bytes()))
    except ValueError as error:
        raise atomic.StoreError("This validation is damaged. Validate again.") from error


@atomic.explained()
def list_validations(run: str | None = None) -> list[ValidationRow]:
    """Every validation (of one run), the newest first."""
    rows = [_row(f) for f in reversed(validation_folders())]
    return [r for r in rows if r and run in (None, r.asked.run)]


def _row(folder: Path) -> ValidationRow | None:
    try:
        return ValidationRow(folder.name, read_asked(folder), states.progress_of(folder))
    except (OSError, atomic.StoreError):
        return None  # deleted while we looked, or damaged


def save_validation(folder: Path, found: Validation) -> None:
    """Seal what was found."""
    contents = {FOUND: atomic.encode(to_plain(found))}
    atomic.seal_folder(folder / states.RESULT, contents, {"verdict": found.verdict.word})


@atomic.explained()
def load_validation(name: str) -> Validation:
    """What was found, checked by its seal."""
    folder = validation_folder(name)
    return from_plain(Validation, json.loads(atomic.read_sealed(folder / states.RESULT, FOUND)))
