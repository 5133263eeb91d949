"""Makes cohorts: a table and what was decided about it become patients, features and classes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.choosing import first_choices, settled, with_outcome, with_roles
from cacviz.engine.cohorts.outcomes import encode_outcome
from cacviz.engine.cohorts.subsets import mask_of
from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.digests import table_digest
from cacviz.engine.reading.kinds import as_numbers, as_words, shorten
from cacviz.engine.reading.tables import read_table
from cacviz.engine.types import Choices, Cohort, Column, Kind, Origin, Outcome, Role, Series, Table


def read_cohort(
    path: str | Path,
    *,
    outcome: str,
    missing: Sequence[str] = (),
    sheet: str = "",
    **decided: Any,
) -> Cohort:
    """Read a cohort from a file; dates and free text are left out, nothing else is decided.

    Of a spreadsheet the fullest sheet is read, or the one that `sheet` names. `decided` is as
    `decided_cohort` takes it: cuts, quantiles, id, drop, roles.
    """
    path = Path(path)
    table = read_table(path, path.name, missing=missing, sheet=sheet)
    return decided_cohort(path.name, table, outcome, **decided)


def decided_cohort(
    name: str,
    table: Table,
    outcome: str,
    *,
    cuts: Sequence[float] = (),
    quantiles: int = 0,
    id: str | None = None,
    drop: Sequence[str] = (),
    roles: Mapping[str, Role] | None = None,
) -> Cohort:
    """A cohort of a table that was read, with its outcome, its patient id and what is left out."""
    given: dict[str, Role] = {**dict.fromkeys(drop, "left out"), **(roles or {})}
    if id:
        given[id] = "patient id"
    choices = with_roles(first_choices(table.columns), given)
    chosen = Outcome(outcome, tuple(float(c) for c in cuts), quantiles)
    return cohort_of(name, table, with_outcome(choices, chosen))


def make_cohort(
    name: str,
    frame: pd.DataFrame,
    columns: Sequence[Column],
    outcome: Outcome | None,
    *,
    origin: Origin = "file",
) -> Cohort:
    """A cohort from a table that is at hand, its columns already as they shall be read."""
    absent = [shorten(c.name) for c in columns if c.name not in frame.columns]
    if absent:
        raise CohortError(f"The table lacks the columns {', '.join(absent[:8])}. Add them.")
    frame = frame[[c.name for c in columns]]
    table = Table(frame, tuple(columns), digest=table_digest(frame))
    return cohort_of(name, table, Choices(tuple(columns), outcome), origin=origin)


def cohort_of(
    name: str,
    table: Table,
    choices: Choices,
    *,
    origin: Origin = "file",
    before: Cohort | None = None,
) -> Cohort:
    """The cohort that these choices make of a table.

    `before`, a cohort of the same table, spares converting the columns that read as they did.
    """
    choices = settled(choices)
    frame = _frame(table, choices, before)
    if choices.outcome is None:
        y, classes = np.full(len(frame), -1, dtype=np.int64), tuple[str, ...]()
    else:
        y, classes = encode_outcome(frame[choices.outcome.column], choices.outcome)
    y.setflags(write=False)
    fingerprint = _fingerprint(table, choices)
    series = _series(table, choices, before)
    return Cohort(name, table, choices, frame, y, classes, fingerprint, origin, series)


def cohort_of_nobody(
    name: str, choices: Choices, classes: tuple[str, ...], fingerprint: str, origin: Origin
) -> Cohort:
    """The columns and classes of a cohort whose patients are elsewhere."""
    frame = pd.DataFrame({c.name: pd.Series(dtype="float64") for c in choices.columns})
    table, y = Table(frame, choices.columns), np.zeros(0, dtype=np.int64)
    return Cohort(name, table, choices, frame, y, classes, fingerprint, origin)


def changed(cohort: Cohort, change: Callable[..., Choices], *args: object) -> Cohort:
    """The same patients after a change of `choosing`: `changed(cohort, with_roles, {...})`."""
    return rechosen(cohort, change(cohort.choices, *args))


def rechosen(cohort: Cohort, choices: Choices) -> Cohort:
    """The same table with other choices."""
    return cohort_of(cohort.name, cohort.table, choices, origin=cohort.origin, before=cohort)


def _frame(table: Table, choices: Choices, before: Cohort | None) -> pd.DataFrame:
    """The table as the choices read it; what reads as in the table is not copied."""
    read = {c.name: c for c in table.columns}
    same_rows = before is not None and before.choices.subset == choices.subset
    known = {c.name: c for c in before.columns} if before is not None and same_rows else {}
    if before is not None and same_rows and all(_alike(known[c.name], c) for c in choices.columns):
        return before.frame
    converted = {
        c.name: _converted(table.frame[c.name], read[c.name].kind, c)
        for c in choices.columns
        if not _alike(read[c.name], c)
    }
    frame = table.frame.assign(**converted) if converted else table.frame
    if not choices.subset:
        return frame
    inside = mask_of(frame, choices.subset)
    if not inside.any():
        raise CohortError("No patient meets all these conditions. Widen one of them.")
    return frame[inside].reset_index(drop=True)


def _series(table: Table, choices: Choices, before: Cohort | None) -> Series | None:
    """The hourly series of the patients who meet the conditions, in the order of the frame."""
    if table.series is None or not choices.subset:
        return table.series
    if before is not None and before.choices.subset == choices.subset:
        return before.series
    whole = _frame(table, replace(choices, subset=()), None)
    return table.series.take(mask_of(whole, choices.subset))


def _alike(read: Column, column: Column) -> bool:
    """Whether two columns read the same values in the same way."""
    return all(getattr(read, f) == getattr(column, f) for f in ("kind", "missing", "levels"))


def _converted(values: pd.Series, read: Kind, column: Column) -> pd.Series:
    for code in column.missing:
        values = without_code(values, code)
    if column.levels:
        return named_levels(values, dict(column.levels))
    return values if column.kind == read else _as_kind(values, column.kind)


def named_levels(values: pd.Series, levels: Mapping[str, str]) -> pd.Series:
    """Codes by their names; a value that has none stays as it is."""
    words = as_words(values)
    named = words.map(levels)
    return named.where(named.notna() | words.isna(), words).astype("str")


def _as_kind(values: pd.Series, kind: Kind) -> pd.Series:
    if kind in ("category", "text", "yesno"):
        return as_words(values) if kind != "yesno" else values
    if kind == "date":
        converted = pd.to_datetime(values.astype("str"), errors="coerce", format="mixed")
    else:
        converted = pd.Series(as_numbers(values), index=values.index, name=values.name)
    lost = values.notna() & converted.isna()
    if lost.any():
        row = int(np.flatnonzero(lost.to_numpy())[0])
        what = "a date" if kind == "date" else "a number"
        raise CohortError(
            f"Column '{shorten(values.name)}' cannot be read as {kind}: row {row + 2:,} holds "
            f"{shorten(values.iloc[row])}, which is not {what}."
        )
    return converted


def without_code(values: pd.Series, code: str) -> pd.Series:
    """The values, missing where they are this code."""
    gone = (as_words(values) == code).to_numpy(dtype=bool)
    if pd.api.types.is_numeric_dtype(values):
        return pd.Series(np.where(gone, np.nan, as_numbers(values)), values.index, name=values.name)
    return values.where(~gone)


def _fingerprint(table: Table, choices: Choices) -> str:
    """sha256 of what a fit sees; neither labels, units nor answered suspicions change it."""
    seen = [asdict(replace(c, label="", unit="")) | {"missing": c.missing} for c in choices.columns]
    about = {
        "table": table.digest,
        "columns": seen,
        "outcome": asdict(choices.outcome) if choices.outcome else None,
        "subset": [asdict(c) for c in choices.subset],
    }
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
