"""Looks for what would make a result wrong or empty: each finding with a reason and a remedy."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from cacviz.engine.answers import is_unknown
from cacviz.engine.column_checks import UNUSABLE, column_findings, leave_out
from cacviz.engine.kinds import as_numbers, quoted, shorten
from cacviz.engine.leaks import leaking_columns, missing_signs, with_aucs
from cacviz.engine.types import Check, Cohort, Remedy

FEW = 10  # patients of a class below which nothing can be said about it
PER_FEATURE = 10
_LATER_NAME = re.compile(
    r"(^|[_\W])(death|dead|died|deceased|expired|mortality|surviv\w*|discharge\w*|autopsy|"
    r"readmi\w*|length_of_stay|los|follow_?up|followup|censor\w*|cens|event|relapse|outcome|"
    r"time_to\w*|days_to\w*|status_at\w*|n_hours|n_days)([_\W\d]|$)",
    re.IGNORECASE,
)
_ORDER = (
    *(
        "unknown outcome",
        "too few of a class",
        "outcome leak",
        "id-like",
        "repeated patients",
        "identical rows",
    ),
    *("missing outcome", "after the outcome", "few patients per feature", "dates", "text"),
    *("near-unique", "all missing", "constant", "duplicate columns", "possible missing code"),
    *("missing not at random", "left out"),
)
_UNKNOWN_CODES = {"9", "99", "999", "-1", "-9", "-99", "-999"}
_NO_PATIENTS = "Use a larger cohort, merge classes or choose other cut points."


def check_cohort(cohort: Cohort) -> tuple[Check, ...]:
    """All findings, the grave ones first."""
    findings = [check for look in _LOOKS for check in look(cohort)]
    findings += column_findings(cohort)
    order = list(_ORDER)
    return tuple(sorted(findings, key=lambda c: (not c.grave, order.index(c.name))))


def _check_classes(cohort: Cohort) -> Iterator[Check]:
    if not cohort.classes or cohort.outcome is None:
        return
    counts = np.bincount(cohort.y[cohort.y >= 0], minlength=len(cohort.classes))
    name = shorten(cohort.outcome.column)
    for class_name, count in zip(cohort.classes, counts, strict=True):
        if count < FEW:
            text = (
                f"Only {_patients(count)} '{name}' {class_name}: too few to learn from and "
                f"to test on. {_NO_PATIENTS}"
            )
            yield Check("too few of a class", text, (cohort.outcome.column,), grave=True)
    gone = int(np.sum(cohort.y < 0))
    if gone:
        text = f"'{name}' is missing in {gone:,} of {cohort.n_patients:,} rows; they are left out."
        yield Check("missing outcome", text, (cohort.outcome.column,))


def _patients(n: int) -> str:
    return f"{n:,} patient has" if n == 1 else f"{n:,} patients have"


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
        text = (
            f"{_patients(np.sum(cohort.y == code))} '{shorten(outcome.column)}' {name}, "
            f"which is taken as a class beside {', '.join(others)}. If it means that nobody knows, "
            "treat it as missing: these patients are then left out."
        )
        remedy = Remedy(f"Treat {name} as missing", (outcome.column,), missing=name)
        remedies = (remedy,) if len(others) > 1 else ()
        yield Check("unknown outcome", text, (outcome.column,), grave=True, remedies=remedies)


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
        yield Check("duplicate columns", text, (name,), remedies=leave_out([name]))


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


def _check_left_out(cohort: Cohort) -> Iterator[Check]:
    left = [c.name for c in cohort.columns if c.kind in UNUSABLE and c.role == "ignore"]
    if left:
        yield Check("left out", f"Dates and free text are left out: {quoted(left)}.", tuple(left))


def _check_leaks(cohort: Cohort) -> Iterator[Check]:
    if not cohort.classes or cohort.outcome is None:
        return
    flagged = leaking_columns(cohort)
    if flagged:
        names = list(flagged)
        text = f"{with_aucs(flagged)} {_leak_advice(len(names))}"
        yield Check("outcome leak", text, tuple(names), grave=True, remedies=leave_out(names))
    later = [n for n in cohort.names("feature") if n not in flagged and _LATER_NAME.search(n)]
    if later:
        sounds = "sounds" if len(later) == 1 else "sound"
        text = (
            f"{quoted(later)} {sounds} like something recorded after the outcome. Keep what is "
            "known when the risk is wanted, leave out the rest."
        )
        yield Check("after the outcome", text, tuple(later), remedies=leave_out(later))


def _leak_advice(n: int) -> str:
    if n == 1:
        return (
            "predicts the outcome almost alone. If it was recorded after the outcome, leave it "
            "out; if it was known before, keep it."
        )
    return (
        "each predict the outcome almost alone. Leave out what was recorded after the outcome; "
        "keep what was known before."
    )


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
    _check_unknown,
    _check_classes,
    _check_leaks,
    _check_repeats,
    _check_size,
    _check_duplicates,
    _check_missing,
    _check_left_out,
)
