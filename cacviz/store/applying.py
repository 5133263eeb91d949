"""Stored runs applied to other patients: by id, or by the folder that a run was exported to."""

from __future__ import annotations

import math
from pathlib import Path

from cacviz.engine.insights.elsewhere.types import Home
from cacviz.engine.running.applying.predicting import Instrument
from cacviz.store import atomic, ids, runs, sweeps


@atomic.explained()
def load_instrument(run: str | Path) -> Instrument:
    """Model, preparation and what they were made with: all that speaks of a new patient."""
    folder = runs.run_folder(run)
    asked, stored = runs.read_asked(folder), runs.load_model(folder)
    return Instrument(
        asked.config,
        asked.choices,
        asked.classes,
        asked.threads,
        stored.preparation,
        stored.model,
    )


@atomic.explained()
def load_home(run: str | Path) -> Home:
    """What a run found where it was made, with its patients if they are in this store."""
    found = runs.load_run(run)
    try:
        cohort = runs.cohort_of_run(found.asked)
    except atomic.StoreError:
        cohort = None  # the run was exported to where its patients are not
    return Home(found.summary, found.clusters, found.part, cohort, _structure(run))


def _structure(run: str | Path) -> float:
    """What the run's check says of more than one cloud; NaN where there is no check to read."""
    try:
        checked = sweeps.load_stability(run)
    except (OSError, ValueError, atomic.StoreError):
        return math.nan
    return math.nan if checked is None else checked.structure.p


def find_run(named: str) -> str | Path:
    """A run by the folder it was exported to, or by its id in the store."""
    folder = Path(named).expanduser()
    if (folder / runs.RUN).is_file():
        return folder
    if ids.is_id(named):
        runs.run_folder(named)
        return named
    if folder.exists():
        raise atomic.StoreError(
            f"'{named}' holds no run. Name a folder that `cacviz fit --out` has written, or the "
            "id of a run."
        )
    raise atomic.StoreError(
        f"There is no folder '{named}', and no run has that id. `cacviz fit --out` writes such a "
        "folder."
    )
