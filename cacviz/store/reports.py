"""What is handed over of a run: what was asked for, and the files that were made.

runs/01J…/report/report.json   what was asked for
                 status.json … of the job that makes it (states.py)
                 result/       sealed: the files
report.json                    which sections a report has on this computer, in which order
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cacviz.store import atomic, paths, runs, states, unix
from cacviz.store.records import from_plain, to_plain

HOME, ASKED, FORM, WANTED = "report", "report.json", "report.json", "wanted.json"


@dataclass(frozen=True, slots=True)
class Handover:
    """Which documents are wanted of a run, with which sections, and whether small counts show."""

    documents: tuple[str, ...]
    sections: tuple[str, ...] = ()
    hide: bool = True


def home_of(run: str | Path) -> Path:
    """The folder of a run's report, which is also that of the job that makes it."""
    return paths.private(runs.run_folder(run) / HOME)


@atomic.explained()
def ask(run: str | Path, wanted: Handover) -> Path:
    """Queue these documents in place of what was made before; `jobs.queue.tend` starts it."""
    home = home_of(run)
    with unix.locked(paths.lock_file()):
        if unix.alive(states.worker_of(home)):
            raise atomic.StoreError("A report of this run is being made. Wait for it, or stop it.")
        if (home / states.RESULT).exists():
            atomic.remove(home / states.RESULT)
        for name in (states.LOCK, states.STOP):
            (home / name).unlink(missing_ok=True)
        atomic.write_json(home / ASKED, to_plain(wanted))
        states.write_status(home, "queued")
    return home


def read_asked(home: Path) -> Handover:
    try:
        return from_plain(Handover, atomic.read_json(home / ASKED))
    except ValueError as error:
        raise atomic.StoreError("What this report should hold cannot be read.") from error


def made_files(run: str | Path) -> dict[str, int]:
    """The files that were made last, with their sizes."""
    manifest = atomic.read_manifest(runs.run_folder(run) / HOME / states.RESULT)
    return {} if manifest is None else {n: size for n, (_, size) in manifest.files.items()}


@atomic.explained()
def read_made(run: str | Path, name: str) -> bytes:
    return atomic.read_sealed(runs.run_folder(run) / HOME / states.RESULT, name)


def is_asked(run: str | Path) -> bool:
    """Whether a report of the run was ever asked for."""
    return (runs.run_folder(run) / HOME / ASKED).is_file()


def read_wanted(run: str | Path) -> tuple[str, ...]:
    """The documents that were picked for this run; empty where none were."""
    said = atomic.read_json(runs.run_folder(run) / HOME / WANTED)
    return tuple(map(str, said)) if isinstance(said, list) else ()


def change_wanted(run: str | Path, wanted: Sequence[str]) -> None:
    atomic.write_json(home_of(run) / WANTED, list(wanted))


def read_sections() -> tuple[str, ...]:
    """The sections that reports have on this computer, in their order; empty for all."""
    said = atomic.read_json(paths.data_dir() / FORM)
    return tuple(map(str, said)) if isinstance(said, list) else ()


def change_sections(wanted: Sequence[str]) -> None:
    atomic.write_json(paths.data_dir() / FORM, list(wanted))
