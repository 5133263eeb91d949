"""What comparisons and sweeps share on disk: a queued folder, its id checked, what was asked."""

from __future__ import annotations

import time
from collections.abc import Sized
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from cacviz.store import atomic, ids, states
from cacviz.store.records import from_plain, to_plain

Asked = TypeVar("Asked")


class Kind(NamedTuple):
    """The file that says what was asked, and what a person calls it."""

    file: str
    word: str


def about(cohort_id: str, name: str, seen: Any) -> dict[str, Any]:
    """What is written down of the cohort that is asked about: what was decided, as of now."""
    kept = ("choices", "classes", "fingerprint")
    decided = {field: getattr(seen, field) for field in kept}
    return {"cohort_id": cohort_id, "cohort_name": name, "created": time.time(), **decided}


def queue_folder(folder: Path, kind: Kind, asked: Any) -> None:
    """A new folder that waits for a worker; the caller holds the store's lock."""
    queued = {"state": "queued", "message": "", "since": asked.created}
    contents = {kind.file: atomic.encode(to_plain(asked)), states.STATUS: atomic.encode(queued)}
    atomic.make_folder(folder, contents)


def folders_in(parent: Path) -> list[Path]:
    """Every folder, the oldest first."""
    return sorted(f for f in parent.iterdir() if not f.name.startswith("."))


def folder_of(parent: Path, job_id: str, kind: Kind) -> Path:
    """The folder of an id, which may come from an address bar and is checked as such."""
    if not ids.is_id(job_id):
        raise atomic.StoreError(f"This is not the name of a {kind.word}.")
    folder = parent / job_id
    if not (folder / kind.file).is_file():
        raise atomic.StoreError(f"This {kind.word} is not here any more.")
    return folder


def read_as(type_: type[Asked], folder: Path, kind: Kind) -> Asked:
    """What was asked when the folder was made."""
    try:
        return from_plain(type_, atomic.decode((folder / kind.file).read_bytes()))
    except ValueError as error:
        said = f"'{folder.name}/{kind.file}' is damaged. Start the {kind.word} anew."
        raise atomic.StoreError(said) from error


def check_whole(rows: Sized, total: int) -> None:
    """Say that fits are missing before anything is called complete."""
    missing = total - len(rows)
    if missing > 0:
        raise atomic.StoreError(
            f"{missing} of {total} fits could not be kept. Resume does them again."
        )
