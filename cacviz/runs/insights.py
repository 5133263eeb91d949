"""What was learned from a run, kept beside its result: a sealed folder a part.

runs/01J…/insights/described/  profiles, tests, names, survival      silhouettes/  by patient
                  students/    risk factors, SHAP values             map/          positions
          names.json           what the user calls the subtypes
Parts appear one by one, the map last. `python -m cacviz.runs.insights RUN_DIR` makes those that
are missing, for a run whose worker was ended before it came to them.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

from cacviz.engine.insights.making import STEPS, insight_steps
from cacviz.engine.insights.names import told_apart
from cacviz.engine.insights.types import Described, Insights, PatientMap, Silhouettes, Students
from cacviz.engine.kinds import shorten
from cacviz.engine.notes import subtype_name
from cacviz.engine.types import Cohort, FittedRun
from cacviz.runs import cohorts, environment, files, models, paths, states, store
from cacviz.runs.processes import alive, mark_of, my_mark, spawn
from cacviz.runs.records import from_plain, to_plain

INSIGHTS, NAMES, LOG = "insights", "names.json", "worker.log"
PART, ARRAYS = "part.json", "arrays.safetensors"
KINDS = {
    "described": Described,
    "silhouettes": Silhouettes,
    "students": Students,
    "map": PatientMap,
}
VERSION = 1  # of what parts hold; those of another version count as missing and can be remade
LONGEST_NAME = 60
PartState = Literal["ready", "coming", "failed", "missing"]


def make_parts(
    folder: Path,
    cohort: Cohort,
    fitted: FittedRun,
    *,
    log: Callable[[BaseException], None] = lambda error: None,
) -> None:
    """Compute and seal each part that is not there yet; a part that fails spoils no other."""
    home = paths.private(folder / INSIGHTS)
    files.sweep(home)
    for name in STEPS:
        if _is_there(home, name):
            continue
        try:
            for _, part in insight_steps(cohort, fitted, only=(name,)):
                save_part(folder, name, part)
        except Exception as error:
            log(error)
            files.write_json(home / f"{name}.failed", {"message": _apology(error)})


def _apology(error: Exception) -> str:
    return (
        f"This part could not be computed ({type(error).__name__}). The log in the run's folder "
        "says where; the run itself is intact."
    )


def save_part(folder: Path, name: str, part: Any) -> None:
    """Seal one part; `part` is None where it does not apply to the run."""
    arrays: dict[str, np.ndarray] = {}
    plain = _without_arrays(part, arrays)
    contents = {PART: files.encode(plain), ARRAYS: models.pack_arrays(arrays)}
    home = paths.private(folder / INSIGHTS)
    files.seal_folder(home / name, contents, {"part": name, "version": VERSION})
    (home / f"{name}.failed").unlink(missing_ok=True)


@files.plainly()
def load_part(run: str | Path, name: str) -> Any:
    """One part as it was made, or None where it is not there or does not apply."""
    folder = store.run_folder(run) / INSIGHTS / name
    if not _is_there(folder.parent, name):
        return None
    plain = json.loads(files.read_sealed(folder, PART))
    arrays = models.unpack_arrays(files.read_sealed(folder, ARRAYS))
    return None if plain is None else from_plain(KINDS[name], _with_arrays(plain, arrays))


def load_insights(run: str | Path) -> Insights:
    """All parts that are there."""
    return Insights(**{name: load_part(run, name) for name in STEPS})


def part_states(run: str | Path) -> dict[str, PartState]:
    """How it stands with each part; `complete` makes 'missing' and 'failed' ones."""
    folder = store.run_folder(run)
    working = alive(states.worker_of(folder))
    return {name: _part_state(folder / INSIGHTS, name, working) for name in STEPS}


def _is_there(home: Path, name: str) -> bool:
    manifest = files.read_manifest(home / name)
    return manifest is not None and manifest.about.get("version") == VERSION


def _part_state(home: Path, name: str, working: bool) -> PartState:
    if _is_there(home, name):
        return "ready"
    if (home / f"{name}.failed").exists():
        return "failed"
    return "coming" if working else "missing"


@files.plainly()
def complete(run_id: str) -> None:
    """Start a process that makes the parts that are missing or failed, unless one is at work."""
    folder = store.run_folder(run_id)
    with files.locked(paths.lock_file()):
        if alive(states.worker_of(folder)) or files.read_manifest(folder / states.RESULT) is None:
            return
        for name in STEPS:  # what failed is tried again
            (folder / INSIGHTS / f"{name}.failed").unlink(missing_ok=True)
        env = environment.worker_env(store.read_asked(folder).threads)
        pid = spawn("cacviz.runs.insights", str(folder), log=folder / LOG, env=env)
        states.write_worker(folder, mark_of(pid))


def failure(run: str | Path, name: str) -> str:
    """Why a part could not be computed."""
    said = files.read_json(store.run_folder(run) / INSIGHTS / f"{name}.failed")
    return said["message"] if isinstance(said, dict) else ""


def subtype_names(
    run: str | Path, n_clusters: int, suggested: tuple[str, ...] | None = None
) -> tuple[str, ...]:
    """What each subtype is called: by the user, else as suggested, else by its number; all differ.

    `suggested` spares reading the profiles where they are at hand.
    """
    given = _given_names(store.run_folder(run))
    if suggested is None:
        described = load_part(run, "described")
        suggested = described.names if described else ()
    names = [*suggested, *(subtype_name(j) for j in range(len(suggested), n_clusters))]
    return tuple(told_apart(given.get(str(j)) or n for j, n in enumerate(names[:n_clusters])))


@files.plainly()
def rename_subtype(run: str | Path, cluster: int, name: str) -> None:
    """Keep the user's name of a subtype with the run; an empty one brings the suggestion back."""
    folder = store.run_folder(run)
    with files.locked(paths.lock_file()):
        given = _given_names(folder) | {str(cluster): shorten(name, LONGEST_NAME)}
        files.write_json(folder / NAMES, {j: n for j, n in given.items() if n})


def _given_names(folder: Path) -> dict[str, str]:
    said = files.read_json(folder / NAMES)
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


def main(arguments: list[str]) -> None:
    """Make the missing parts of the run in the folder given; what goes wrong is for the log."""
    from cacviz.runs.worker import log_error

    try:
        _make_missing(Path(arguments[0]).absolute(), log_error)
    except Exception as error:
        log_error(error)
        raise SystemExit(1) from None


def _make_missing(folder: Path, log: Callable[[BaseException], None]) -> None:
    paths.use_data_dir(folder.parent.parent)
    with files.locked(paths.lock_file()):
        mark = states.worker_of(folder)
        if mark != my_mark() and alive(mark):
            return
        states.write_worker(folder, my_mark())
    environment.limit_this_process()
    run, model = store.load_run(folder), store.load_model(folder)
    cohort = cohorts.load_cohort(run.asked.cohort_id)
    fitted = FittedRun(
        run.summary, run.part, run.clusters, run.proba, run.map2d, model.preparation, model.model
    )
    make_parts(folder, cohort, fitted, log=log)


if __name__ == "__main__":
    main(sys.argv[1:])
