"""Looks for what would make a result wrong or empty: each finding with its remedies."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.choosing import (
    UNUSED_KINDS,
    with_kept,
    with_kinds,
    with_missing,
    with_one_spelling,
    with_roles,
)
from cacviz.engine.cohorts.column_checks import (
    column_findings,
    leave_out,
    spelling_findings,
    treatment_findings,
)
from cacviz.engine.cohorts.joint import joint_note
from cacviz.engine.cohorts.leaking.follow_up_pair import time_and_event
from cacviz.engine.cohorts.leaking.short_stays import short_stays
from cacviz.engine.cohorts.leaks import Suspicion, late_dates, missing_signs, suspicions
from cacviz.engine.cohorts.making import rechosen
from cacviz.engine.reading.answers import YESNO, is_unknown
from cacviz.engine.reading.kinds import as_numbers
from cacviz.engine.reading.levels import spellings
from cacviz.engine.scoring.resampling import ENOUGH_EVENTS
from cacviz.engine.types import Check, Choices, Cohort, Column, Note, Remedy, Role

FEW = 10  # patients of a class below which nothing can be said about it
PER_FEATURE = 10
HELD_OUT = 0.25  # of the patients: see preparation.splits
ORDER = (
    *("unknown outcome", "too few of a class", "follow-up", "leak", "doubt", "few of a class"),
    "short stays",
    *("tells the treatment", "id-like"),
    *(
        "repeated patients",
        "identical rows",
        "missing outcome",
        "few patients per feature",
        "dates",
        "text",
    ),
    *("near-unique", "all missing", "constant", "duplicate columns", "possible missing code"),
    *("spelling", "codes", "missing not at random", "left out"),
)
QUESTIONS = ("id-like", "possible missing code", "codes")
_UNKNOWN_CODES = {"9", "99", "999", "-1", "-9", "-99", "-999"}
KEEP = Remedy(keep=True)


def check_cohort(cohort: Cohort) -> tuple[Check, ...]:
    """All findings, the grave ones first; what the user has answered is a hint."""
    suspected = suspicions(cohort)
    findings = [check for look in _LOOKS for check in look(cohort)]
    findings += leak_checks(cohort, suspected)
    findings += _missing_checks(cohort, suspected)
    findings += [*column_findings(cohort), *spelling_findings(cohort)]
    findings += treatment_findings(cohort)
    ranked = [_answered(cohort, check) for check in findings]
    severities = ("grave", "warning", "hint")
    return tuple(
        sorted(ranked, key=lambda c: (severities.index(c.note.severity), ORDER.index(c.code)))
    )


def is_kept(cohort: Cohort, code: str, columns: Sequence[str]) -> bool:
    """Whether the user has looked at this suspicion of these columns and keeps them."""
    return bool(columns) and all((code, name) in cohort.choices.kept for name in columns)


def _answered(cohort: Cohort, check: Check) -> Check:
    if not is_kept(cohort, key_of(check), check.columns):
        return check
    values = {**check.note.values, "kept": True}
    return replace(check, note=replace(check.note, severity="hint", values=values))


def key_of(check: Check) -> str:
    """What a suspicion is kept under: a leak by its family."""
    return str(check.note.values.get("code", check.code))


def leak_notes(cohort: Cohort, rows: np.ndarray | None = None) -> list[Note]:
    """What a run must say of features that may tell the outcome: a note a family."""
    checks = [_answered(cohort, c) for c in leak_checks(cohort, suspicions(cohort, rows), rows)]
    return [check.note for check in checks]


def open_notes(cohort: Cohort) -> list[Note]:
    """What the user was asked about single columns and has not answered: a run goes on with it."""
    found = [c for c in column_findings(cohort) if c.code in QUESTIONS]
    found += [*_check_duplicates(cohort), *short_stays(cohort)]
    checks = [_answered(cohort, c) for c in found]
    return [
        replace(c.note, values={**c.note.values, "columns": list(c.columns)})
        for c in checks
        if not c.note.values.get("kept")
    ]


def leak_checks(
    cohort: Cohort, suspected: Sequence[Suspicion], rows: np.ndarray | None = None
) -> Iterator[Check]:
    """Suspicions of one kind together, and what the features tell jointly."""
    for code in dict.fromkeys(s.code for s in suspected):
        found = [s for s in suspected if s.code == code]
        columns = tuple(s.column for s in found)
        values = {"code": code, "columns": columns, "each": [s.values for s in found]}
        note = Note("leak", found[0].severity, values | {"kept": False})
        yield Check(note, columns, (leave_out(columns), KEEP))
    for note in joint_note(cohort, rows):
        column = (note.values["column"],)
        yield Check(note, column, (leave_out(column), KEEP))


def _missing_checks(cohort: Cohort, suspected: Sequence[Suspicion]) -> Iterator[Check]:
    names = missing_signs(cohort, {s.column for s in suspected})
    if names:
        yield Check(Note("missing not at random", "hint"), tuple(names))


def remedied(cohort: Cohort, check: Check, remedy: Remedy) -> Choices:
    """The choices after a remedy; a column left with yes and no only is read as such."""
    choices, columns = cohort.choices, remedy.columns or check.columns
    if remedy.keep:
        return with_kept(choices, key_of(check), columns)
    if remedy.kind:
        return with_kinds(choices, dict.fromkeys(columns, remedy.kind))
    if remedy.missing:
        changed = with_missing(choices, dict.fromkeys(columns, remedy.missing))
        return _with_yesno(cohort, changed, columns)
    if remedy.spelling:
        found = {name: spellings(cohort.frame[name]) for name in columns}
        return _with_yesno(cohort, with_one_spelling(choices, found), columns)
    if remedy.roles:
        return with_roles(choices, dict(zip(columns, remedy.roles, strict=True)))
    assert remedy.role is not None
    roles: dict[str, Role] = dict.fromkeys(columns, remedy.role)
    return with_roles(choices, roles)


def _with_yesno(cohort: Cohort, changed: Choices, columns: Sequence[str]) -> Choices:
    frame = rechosen(cohort, replace(changed, outcome=None)).frame
    names = [c.name for c in changed.columns if c.name in columns and _is_yesno(c, frame)]
    return with_kinds(changed, dict.fromkeys(names, "yesno"))


def _is_yesno(column: Column, frame: pd.DataFrame) -> bool:
    levels = {str(v).lower() for v in frame[column.name].dropna().unique()}
    return column.kind == "category" and levels in YESNO


def _check_classes(cohort: Cohort) -> Iterator[Check]:
    if not cohort.classes or cohort.outcome is None:
        return
    counts = np.bincount(cohort.y[cohort.y >= 0], minlength=len(cohort.classes))
    name = cohort.outcome.column
    for class_name, count in zip(cohort.classes, counts, strict=True):
        if count < FEW:
            values = {"outcome": name, "class": class_name, "n": int(count)}
            yield Check(
                Note("too few of a class", "grave", values), (name,), _without(cohort, class_name)
            )
    rarest = int(np.argmin(counts))
    if FEW <= counts[rarest] < ENOUGH_EVENTS:
        values = {"outcome": name, "class": cohort.classes[rarest], "n": int(counts[rarest])}
        values |= {"held_out": int(counts[rarest] * HELD_OUT), "needed": ENOUGH_EVENTS}
        yield Check(Note("few of a class", values=values), (name,))
    gone = int(np.sum(cohort.y < 0))
    if gone:
        values = {"outcome": name, "n": gone, "of": cohort.n_patients}
        yield Check(Note("missing outcome", "hint", values), (name,))


def _without(cohort: Cohort, class_name: str) -> tuple[Remedy, ...]:
    """To leave out the patients of a class, where two classes are left."""
    outcome = cohort.outcome
    if outcome is None or outcome.cuts or outcome.quantiles or len(cohort.classes) < 3:
        return ()
    return (Remedy((outcome.column,), missing=class_name),)


def _check_unknown(cohort: Cohort) -> Iterator[Check]:
    """A class such as Unknown or 9, which is no outcome but the want of one."""
    outcome = cohort.outcome
    if outcome is None or outcome.cuts or outcome.quantiles:
        return
    for code, name in enumerate(cohort.classes):
        others = [c for c in cohort.classes if c != name]
        is_code = name in _UNKNOWN_CODES and len(others) == 2 and set(others) <= {"0", "1", "2"}
        if not is_unknown(name) and not is_code:
            continue
        n = int(np.sum(cohort.y == code))
        values = {"outcome": outcome.column, "class": name, "n": n, "others": others}
        note = Note("unknown outcome", "grave", values)
        yield Check(note, (outcome.column,), _without(cohort, name))


def _check_size(cohort: Cohort) -> Iterator[Check]:
    features = cohort.names("feature")
    n = int(np.sum(cohort.y >= 0)) if cohort.classes else cohort.n_patients
    if features and n < PER_FEATURE * len(features):
        values = {"n": n, "features": len(features), "least": PER_FEATURE}
        yield Check(Note("few patients per feature", values=values))


def _check_duplicates(cohort: Cohort) -> Iterator[Check]:
    """Columns that say the same: in other words, in other units, or the other way round."""
    first: dict[bytes, str] = {}
    twins: dict[str, str] = {}
    for name in cohort.names("feature", "outcome"):
        meaning = _meaning(cohort.frame[name])
        twin = first.setdefault(meaning, name) if meaning else name
        if twin == name:
            continue
        if cohort.column(name).role == "outcome":
            name, twin = twin, name
        twins[name] = twin
    if twins:
        columns = tuple(twins)
        note = Note("duplicate columns", values={"pairs": list(twins.items())})
        yield Check(note, columns, (leave_out(columns), KEEP))


def _meaning(values: pd.Series) -> bytes:
    """A digest that a recoding, or another unit of a number, does not change; none if constant."""
    few = len(values.head(1000).unique()) <= 20
    if few or not pd.api.types.is_numeric_dtype(values):
        codes, distinct = pd.factorize(values)
        differs = 1 < len(distinct) < 0.9 * max(np.sum(codes >= 0), 1)
        return hashlib.sha256(codes.astype("<i4").tobytes()).digest() if differs else b""
    numbers = as_numbers(values)
    spread = np.nanstd(numbers)
    if not np.isfinite(spread) or spread == 0:
        return b""
    scaled = (numbers - np.nanmean(numbers)) / spread
    scaled *= np.sign(scaled[np.flatnonzero(np.nan_to_num(scaled))[0]])
    rounded = np.nan_to_num(np.round(scaled, 6), nan=99.0) + 0.0
    return hashlib.sha256(rounded.tobytes()).digest()


def _check_follow_up(cohort: Cohort) -> Iterator[Check]:
    """The outcome is an event by some day: time and event are there for survival curves."""
    found = time_and_event(cohort)
    if found is not None and cohort.outcome is not None:
        *pair, day = found
        used = any(cohort.column(name).role == "feature" for name in pair)
        said = {"day": day, "outcome": cohort.outcome.column}
        note = Note("follow-up", "grave" if used else "hint", said)
        yield Check(note, tuple(pair), (Remedy(tuple(pair), roles=("time", "event")), KEEP))


def _check_left_out(cohort: Cohort) -> Iterator[Check]:
    left = [c.name for c in cohort.columns if c.kind in UNUSED_KINDS and c.role == "left out"]
    if left:
        yield Check(Note("left out", "hint", {"late": late_dates(cohort)}), tuple(left))


def _check_repeats(cohort: Cohort) -> Iterator[Check]:
    ids = cohort.names("patient id")
    if ids:
        values = cohort.frame[ids[0]].dropna()
        repeated = values[values.duplicated(keep=False)]
        if len(repeated):
            said = {"patients": int(repeated.nunique()), "rows": len(repeated)}
            yield Check(Note("repeated patients", "hint", said), (ids[0],))
    used = cohort.names("feature", "outcome")
    if ids or len(used) < 6:  # other patients, or too few columns for it to be a wonder
        return
    rows = pd.util.hash_pandas_object(cohort.frame[used], index=False)
    twins = int(rows.duplicated().sum())
    if twins:
        yield Check(Note("identical rows", values={"n": twins}))


_LOOKS: tuple[Callable[[Cohort], Iterator[Check]], ...] = (
    _check_unknown,
    _check_classes,
    _check_repeats,
    _check_size,
    _check_duplicates,
    _check_left_out,
    _check_follow_up,
    short_stays,
)
