"""Which jobs there are in a data folder, and which of them wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cacviz.store import insights, paths, reports, runs, states, studies, sweeps, validations, wards

INNER = (insights.HOME, reports.HOME)  # jobs inside the folder of a run


def everywhere(find: Callable[[], list[Path]]) -> list[tuple[Path, Path]]:
    """What `find` finds in every data folder that shares this machine, with its folder."""
    found = []
    for place in wards.data_dirs():
        with paths.within(place):
            found += [(place, folder) for folder in find()]
    return found


def all_jobs() -> list[Path]:
    """Every job's folder; the insights and the report of a run are jobs of their own."""
    made = runs.run_folders()
    homes = [f / name for f in made for name in INNER if (f / name / states.LOCK).exists()]
    return [*made, *homes, *_others()]


def queued_jobs() -> list[Path]:
    """Jobs that wait."""
    homes = [f / name for f in runs.run_folders() for name in INNER]
    found = [*runs.run_folders(), *homes, *_others()]
    return [folder for folder in found if waits(folder)]


def waits(folder: Path) -> bool:
    said = states.read_status(folder).get("state") == "queued"
    return said and states.progress_of(folder).state == "queued"


def since(folder: Path) -> float:
    """Since when a job waits."""
    said = states.read_status(folder).get("since")
    return said if isinstance(said, (int, float)) else 0.0


def _others() -> list[Path]:
    """Jobs that are neither runs nor their insights."""
    kinds = (studies.study_folders, sweeps.sweep_folders, validations.validation_folders)
    return [folder for folders in kinds for folder in folders()]
