"""Looks for what would make a result wrong or empty: each finding with a reason and a remedy."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from cacviz.engine.kinds import as_numbers, shorten, word
from cacviz.engine.leaks import leaking_columns, missing_signs
from cacviz.engine.types import Check, Cohort, Remedy

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
_NO_PATIENTS = "Use a larger cohort, merge classes or choose other cut points."


def check_cohort(cohort: Cohort) -> tuple[Check, ...]:
    """All findings, the grave ones first."""
    findings = [check for look in _LOOKS for check in look(cohort)]
    return tuple(sorted(findings, key=lambda c: not c.grave))


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


def _check_ids(cohort: Cohort) -> Iterator[Check]:
    has_id = bool(cohort.names("patient id"))
    for name in cohort.names("feature"):
        values = cohort.frame[name]
        share = values.nunique() / max(values.count(), 1)
        if not _is_id_like(values, name, share):
            continue
        for_patient = not has_id and bool(_PATIENT_NAME.search(name))
        has_id |= for_patient
        text = f"'{shorten(name)}' looks like a number given to each patient, not a measurement."
        if share < 1:
            text += " Some appear in several rows, so the split should keep them together."
        remedy = (
            Remedy("Use as patient id", (name,), "patient id")
            if for_patient
            else Remedy("Leave it out", (name,), "ignore")
        )
        yield Check("id-like", text, (name,), grave=True, remedy=remedy)


def _is_id_like(values: pd.Series, name: str, share: float) -> bool:
    """Whole numbers or words that name rows: nearly all different, or called an id."""
    n = int(values.count())
    if n < 20 or share < 0.5:
        return False
    named = bool(_ID_NAME.search(name))
    if not pd.api.types.is_numeric_dtype(values):
        return named and pd.api.types.is_string_dtype(values)
    numbers = np.sort(as_numbers(values.dropna()))
    if not np.array_equal(numbers, np.floor(numbers)):
        return False
    counted = share >= UNIQUE_SHARE and len(np.unique(np.diff(numbers))) <= 2
    return named or counted or (share >= UNIQUE_SHARE and n >= 200)


def _check_constant(cohort: Cohort) -> Iterator[Check]:
    for name in cohort.names("feature"):
        values = cohort.frame[name]
        distinct = values.dropna().unique()
        remedy = Remedy("Leave it out", (name,), "ignore")
        if len(distinct) == 0:
            text = f"'{shorten(name)}' is empty: nothing was ever measured."
            yield Check("all missing", text, (name,), remedy=remedy)
        elif len(distinct) == 1 and not values.isna().any():
            text = f"'{shorten(name)}' is {shorten(word(distinct[0]))} in every patient."
            yield Check("constant", text, (name,), remedy=remedy)


def _check_duplicates(cohort: Cohort) -> Iterator[Check]:
    """Columns with the same content, whatever their names."""
    first: dict[bytes, str] = {}
    for name in cohort.names("feature", "outcome"):
        values = cohort.frame[name]
        if values.nunique() < 2:
            continue
        codes = pd.factorize(values)[0]
        digest = hashlib.sha256(codes.astype("<i4").tobytes()).digest()
        if digest not in first:
            first[digest] = name
            continue
        twin = first[digest]
        if cohort.column(name).role == "outcome":
            name, twin = twin, name
        text = f"'{shorten(name)}' says the same as '{shorten(twin)}' in every patient."
        remedy = Remedy("Leave it out", (name,), "ignore")
        yield Check("duplicate columns", text, (name,), remedy=remedy)


def _check_kinds(cohort: Cohort) -> Iterator[Check]:
    words = {
        "date": ("dates", "holds dates, which no method can use as they are"),
        "text": ("text", "holds free text, which no method can use as it is"),
    }
    for name in cohort.names("feature"):
        column, values = cohort.column(name), cohort.frame[name]
        remedy = Remedy("Leave it out", (name,), "ignore")
        if column.kind in words:
            check, what = words[column.kind]
            yield Check(check, f"'{shorten(name)}' {what}.", (name,), remedy=remedy)
        elif column.kind == "category" and not _ID_NAME.search(name):
            distinct, known = values.nunique(), int(values.count())
            if distinct > 20 and distinct > 0.5 * known:
                text = (
                    f"'{shorten(name)}' has {distinct:,} different values in {known:,} patients: "
                    "nearly every patient has one of its own, so nothing can be learned from it."
                )
                yield Check("near-unique", text, (name,), remedy=remedy)
    left = [c.name for c in cohort.columns if c.kind in words and c.role == "ignore"]
    if left:
        shown = ", ".join(f"'{shorten(n)}'" for n in left[:6])
        yield Check("dates", f"Dates and free text are left out: {shown}.", tuple(left))


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
    twins = int(cohort.frame[used].duplicated().sum()) if used else 0
    if twins and len(cohort.names("feature")) > 1:
        remedy_hint = "" if ids else " Give the patient id its role, so that the split keeps them."
        text = (
            f"{twins:,} rows are identical to another one. If they are the same patient, take "
            f"them out of the export.{remedy_hint}"
        )
        yield Check("identical rows", text)


_LOOKS: tuple[Callable[[Cohort], Iterator[Check]], ...] = (
    _check_classes,
    _check_leaks,
    _check_ids,
    _check_repeats,
    _check_size,
    _check_kinds,
    _check_constant,
    _check_duplicates,
    _check_missing,
)
