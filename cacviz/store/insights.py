"""What was learned from a run, kept beside its result: a sealed folder a part.

runs/01J…/insights/described/  profiles, tests, names, survival      silhouettes/  by patient
                  students/    risk factors, SHAP values             map/          positions
                  status.json … of the job that makes missing parts (states.py)
          names.json           what the user calls the subtypes
          rule.json            what the bedside rule shall be: vetoes, number of variables
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from cacviz.engine.insights.bedside.types import Wish
from cacviz.engine.insights.names import told_apart
from cacviz.engine.insights.registry import INSIGHTS
from cacviz.engine.reading.kinds import shorten
from cacviz.store import atomic, models, paths, runs, states, unix
from cacviz.store.records import from_plain, to_plain
from cacviz.store.unix import alive

HOME, NAMES, RULE = "insights", "names.json", "rule.json"
PART, ARRAYS = "part.json", "arrays.safetensors"
VERSION = 2  # of what parts hold; those of another version count as missing and can be remade
LONGEST_NAME = 60
PartState = Literal["ready", "coming", "failed", "missing"]


def home_of(run: str | Path) -> Path:
    """The folder of a run's insights, which is also that of the job that makes them."""
    return paths.private(runs.run_folder(run) / HOME)


def save_part(folder: Path, name: str, part: Any) -> None:
    """Seal one part; `part` is None where it does not apply to the run."""
    home = paths.private(folder / HOME)
    atomic.seal_folder(home / name, _contents(part), _about(name))
    (home / f"{name}.failed").unlink(missing_ok=True)


def packed(name: str, part: Any) -> dict[str, bytes]:
    """The files of a part's sealed folder."""
    return atomic.sealed(_contents(part), _about(name))


def _about(name: str) -> dict[str, Any]:
    return {"part": name, "version": VERSION}


def _contents(part: Any) -> dict[str, bytes]:
    arrays: dict[str, np.ndarray] = {}
    plain = _without_arrays(part, arrays)
    return {PART: atomic.encode(plain), ARRAYS: models.pack_arrays(arrays)}


@atomic.explained()
def load_part(run: str | Path, name: str) -> Any:
    """One part as it was made, or None where it is not there or does not apply."""
    folder = runs.run_folder(run) / HOME / name
    if not is_there(folder.parent, name):
        return None
    return unpacked(name, atomic.read_sealed(folder, PART), atomic.read_sealed(folder, ARRAYS))


def unpacked(name: str, part: bytes, arrays: bytes) -> Any:
    """The part that its two files hold."""
    plain, held = atomic.decode(part), models.unpack_arrays(arrays)
    return None if plain is None else from_plain(INSIGHTS[name].kind, _with_arrays(plain, held))


def part_states(run: str | Path) -> dict[str, PartState]:
    """How it stands with each part; `jobs.queue.complete` makes 'missing' and 'failed' ones."""
    folder = runs.run_folder(run)
    home = folder / HOME
    working = any(alive(states.worker_of(place)) for place in (folder, home))
    # not by its status alone: a worker may have died before it said a word
    waiting = states.progress_of(home).state == "queued"
    return {name: _part_state(home, name, working or waiting) for name in INSIGHTS}


def is_there(home: Path, name: str) -> bool:
    manifest = atomic.read_manifest(home / name)
    return manifest is not None and manifest.about.get("version") == VERSION


def missing_parts(folder: Path) -> list[str]:
    """The parts of a run that are still to be made."""
    return [name for name in INSIGHTS if not is_there(folder / HOME, name)]


def _part_state(home: Path, name: str, working: bool) -> PartState:
    if is_there(home, name):
        return "ready"
    if (home / f"{name}.failed").exists():
        return "failed"
    return "coming" if working else "missing"


def note_failure(home: Path, name: str, message: str) -> None:
    atomic.write_json(home / f"{name}.failed", {"message": message})


def forget_failures(home: Path) -> None:
    """What failed is tried again."""
    for name in INSIGHTS:
        (home / f"{name}.failed").unlink(missing_ok=True)


def failure(run: str | Path, name: str) -> str:
    """Why a part could not be computed."""
    said = atomic.read_json(runs.run_folder(run) / HOME / f"{name}.failed")
    return said["message"] if isinstance(said, dict) else ""


def subtype_names(
    run: str | Path, n_clusters: int, suggested: Sequence[str] | None = None
) -> tuple[str, ...]:
    """What each subtype is called: by the user, else as suggested; empty where nothing is known.

    All names differ. `suggested` spares reading the profiles where they are at hand.
    """
    given = _given_names(runs.run_folder(run))
    if suggested is None:
        described = load_part(run, "described")
        suggested = described.names if described else ()
    names = [*suggested, *[""] * (n_clusters - len(suggested))]
    known = [given.get(str(j)) or n for j, n in enumerate(names[:n_clusters])]
    return tuple(told_apart(known))


@atomic.explained()
def rename_subtype(run: str | Path, cluster: int, name: str) -> None:
    """Keep the user's name of a subtype with the run; an empty one brings the suggestion back."""
    folder = runs.run_folder(run)
    with unix.locked(paths.lock_file()):
        given = _given_names(folder) | {str(cluster): shorten(name, LONGEST_NAME)}
        atomic.write_json(folder / NAMES, {j: n for j, n in given.items() if n})


def rule_wish(run: str | Path) -> Wish:
    """What the run's bedside rule shall be; a damaged file means the defaults."""
    try:
        return from_plain(Wish, atomic.read_json(runs.run_folder(run) / RULE) or {})
    except ValueError:
        return Wish()


@atomic.explained()
def change_rule_wish(run: str | Path, **changes: Any) -> Wish:
    """Wish for another rule: the one there is goes, and `jobs.queue.complete` makes the new."""
    folder = runs.run_folder(run)
    with unix.locked(paths.lock_file()):
        wish = dataclasses.replace(rule_wish(run), **changes)
        atomic.write_json(folder / RULE, to_plain(wish))
        forget_part(folder, "bedside")
    return wish


def forget_part(folder: Path, name: str) -> None:
    """Take a part away, so that it is made anew."""
    if (folder / HOME / name).exists():
        atomic.remove(folder / HOME / name)


def _given_names(folder: Path) -> dict[str, str]:
    said = atomic.read_json(folder / NAMES)
    return {j: str(n) for j, n in said.items()} if isinstance(said, dict) else {}


def _without_arrays(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    """What JSON can hold; arrays are put aside under a number."""
    if isinstance(value, np.ndarray):
        key = str(len(arrays))
        arrays[key] = value
        return {"array": key}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {f.name: _without_arrays(getattr(value, f.name), arrays) for f in fields}
    if isinstance(value, tuple):
        return [_without_arrays(item, arrays) for item in value]
    return to_plain(value)


def _with_arrays(value: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    if isinstance(value, dict):
        if set(value) == {"array"}:
            return arrays[value["array"]]
        return {key: _with_arrays(item, arrays) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_arrays(item, arrays) for item in value]
    return value
