"""What was computed about a cohort, kept beside it: its checks, its critical α, how long fits took.

cohorts/01J…/known.json    by kind and key; what is old makes room, and a damaged file is empty
known.json                 the same for this computer: seconds that methods took
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from cacviz.engine.types import Cohort
from cacviz.store import atomic, cohorts, paths, unix

KNOWN = "known.json"
MOST = 60  # of a kind


def recall(place: Path, kind: str, key: str) -> Any:
    """What was kept under a key, or None."""
    return _read(place).get(kind, {}).get(key)


def recall_all(place: Path, kind: str) -> dict[str, Any]:
    """Everything of a kind, the oldest first."""
    return dict(_read(place).get(kind, {}))


def remember(place: Path, kind: str, key: str, value: Any) -> None:
    """Keep a value; of a kind only the newest are kept.

    It is an aid and can be computed again: a disk that refuses it is no reason to end a job.
    """
    with suppress(OSError), unix.locked(paths.lock_file()):
        said = _read(place)
        kept = {k: v for k, v in said.get(kind, {}).items() if k != key}
        said[kind] = dict([*kept.items(), (key, value)][-MOST:])
        atomic.write_json(place, said, durable=False)


def check_key(cohort: Cohort) -> str:
    """What the checks of a cohort hang on: its fingerprint, labels and answered suspicions."""
    said = [(c.label, c.unit) for c in cohort.columns], sorted(cohort.choices.kept)
    return hashlib.sha256(f"{cohort.fingerprint}{said}".encode()).hexdigest()


def of_cohort(cohort_id: str) -> Path:
    return cohorts.cohort_folder(cohort_id) / KNOWN


def of_machine() -> Path:
    return paths.data_dir() / KNOWN


def _read(place: Path) -> dict[str, Any]:
    said = atomic.read_json(place)
    if not isinstance(said, dict):
        return {}
    return {kind: found for kind, found in said.items() if isinstance(found, dict)}
