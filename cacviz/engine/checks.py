"""Looks for what would make a result wrong or empty: each finding with a reason and a remedy."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.kinds import as_numbers, shorten, word
from cacviz.engine.leaks import leaking_columns, missing_signs
from cacviz.engine.types import Check, Cohort, Column, Remedy

FEW = 10  # patients of a class below which nothing can be said about it
PER_FEATURE = 10
UNIQUE_SHARE = 0.99
_ID_NAME = re.compile(
    r"(^|[_\W])(id|ids|nbr|mrn|ssn|uuid|guid|key|record|recordid|pid|pidnum|seqno|seq|rownum|index|"
    r"patient|subject|encounter|admission|stay|case|hadm|icustay|unnamed)([_\W\d]|$)|"
    r"(record|patient|subject|encounter|hadm|stay|case)_?(id|no|nr|num|number|nbr)$",
    re.IGNORECASE,
)
_PATIENT_NAME = re.compile(r"patient|subject|mrn|pid|record|person", re.IGNORECASE)
_LATER_NAME = re.compile(
    r"(^|[_\W])(death|dead|died|deceased|expired|mortality|surviv\w*|discharge\w*|autopsy|"
    r"readmi\w*|length_of_stay|los|follow_?up|followup|censor\w*|cens|event|relapse|outcome|"
    r"time_to\w*|days_to\w*|status_at\w*|n_hours|n_days)([_\W\d]|$)",
    re.IGNORECASE,
)
_UNUSABLE = {"date": "dates", "text": "text"}
_ORDER = (
    *("too few of a class", "outcome leak", "id-like", "repeated patients", "identical rows"),
    *("missing outcome", "after the outcome", "few patients per feature", "dates", "text"),
    *("near-unique", "all missing", "constant", "duplicate columns", "possible missing code"),
    *("missing not at random", "left out"),
)
_LOW_CODES = (-1, -9, -99, -999, -9999)
_HIGH_CODES = (99, 999, 9999, 99999, 999999)
_NO_PATIENTS = "Use a larger cohort, merge classes or choose other cut points."


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


def check_cohort(cohort: Cohort) -> tuple[Check, ...]:
    """All findings, the grave ones first."""
    findings = [check for look in _LOOKS for check in look(cohort)]
    for name in cohort.names("feature", "outcome"):
        facts = _count(cohort.frame[name], cohort.column(name))
        findings += [check for look in _COLUMN_LOOKS for check in look(facts, cohort)]
    order = list(_ORDER)
    return tuple(sorted(findings, key=lambda c: (not c.grave, order.index(c.name))))


def _count(values: pd.Series, column: Column) -> Facts:
    if pd.api.types.is_numeric_dtype(values):
        distinct, counts = np.unique(as_numbers(values.dropna()), return_counts=True)
    else:
        counted = values.value_counts()
        distinct, counts = counted.index.to_numpy(), counted.to_numpy()
    return Facts(column, distinct, counts, len(values))


def _check_classes(cohort: Cohort) -> Iterator[Check]:
    if not cohort.classes or cohort.outcome is None:
        return
    counts = np.bincount(cohort.y[cohort.y >= 0], minlength=len(cohort.classes))
    name = shorten(cohort.outcome.column)
    for class_name, count in zip(cohort.classes, counts, strict=True):
        if count < FEW:
            text = (
                f"Only {count} patients have '{name}' {class_name}: too few to learn from and "
                f"to test on. {_NO_PATIENTS}"
            )
            yield Check("too few of a class", text, (cohort.outcome.column,), grave=True)
    gone = int(np.sum(cohort.y < 0))
    if gone:
        text = f"'{name}' is missing in {gone:,} of {cohort.n_patients:,} rows; they are left out."
        yield Check("missing outcome", text, (cohort.outcome.column,))


def _check_size(cohort: Cohort) -> Iterator[Check]:
    features = cohort.names("feature")
    n = int(np.sum(cohort.y >= 0)) if cohort.classes else cohort.n_patients
    if features and n < PER_FEATURE * len(features):
        text = (
            f"{n:,} patients and {len(features):,} features: fewer than {PER_FEATURE} patients a "
            "feature, so results may not hold for other patients. Leave out features that matter "
            "less."
        )
        yield Check("few patients per feature", text)


def _check_id(facts: Facts, cohort: Cohort) -> Iterator[Check]:
    name = facts.name
    if facts.column.role == "outcome" or not _is_id_like(facts):
        return
    text = f"'{shorten(name)}' looks like a number given to each patient, not a measurement."
    if facts.share < 1:
        text += " Some appear in several rows, so the split should keep them together."
    if _PATIENT_NAME.search(name) and not cohort.names("patient id"):
        remedy = Remedy("Use as patient id", (name,), "patient id")
    else:
        remedy = Remedy("Leave it out", (name,), "ignore")
    yield Check("id-like", text, (name,), grave=True, remedy=remedy)


def _is_id_like(facts: Facts) -> bool:
    """Whole numbers or words that name rows: nearly all different, or called an id."""
    if facts.known < 20 or facts.share < 0.5:
        return False
    named = bool(_ID_NAME.search(facts.name))
    if facts.column.kind in ("category", "text"):
        return named
    numbers = facts.values
    if facts.column.kind != "number" or not np.array_equal(numbers, np.floor(numbers)):
        return False
    unique = facts.share >= UNIQUE_SHARE
    counted = unique and len(np.unique(np.diff(numbers))) <= 2
    return named or counted or (unique and facts.known >= 200)


def _check_constant(facts: Facts, cohort: Cohort) -> Iterator[Check]:
    name, remedy = facts.name, Remedy("Leave it out", (facts.name,), "ignore")
    if len(facts.values) == 0:
        text = f"'{shorten(name)}' is empty: nothing was ever measured."
        yield Check("all missing", text, (name,), remedy=remedy)
    elif len(facts.values) == 1 and facts.known == facts.n_rows:
        text = f"'{shorten(name)}' is {shorten(word(facts.values[0]))} in every patient."
        yield Check("constant", text, (name,), remedy=remedy)


def _check_duplicates(cohort: Cohort) -> Iterator[Check]:
    """Columns that say the same: in other words, in other units, or the other way round."""
    first: dict[bytes, str] = {}
    for name in cohort.names("feature", "outcome"):
        meaning = _meaning(cohort.frame[name])
        twin = first.setdefault(meaning, name) if meaning else name
        if twin == name:
            continue
        if cohort.column(name).role == "outcome":
            name, twin = twin, name
        text = f"'{shorten(name)}' says the same as '{shorten(twin)}' in every patient."
        remedy = Remedy("Leave it out", (name,), "ignore")
        yield Check("duplicate columns", text, (name,), remedy=remedy)


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


def _check_kind(facts: Facts, cohort: Cohort) -> Iterator[Check]:
    name, kind = facts.name, facts.column.kind
    remedy = Remedy("Leave it out", (name,), "ignore")
    if kind in _UNUSABLE:
        text = f"'{shorten(name)}' holds {_UNUSABLE[kind]}, which no method can use as it is."
        yield Check(_UNUSABLE[kind], text, (name,), remedy=remedy)
    elif kind == "category" and len(facts.values) > 20 and facts.share > 0.5:
        if _is_id_like(facts):
            return
        text = (
            f"'{shorten(name)}' has {len(facts.values):,} different values in {facts.known:,} "
            "patients: nearly everyone has one of their own, so nothing can be learned from it."
        )
        yield Check("near-unique", text, (name,), remedy=remedy)


def _check_left_out(cohort: Cohort) -> Iterator[Check]:
    left = [c.name for c in cohort.columns if c.kind in _UNUSABLE and c.role == "ignore"]
    if left:
        shown = ", ".join(f"'{shorten(n)}'" for n in left[:6]) + (", …" if len(left) > 6 else "")
        yield Check("left out", f"Dates and free text are left out: {shown}.", tuple(left))


def _check_leaks(cohort: Cohort) -> Iterator[Check]:
    if not cohort.classes or cohort.outcome is None:
        return
    flagged = leaking_columns(cohort)
    for name, auc in flagged.items():
        text = (
            f"'{shorten(name)}' predicts the outcome almost perfectly (AUC {auc:.2f} alone); it "
            "may have been recorded afterwards."
        )
        remedy = Remedy("Leave it out", (name,), "ignore")
        yield Check("outcome leak", text, (name,), grave=True, remedy=remedy)
    for name in cohort.names("feature"):
        if name not in flagged and _LATER_NAME.search(name):
            text = (
                f"'{shorten(name)}' sounds like something recorded after the outcome. Keep it "
                "only if it is known when the risk is wanted."
            )
            remedy = Remedy("Leave it out", (name,), "ignore")
            yield Check("after the outcome", text, (name,), remedy=remedy)


def _check_missing(cohort: Cohort) -> Iterator[Check]:
    """Missing not at random: said once, with the strongest columns."""
    names = missing_signs(cohort)
    if names:
        shown = ", ".join(f"'{shorten(n)}'" for n in names[:3])
        more = f" and {len(names) - 3} more columns" if len(names) > 3 else ""
        text = (
            f"Whether {shown}{more} was measured goes with the outcome, so missing values are a "
            "sign in themselves; 'not measured' is used as a feature where it helps."
        )
        yield Check("missing not at random", text, tuple(names))


def _check_code(facts: Facts, cohort: Cohort) -> Iterator[Check]:
    """-1, 999 or an impossible 0 that may stand for 'not measured'."""
    place = _missing_code(facts)
    if place is None:
        return
    name, code = shorten(facts.name), word(facts.values[place])
    text = (
        f"'{name}' is {code} in {facts.counts[place]:,} patients, away from all other values. If "
        f"that means not measured, read the file again with the missing code {name}={code}."
    )
    yield Check("possible missing code", text, (facts.name,))


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


def _check_repeats(cohort: Cohort) -> Iterator[Check]:
    ids = cohort.names("patient id")
    if ids:
        values = cohort.frame[ids[0]].dropna()
        repeated = values[values.duplicated(keep=False)]
        if len(repeated):
            text = (
                f"{repeated.nunique():,} patients have several rows ({len(repeated):,} rows in "
                "all). The split is by patient, so nobody is both learned from and tested on."
            )
            yield Check("repeated patients", text, (ids[0],))
    used = cohort.names("feature", "outcome")
    if ids or len(used) < 6:  # other patients, or too few columns for it to be a wonder
        return
    rows = pd.util.hash_pandas_object(cohort.frame[used], index=False)
    twins = int(rows.duplicated().sum())
    if twins:
        text = (
            f"{twins:,} rows are identical to another one. If they are the same patient, take "
            "them out of the export, or give the patient id its role."
        )
        yield Check("identical rows", text)


_LOOKS: tuple[Callable[[Cohort], Iterator[Check]], ...] = (
    _check_classes,
    _check_leaks,
    _check_repeats,
    _check_size,
    _check_duplicates,
    _check_missing,
    _check_left_out,
)
_COLUMN_LOOKS: tuple[Callable[[Facts, Cohort], Iterator[Check]], ...] = (
    _check_id,
    _check_kind,
    _check_constant,
    _check_code,
)
