"""Looks at one column after another: ids, empty and constant ones, dates, codes for missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.kinds import as_numbers, quoted, shorten, word
from cacviz.engine.types import Check, Cohort, Column, Remedy

UNIQUE_SHARE = 0.99
UNUSABLE = {"date": "dates", "text": "text"}
EACH = 8  # columns of one finding that get a button of their own
_ID_NAME = re.compile(
    r"(^|[_\W])(id|ids|nbr|mrn|ssn|uuid|guid|key|record|recordid|pid|pidnum|seqno|seq|rownum|index|"
    r"patient|pat|pt|ptid|subject|subj|u?subjid|encounter|admission|stay|case|fall|hadm|icustay|"
    r"unnamed)([_\W\d]|$)|"
    r"(record|patient(en)?|pat|subject|encounter|hadm|stay|case|fall)_?(id|no|nr|num|number|nummer|nbr)$",
    re.IGNORECASE,
)
_PATIENT_NAME = re.compile(r"pat|pt_?id|^pt|subj|mrn|pid|record|person", re.IGNORECASE)
_ID_VALUE = re.compile(r"[a-z]{0,3}[-_/ ]?\d+", re.IGNORECASE)
_LOW_CODES = (-1, -9, -99, -999, -9999)
_HIGH_CODES = (99, 999, 9999, 99999, 999999)


class Facts(NamedTuple):
    """One column, counted once: its different values in order, and how often each is there."""

    column: Column
    values: np.ndarray
    counts: np.ndarray
    n_rows: int

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def known(self) -> int:
        return int(self.counts.sum())

    @property
    def share(self) -> float:
        """Different values per known one: 1 where no two patients are alike."""
        return len(self.values) / max(self.known, 1)


def column_findings(cohort: Cohort) -> Iterator[Check]:
    """What is odd about columns taken by themselves; alike findings are told together."""
    names = cohort.names("feature", "outcome")
    counted = [_count(cohort.frame[name], cohort.column(name)) for name in names]
    for look in _LOOKS:
        yield from look(counted, cohort)


def leave_out(names: Sequence[str]) -> tuple[Remedy, ...]:
    """Leave out all of these columns, or one of them."""
    if len(names) == 1:
        return (Remedy("Leave it out", tuple(names)),)
    each = [Remedy(f"Leave out {shorten(n, 30)}", (n,)) for n in names[:EACH]]
    return (Remedy(f"Leave out all {len(names)}", tuple(names)), *each)


def _count(values: pd.Series, column: Column) -> Facts:
    if pd.api.types.is_numeric_dtype(values):
        distinct, counts = np.unique(as_numbers(values.dropna()), return_counts=True)
    else:
        counted = values.value_counts()
        distinct, counts = counted.index.to_numpy(), counted.to_numpy()
    return Facts(column, distinct, counts, len(values))


def _check_ids(counted: Sequence[Facts], cohort: Cohort) -> Iterator[Check]:
    """Columns that name patients, each with both remedies, the likelier first."""
    for facts in counted:
        name = facts.name
        if facts.column.role == "outcome" or not _is_id_like(facts):
            continue
        examples = ", ".join(shorten(word(v), 20) for v in facts.values[:2])
        text = (
            f"'{shorten(name)}' looks like an id ({examples}, …): it names patients and measures "
            "nothing."
        )
        if facts.share < 1:
            text += " Some appear in several rows, so the split should keep them together."
        remedies = [
            Remedy("Use as patient id", (name,), "patient id"),
            Remedy("Leave it out", (name,)),
        ]
        if cohort.names("patient id") or not _PATIENT_NAME.search(name):
            remedies.reverse()
        yield Check("id-like", text, (name,), grave=True, remedies=tuple(remedies))


def _is_id_like(facts: Facts) -> bool:
    """Whole numbers or words that name rows: nearly all different, or called an id."""
    if facts.known < 20 or facts.share < 0.5:
        return False
    named = bool(_ID_NAME.search(facts.name))
    unique = facts.share >= UNIQUE_SHARE
    if facts.column.kind in ("category", "text"):
        return named or (unique and all(_ID_VALUE.fullmatch(str(v)) for v in facts.values))
    numbers = facts.values
    if facts.column.kind != "number" or not np.array_equal(numbers, np.floor(numbers)):
        return False
    counted = unique and len(np.unique(np.diff(numbers))) <= 2
    as_long = len(word(numbers[0])) == len(word(numbers[-1]))  # a BNP has two digits or five
    return named or counted or (unique and facts.known >= 200 and as_long)


def _check_constant(counted: Sequence[Facts], cohort: Cohort) -> Iterator[Check]:
    empty = [f.name for f in counted if len(f.values) == 0]
    if empty:
        are = "is" if len(empty) == 1 else "are"
        text = f"{quoted(empty)} {are} empty: nothing was ever measured."
        yield Check("all missing", text, tuple(empty), remedies=leave_out(empty)[:1])
    same = [f for f in counted if len(f.values) == 1 and f.known == f.n_rows]
    if same:
        names = [f.name for f in same]
        how = f"is {shorten(word(same[0].values[0]))}" if len(same) == 1 else "are each the same"
        text = f"{quoted(names)} {how} in every patient."
        yield Check("constant", text, tuple(names), remedies=leave_out(names)[:1])


def _check_kinds(counted: Sequence[Facts], cohort: Cohort) -> Iterator[Check]:
    for facts in counted:
        name, kind = facts.name, facts.column.kind
        if kind in UNUSABLE:
            text = f"'{shorten(name)}' holds {UNUSABLE[kind]}, which no method can use as it is."
            yield Check(UNUSABLE[kind], text, (name,), remedies=leave_out([name]))
        elif kind == "category" and len(facts.values) > 20 and facts.share > 0.5:
            if _is_id_like(facts):
                continue
            text = (
                f"'{shorten(name)}' has {len(facts.values):,} different values in {facts.known:,} "
                "patients: nearly everyone has one of their own, so nothing can be learned from it."
            )
            yield Check("near-unique", text, (name,), remedies=leave_out([name]))


def _check_codes(counted: Sequence[Facts], cohort: Cohort) -> Iterator[Check]:
    """-1, 999 or an impossible 0 that may stand for 'not measured': columns with the same code."""
    found: dict[str, dict[str, int]] = {}
    for facts in counted:
        place = _missing_code(facts)
        if place is not None:
            code = word(facts.values[place])
            found.setdefault(code, {})[facts.name] = int(facts.counts[place])
    for code, counts in found.items():
        names, few, many = list(counts), min(counts.values()), max(counts.values())
        often = f"is {code} in {few:,}" if len(names) == 1 else f"are {code} in {few:,} to {many:,}"
        text = (
            f"{quoted(names)} {often} patients, away from all other values. If that means not "
            "measured, treat it as missing."
        )
        remedies = _treat_as_missing(code, names)
        yield Check("possible missing code", text, tuple(names), remedies=remedies)


def _treat_as_missing(code: str, names: Sequence[str]) -> tuple[Remedy, ...]:
    label = f"Treat {code} as missing"
    if len(names) == 1:
        return (Remedy(label, tuple(names), missing=code),)
    each = [Remedy(f"… in {shorten(n, 30)}", (n,), missing=code) for n in names[:EACH]]
    return (Remedy(f"{label} in all {len(names)}", tuple(names), missing=code), *each)


def _missing_code(facts: Facts) -> int | None:
    """The place of a value that stands apart, first or last, and that several patients have."""
    values = facts.values
    if facts.column.kind != "number" or len(values) < 5:
        return None
    often = facts.counts >= max(3, 0.002 * facts.known)
    low, high = values[0], values[-1]
    if low in _LOW_CODES and values[1] >= 0 and often[0]:
        return 0
    if high in _HIGH_CODES and values[-2] < 0.5 * high and often[-1]:
        return -1
    # nobody has a blood pressure of 0 when the next one is 24
    impossible = low == 0 and values[1] >= max(3, 0.1 * _median(values[1:], facts.counts[1:]))
    return 0 if impossible and often[0] else None


def _median(values: np.ndarray, counts: np.ndarray) -> float:
    return float(values[np.searchsorted(np.cumsum(counts), counts.sum() / 2)])


_LOOKS: tuple[Callable[[Sequence[Facts], Cohort], Iterator[Check]], ...] = (
    _check_ids,
    _check_kinds,
    _check_constant,
    _check_codes,
)
