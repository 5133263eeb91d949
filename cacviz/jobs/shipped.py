"""A finished run of the demo that comes with the package, so that one click shows subtypes.

    python -m cacviz.jobs.shipped              # make it anew, after a change of the demo or of CAC
    python -m cacviz.jobs.shipped --complete   # add the insights that it lacks

It is an ordinary run in a zip file: what it holds was computed, and a test computes it again.
"""

from __future__ import annotations

import sys
import tempfile
import time
import zipfile
from dataclasses import replace
from pathlib import Path

from cacviz.jobs import queue
from cacviz.store import atomic, cohorts, ids, insights, paths, runs, unix
from cacviz.store.records import from_plain, to_plain

ARCHIVE = Path(__file__).parent / "demo_run.zip"
LEFT_OUT = {"worker.log", "lock.json", "status.json", "history.jsonl"}


@atomic.explained()
def take_over(cohort_id: str) -> str | None:
    """Put the shipped run into the store if it is a run of this very cohort; gives its id."""
    try:
        with zipfile.ZipFile(ARCHIVE) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile):
        return None
    asked = from_plain(runs.Asked, atomic.decode(contents[runs.RUN]))
    run_id = ids.new_id()
    taken = replace(asked, cohort_id=cohort_id, created=time.time())
    contents[runs.RUN] = atomic.encode(to_plain(taken))
    with unix.locked(paths.lock_file()):
        cohort = cohorts.describe_cohort(cohort_id)
        if (asked.cohort_name, asked.fingerprint) != (cohort.name, cohort.fingerprint):
            return None
        atomic.make_folder(paths.runs_dir() / run_id, contents)
    return run_id


def make(target: Path = ARCHIVE) -> None:
    """Run the demo as a click on Start would, with all insights, and pack it."""
    from cacviz.engine.cohorts.demo import make_demo
    from cacviz.engine.types import RunConfig

    run_id = queue.start_run(cohorts.save_cohort(make_demo()), RunConfig(), "Demo")
    list(queue.follow_run(run_id))
    while "coming" in insights.part_states(run_id).values():
        time.sleep(0.5)
    _pack(runs.run_folder(run_id), target)


def complete(target: Path = ARCHIVE) -> None:
    """Add the insights that the shipped run lacks; what it has stays as it is."""
    from cacviz.engine.cohorts.demo import make_demo

    run_id = take_over(cohorts.save_cohort(make_demo()))
    assert run_id is not None
    queue.complete(run_id)
    while "coming" in insights.part_states(run_id).values():
        queue.tend()
        time.sleep(0.5)
    with zipfile.ZipFile(target) as archive:
        first = archive.read(runs.RUN)
    _pack(runs.run_folder(run_id), target, {runs.RUN: first})


def _pack(folder: Path, target: Path, instead: dict[str, bytes] | None = None) -> None:
    """All of a run but what its worker left; without dates, so that it is the same file again."""
    found = [p for p in sorted(folder.rglob("*")) if p.is_file() and p.name not in LEFT_OUT]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in found:
            name = path.relative_to(folder).as_posix()
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, (instead or {}).get(name) or path.read_bytes())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        paths.use_data_dir(scratch)
        others = [word for word in sys.argv[1:] if word != "--complete"]
        (complete if "--complete" in sys.argv else make)(Path(others[0]) if others else ARCHIVE)
