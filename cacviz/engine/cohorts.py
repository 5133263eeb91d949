"""Makes cohorts: reads a file, gives each column its role, encodes the outcome."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np
import pandas as pd

from cacviz.engine.answers import YESNO
from cacviz.engine.exceptions import CohortError
from cacviz.engine.kinds import as_numbers, as_words, shorten
from cacviz.engine.levels import ordered_levels
from cacviz.engine.outcomes import encode_outcome
from cacviz.engine.reading import Table, read_table
from cacviz.engine.types import ROLES, Cohort, Column, Kind, Outcome, Remedy, Role

MOST_SHOWN = 4  # levels of a column in its description


def read_cohort(
    path: str | Path,
    *,
    outcome: str,
    cuts: Sequence[float] = (),
    quantiles: int = 0,
    id: str | None = None,
    drop: Sequence[str] = (),
    missing: Sequence[str] = (),
    sheet: str = "",
    roles: Mapping[str, Role] | None = None,
) -> Cohort:
    """Read a cohort from a file; dates and free text are left out, nothing else is decided.

    Of a spreadsheet the fullest sheet is read, or the one that `sheet` names.
    """
    path = Path(path)
    table = read_table(path, path.name, missing=missing, sheet=sheet)
    given: dict[str, Role] = {**dict.fromkeys(drop, "ignore"), **(roles or {})}
    if id:
        given[id] = "patient id"
    columns = _with_roles(first_columns(table), given)
    chosen = Outcome(outcome, tuple(float(c) for c in cuts), quantiles)
    return make_cohort(path.name, table.frame, columns, chosen)


def first_columns(table: Table) -> tuple[Column, ...]:
    """The roles a file starts with: dates and free text are left out, the rest are features."""
    return tuple(
        replace(c, role="ignore") if c.kind in ("date", "text") else c for c in table.columns
    )


def make_cohort(
    name: str, frame: pd.DataFrame, columns: Sequence[Column], outcome: Outcome | None
) -> Cohort:
    """A cohort with its outcome as class codes and a fingerprint of all that it holds."""
    absent = [shorten(c.name) for c in columns if c.name not in frame.columns]
    if absent:
        raise CohortError(f"The table lacks the columns {', '.join(absent[:8])}. Add them.")
    frame = frame[[c.name for c in columns]]
    columns = _with_outcome_role(tuple(columns), outcome)
    if outcome is None:
        y, classes = np.full(len(frame), -1, dtype=np.int64), tuple[str, ...]()
    else:
        y, classes = encode_outcome(frame[outcome.column], outcome)
    y.setflags(write=False)
    fingerprint = _fingerprint(frame, columns, outcome)
    return Cohort(name, frame, columns, outcome, y, classes, fingerprint)


def with_roles(cohort: Cohort, roles: Mapping[str, Role]) -> Cohort:
    """The same patients with other roles; making a column the outcome changes the outcome."""
    columns = _with_roles(cohort.columns, roles)
    outcome = cohort.outcome
    asked = [name for name, role in roles.items() if role == "outcome"]
    if asked and (outcome is None or outcome.column != asked[-1]):
        outcome = Outcome(asked[-1])
    elif outcome and roles.get(outcome.column, "outcome") != "outcome":
        outcome = None
    return make_cohort(cohort.name, cohort.frame, columns, outcome)


def with_outcome(cohort: Cohort, outcome: Outcome | None) -> Cohort:
    """The same patients with another outcome."""
    if outcome:
        _check_known([outcome.column], cohort.columns)
    return make_cohort(cohort.name, cohort.frame, cohort.columns, outcome)


def with_kinds(cohort: Cohort, kinds: Mapping[str, Kind]) -> Cohort:
    """The same patients with columns read another way, such as codes 1 to 4 as categories."""
    _check_known(kinds, cohort.columns)
    changed = {n: _converted(cohort.frame[n], kind) for n, kind in kinds.items()}
    columns = [replace(c, kind=kinds.get(c.name, c.kind)) for c in cohort.columns]
    return make_cohort(cohort.name, cohort.frame.assign(**changed), columns, cohort.outcome)


def with_missing(cohort: Cohort, codes: Mapping[str, str]) -> Cohort:
    """The same patients with a value of some columns taken as missing, such as a weight of 0."""
    _check_known(codes, cohort.columns)
    changed = {name: _without(cohort.frame[name], code) for name, code in codes.items()}
    columns = [
        replace(c, kind="yesno") if c.name in codes and _is_now_yesno(c, changed[c.name]) else c
        for c in cohort.columns
    ]
    outcome = cohort.outcome
    if outcome and outcome.positive and codes.get(outcome.column) == outcome.positive:
        outcome = replace(outcome, positive="")
    return make_cohort(cohort.name, cohort.frame.assign(**changed), columns, outcome)


def remedied(cohort: Cohort, remedy: Remedy) -> Cohort:
    """The cohort after a check's remedy; a new patient id takes the place of the old one."""
    if remedy.missing:
        return with_missing(cohort, dict.fromkeys(remedy.columns, remedy.missing))
    replaced = cohort.names("patient id") if remedy.role == "patient id" else []
    roles: dict[str, Role] = dict.fromkeys(replaced, "ignore")
    return with_roles(cohort, roles | dict.fromkeys(remedy.columns, remedy.role))


