"""A finished run of the demo that comes with the package, so that one click shows subtypes.

    python -m cacviz.runs.shipped      # make it anew, after a change of the demo or of CAC

It is an ordinary run in a zip file: what it holds was computed, and a test computes it again.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import zipfile
from dataclasses import replace
from pathlib import Path

from cacviz.runs import cohorts, control, files, insights, paths, store
from cacviz.runs.records import from_plain, to_plain

ARCHIVE = Path(__file__).parent / "demo_run.zip"
LEFT_OUT = {"worker.log", "lock.json"}


@files.plainly()
def take_over(cohort_id: str) -> str | None:
    """Put the shipped run into the store if it is a run of this very cohort; gives its id."""
    try:
        with zipfile.ZipFile(ARCHIVE) as archive:
            contents = {name: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile):
        return None
    asked = from_plain(store.Asked, json.loads(contents[store.RUN]))
    run_id = store.new_id()
    taken = replace(asked, cohort_id=cohort_id, created=time.time())
    contents[store.RUN] = files.encode(to_plain(taken))
    with files.locked(paths.lock_file()):
        cohort = cohorts.describe_cohort(cohort_id)
        if (asked.cohort_name, asked.fingerprint) != (cohort.name, cohort.fingerprint):
            return None
        files.make_folder(paths.runs_dir() / run_id, contents)
    return run_id


def make(target: Path = ARCHIVE) -> None:
    """Run the demo as a click on Start would, with all insights, and pack it."""
    from cacviz.engine.demo import make_demo
    from cacviz.engine.types import RunConfig

    run_id = control.start_run(cohorts.save_cohort(make_demo()), RunConfig(), "Demo")
    list(control.follow(run_id))
    while "coming" in insights.part_states(run_id).values():
        time.sleep(0.5)
    folder = store.run_folder(run_id)
    found = [p for p in sorted(folder.rglob("*")) if p.is_file() and p.name not in LEFT_OUT]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in found:
            name = path.relative_to(folder).as_posix()
            entry = zipfile.ZipInfo(name)  # no dates: the same run gives the same file
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        paths.use_data_dir(scratch)
        make(Path(sys.argv[1]) if len(sys.argv) > 1 else ARCHIVE)
