"""At the start of the app: take away what crashes left half-written."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from cacviz.store import atomic, cohorts, kernels, paths, runs, states
from cacviz.store.unix import alive


@atomic.explained()
def sweep() -> int:
    """Remove what crashes left half-written, anywhere in the data folder; how many things.

    With it go tables without a cohort and kernels of old versions. What a living process is
    writing stays.
    """
    for folder in runs.run_folders():
        if not alive(states.worker_of(folder)) and states.progress_of(folder).state == "done":
            for aid in (states.CHECKPOINT, runs.RESERVE):
                (folder / aid).unlink(missing_ok=True)
    for old in (*kernels.old_kernels(), paths.data_dir() / "numba"):  # nothing there is ever run
        shutil.rmtree(old, ignore_errors=True)
    places = [Path(place) for place, _, _ in os.walk(paths.data_dir())]
    return sum(atomic.sweep(place) for place in places) + cohorts.sweep_tables()