def with_labels(cohort: Cohort, labels: Mapping[str, tuple[str, str]]) -> Cohort:
    """The same patients with (label, unit) of some columns written out."""
    _check_known(labels, cohort.columns)
    columns = [
        replace(c, label=labels[c.name][0], unit=labels[c.name][1]) if c.name in labels else c
        for c in cohort.columns
    ]
    return make_cohort(cohort.name, cohort.frame, columns, cohort.outcome)


def describe(cohort: Cohort) -> pd.DataFrame:
    """A row a column: name, label, unit, kind, role, missing share, distinct values, examples."""
    rows = []
    for column in cohort.columns:
        values = cohort.frame[column.name]
        rows.append(
            {
                "name": column.name,
                "label": column.label,
                "unit": column.unit,
                "kind": column.kind,
                "role": column.role,
                "missing": float(values.isna().mean()) if len(values) else 0.0,
                "distinct": values.nunique(),
                "values": _example(values, column.kind),
            }
        )
    return pd.DataFrame(rows)


def _example(values: pd.Series, kind: Kind) -> str:
    values = values.dropna()
    if not len(values):
        return ""
    if kind == "number":
        low, middle, high = np.quantile(as_numbers(values), [0, 0.5, 1])
        return f"{_short(low)} to {_short(high)}, median {_short(middle)}"
    if kind == "date":
        return f"{values.min():%Y-%m-%d} to {values.max():%Y-%m-%d}"
    levels = ordered_levels(as_words(values).value_counts().to_dict())
    shown = ", ".join(shorten(level, 24) for level in levels[:MOST_SHOWN])
    return shown + (", …" if len(levels) > MOST_SHOWN else "")


def _short(number: float) -> str:
    """Four digits, and no powers of ten where a clinician would not write them: 152,214."""
    return f"{number:,.0f}" if 1000 <= abs(number) < 1e12 else f"{number:.4g}"


def _converted(values: pd.Series, kind: Kind) -> pd.Series:
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


def _without(values: pd.Series, code: str) -> pd.Series:
    gone = (as_words(values) == code).to_numpy(dtype=bool)
    if pd.api.types.is_numeric_dtype(values):
        return pd.Series(np.where(gone, np.nan, as_numbers(values)), values.index, name=values.name)
    return values.where(~gone)


def _is_now_yesno(column: Column, values: pd.Series) -> bool:
    return column.kind == "category" and {str(v).lower() for v in values.dropna().unique()} in YESNO


def _with_roles(columns: Sequence[Column], roles: Mapping[str, Role]) -> tuple[Column, ...]:
    _check_known(roles, columns)
    unknown = [r for r in roles.values() if r not in ROLES]
    if unknown:
        raise CohortError(f"'{shorten(unknown[0])}' is no role. Roles are: {', '.join(ROLES)}.")
    changed = [replace(c, role=roles.get(c.name, c.role)) for c in columns]
    ids = [c.name for c in changed if c.role == "patient id"]
    if len(ids) > 1:
        raise CohortError(
            f"{len(ids)} columns are patient ids ({', '.join(map(shorten, ids[:4]))}). Keep one "
            "and leave the others out."
        )
    return tuple(changed)


def _with_outcome_role(columns: tuple[Column, ...], outcome: Outcome | None) -> tuple[Column, ...]:
    """Exactly the outcome's column has that role; a column that had it is left out."""
    if outcome:
        _check_known([outcome.column], columns)
    name = outcome.column if outcome else None
    return tuple(
        replace(c, role="outcome")
        if c.name == name
        else replace(c, role="ignore")
        if c.role == "outcome"
        else c
        for c in columns
    )


def _check_known(names: Iterable[str], columns: Sequence[Column]) -> None:
    known = [c.name for c in columns]
    for name in names:
        if name in known:
            continue
        close = get_close_matches(name, known, n=3, cutoff=0.6)
        same = [k for k in known if k.casefold() == name.casefold()]
        hint = ", ".join(map(shorten, dict.fromkeys([*same, *close])))
        raise CohortError(
            f"There is no column '{shorten(name)}'. "
            + (f"Did you mean: {hint}?" if hint else f"It has {len(known)} others; check the name.")
        )


def _fingerprint(frame: pd.DataFrame, columns: tuple[Column, ...], outcome: Outcome | None) -> str:
    """sha256 of content, columns and outcome; the same on every machine."""
    digest = hashlib.sha256()
    about = {
        "rows": len(frame),
        "columns": [asdict(c) for c in columns],
        "outcome": asdict(outcome) if outcome else None,
    }
    digest.update(json.dumps(about, sort_keys=True, ensure_ascii=True).encode())
    for column in columns:
        for part in _bytes_of(frame[column.name]):
            digest.update(part)
    return digest.hexdigest()


def _bytes_of(values: pd.Series) -> Iterator[bytes]:
    if pd.api.types.is_numeric_dtype(values):
        numbers = values.to_numpy(dtype="<f8", na_value=np.nan) + 0.0  # -0.0 is 0.0
        numbers[np.isnan(numbers)] = np.nan  # one bit pattern for missing
        yield numbers.tobytes()
        return
    codes, distinct = pd.factorize(values)
    yield codes.astype("<i4").tobytes()
    for value in distinct:
        text = str(value).encode("utf-8", "surrogatepass")
        yield len(text).to_bytes(4, "little") + text
