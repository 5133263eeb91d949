"""What the user says of a cohort's treatments: were they randomised?

cohorts/01J…/treatments.json    by column: true, false
"""

from __future__ import annotations

from cacviz.store import atomic, cohorts, paths, unix

FILE = "treatments.json"


def randomised(cohort_id: str, column: str) -> bool | None:
    """What was said; None where nothing was."""
    said = atomic.read_json(cohorts.cohort_folder(cohort_id) / FILE)
    found = said.get(column) if isinstance(said, dict) else None
    return found if isinstance(found, bool) else None


@atomic.explained()
def say_randomised(cohort_id: str, column: str, answer: bool) -> None:
    """Keep the answer with the cohort."""
    place = cohorts.cohort_folder(cohort_id) / FILE
    with unix.locked(paths.lock_file()):
        said = atomic.read_json(place)
        known = said if isinstance(said, dict) else {}
        atomic.write_json(place, known | {column: answer})
