"""Cohorts on disk: a table that never changes, and beside it what was decided about it.

cohorts/01J…/cohort.json    name, table, how it was read, choices, what was done: replaced whole
tables/<digest>.parquet     the table as it was read, once for each content
tables/<digest>.series      the hourly series of its patients, where it was made from records
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints

from cacviz.engine.cohorts.choosing import can_undo, changes_between, undone
from cacviz.engine.cohorts.making import cohort_of, rechosen
from cacviz.engine.types import Change, Choices, Cohort, Column, Origin, Outcome, Step
from cacviz.store import atomic, ids, paths, records, tables, unix
from cacviz.store.records import from_plain, to_plain
from cacviz.store.tables import TableRecord

COHORT = "cohort.json"
MOST_STEPS = 200
GONE = "This cohort is not stored here any more. Open it again."


@dataclass(frozen=True, slots=True)
class CohortRecord:
    """All that is stored of a cohort but its patients."""

    name: str
    origin: Origin
    table: TableRecord
    choices: Choices
    classes: tuple[str, ...]
    n_patients: int
    fingerprint: str
    created: float  # seconds since 1970, UTC
    changed: float
    revision: int = 0
    steps: tuple[Step, ...] = ()
    n_people: int = 0  # different patients; 0 where an older version did not count them


@dataclass(frozen=True, slots=True)
class CohortRow:
    """A stored cohort as a list shows it, without its patients."""

    id: str
    record: CohortRecord

    @property
    def name(self) -> str:
        return self.record.name

    @property
    def n_patients(self) -> int:
        return self.record.n_patients

    @property
    def n_people(self) -> int:
        return self.record.n_people

    @property
    def choices(self) -> Choices:
        return self.record.choices

    @property
    def outcome(self) -> Outcome | None:
        return self.record.choices.outcome

    @property
    def classes(self) -> tuple[str, ...]:
        return self.record.classes

    @property
    def fingerprint(self) -> str:
        return self.record.fingerprint

    @property
    def created(self) -> float:
        return self.record.created

    @property
    def has_series(self) -> bool:
        return self.record.table.flow is not None


@atomic.explained()
def add_cohort(cohort: Cohort) -> str:
    """Keep a cohort of its own, whatever else is stored of its table; its id."""
    table, read = cohort.table, tables.record_of(cohort.table)
    now = time.time()
    record = CohortRecord(
        name=cohort.name,
        origin=cohort.origin,
        table=read,
        choices=cohort.choices,
        classes=cohort.classes,
        n_patients=cohort.n_patients,
        n_people=cohort.n_people,
        fingerprint=cohort.fingerprint,
        created=now,
        changed=now,
    )
    cohort_id = ids.new_id()
    with unix.locked(paths.lock_file()):
        tables.keep_table(table.frame, table.digest, table.series)
        contents = {COHORT: atomic.encode(to_plain(record))}
        atomic.make_folder(paths.cohorts_dir() / cohort_id, contents)
    return cohort_id


def save_cohort(cohort: Cohort) -> str:
    """The id under which just this cohort is stored; it is kept if it is not."""
    same = [r for r in cohorts_of_table(cohort.table.digest) if r.name == cohort.name]
    return _kept(cohort, [r.id for r in same if r.fingerprint == cohort.fingerprint])


def home_of(cohort: Cohort) -> str:
    """The cohort that a run of this one belongs to: the same, else one of the same table.

    A run keeps its own choices, so that other outcomes of a file are runs of one cohort.
    """
    same = [r for r in cohorts_of_table(cohort.table.digest) if r.name == cohort.name]
    alike = [r.id for r in same if r.fingerprint == cohort.fingerprint]
    return _kept(cohort, [*alike, *(r.id for r in same)])


@atomic.explained()
def _kept(cohort: Cohort, known: list[str]) -> str:
    """The first of those that are stored, its table mended where it was damaged; else a new one."""
    if not known:
        return add_cohort(cohort)
    with unix.locked(paths.lock_file()):
        tables.keep_table(cohort.table.frame, cohort.table.digest, cohort.table.series)
    return known[0]


@atomic.explained()
def load_cohort(cohort_id: str, choices: Choices | None = None) -> Cohort:
    """The cohort as it is today, or as these choices make it: a run has its own."""
    record = read_record(cohort_folder(cohort_id))
    table = tables.load_table(record.table, record.name)
    chosen = record.choices if choices is None else choices
    return cohort_of(record.name, table, chosen, origin=record.origin)


@atomic.explained()
def change_cohort(cohort_id: str, change: Callable[[Choices], Choices], held: Cohort) -> Cohort:
    """Decide something about a stored cohort, note the step, and give the cohort after it.

    The change is made to what is stored, which another window may have changed meanwhile; `held`
    spares reading the table. What cannot be is refused by a CohortError and nothing is changed.
    """
    folder = cohort_folder(cohort_id)
    with unix.locked(paths.lock_file()):
        record = read_record(folder)
        choices = change(record.choices)
        after = rechosen(held, choices)
        changes = changes_between(record.choices, after.choices)
        if changes:
            _write(folder, record, after, (*record.steps, Step(time.time(), changes)))
    return after


@atomic.explained()
def undo_step(cohort_id: str, when: float, held: Cohort) -> Cohort:
    """Take one step back, unless what it decided was decided anew since."""
    folder = cohort_folder(cohort_id)
    with unix.locked(paths.lock_file()):
        record = read_record(folder)
        step = next((s for s in steps_of(record) if s.when == when), None)
        if step is None or not can_undo(record.choices, step):
            return rechosen(held, record.choices)
        after = rechosen(held, undone(record.choices, step))
        _write(folder, record, after, tuple(s for s in record.steps if s.when != when))
    return after


def _write(folder: Path, record: CohortRecord, after: Cohort, steps: tuple[Step, ...]) -> None:
    record = replace(
        record,
        choices=after.choices,
        classes=after.classes,
        n_patients=after.n_patients,
        n_people=after.n_people,
        fingerprint=after.fingerprint,
        changed=time.time(),
        revision=record.revision + 1,
        steps=steps[-MOST_STEPS:],
    )
    atomic.write_json(folder / COHORT, to_plain(record))


@atomic.explained()
def rename_cohort(cohort_id: str, name: str) -> None:
    """Call a cohort something else; runs keep the name they were made under."""
    folder = cohort_folder(cohort_id)
    with unix.locked(paths.lock_file()):
        record = read_record(folder)
        changed = replace(record, name=name, revision=record.revision + 1)
        atomic.write_json(folder / COHORT, to_plain(changed))


@atomic.explained()
def list_cohorts() -> list[CohortRow]:
    """Every stored cohort, the newest first; a damaged one is passed over."""
    return [row for folder in reversed(_folders()) if (row := _row(folder)) is not None]


def cohorts_of_table(digest: str) -> list[CohortRow]:
    """Cohorts that were made of this very table, the newest first."""
    return [row for row in list_cohorts() if row.record.table.digest == digest]


def describe_cohort(cohort_id: str) -> CohortRow:
    """One stored cohort, without its patients."""
    return CohortRow(cohort_id, read_record(cohort_folder(cohort_id)))


def remove_cohort(cohort_id: str) -> None:
    """Take the cohort away for good, and its table unless another cohort shares it.

    Runs made from it are the caller's: `jobs.queue.delete_cohort` takes them too.
    """
    folder = cohort_folder(cohort_id)
    with unix.locked(paths.lock_file()):
        atomic.remove(folder)
        _remove_unshared()


def sweep_tables() -> int:
    """Remove tables that no cohort has, as a crash between the two leaves; how many."""
    with unix.locked(paths.lock_file()):  # else a table may be there just ahead of its cohort
        whole = all(_row(folder) is not None for folder in _folders())
        return _remove_unshared() if whole else 0  # a damaged cohort may yet be mended


def _remove_unshared() -> int:
    return tables.remove_unshared({row.record.table.digest for row in list_cohorts()})


def read_record(folder: Path) -> CohortRecord:
    """What is stored of a cohort but its patients; its steps are typed by `steps_of`."""
    try:
        return records.read_record(CohortRecord, folder / COHORT)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise atomic.StoreError(GONE) from error


def steps_of(record: CohortRecord) -> tuple[Step, ...]:
    """What was done, with values of the types of their fields."""
    return tuple(_typed_step(step) for step in record.steps)


def _typed_step(step: Step) -> Step:
    return replace(step, changes=tuple(_typed_change(change) for change in step.changes))


def _typed_change(change: Change) -> Change:
    """A change whose values have the type of the field that they are of."""
    hints = get_type_hints(Column if change.column else Choices)
    kind: Any = hints[change.field]
    before, after = (from_plain(kind, value) for value in (change.before, change.after))
    return replace(change, before=before, after=after)


def cohort_folder(cohort_id: str) -> Path:
    """The folder of an id, which may come from an address bar and is checked as such."""
    if not ids.is_id(cohort_id):
        raise atomic.StoreError("This is not the name of a stored cohort.")
    return paths.cohorts_dir() / cohort_id


def _folders() -> list[Path]:
    """Every cohort's folder, the oldest first; a hidden one is still being written, or was."""
    return sorted(f for f in paths.cohorts_dir().iterdir() if not f.name.startswith("."))


def _row(folder: Path) -> CohortRow | None:
    try:
        return CohortRow(folder.name, read_record(folder))
    except (OSError, atomic.StoreError):
        return None
