"""One patient in words: where it belongs, at which risk, and what to be careful about."""

from __future__ import annotations

from collections.abc import Sequence

from cacviz.engine.insights.single.types import Doubt, Prediction, WhatIf
from cacviz.engine.insights.types import Student
from cacviz.engine.running.applying.routing import BETWEEN
from cacviz.engine.types import Column
from cacviz.engine.types.telling import short_number, whole_number
from cacviz.wording.factors import EXPLAINS
from cacviz.wording.words import counted, share, some_of, verb

CLEAR = 0.5
LEAD = (
    "What this run says of one patient. It is for research: a risk here is a model's word, not a decision. What you type "
    "stays in this window; it is neither stored, logged nor written into the address."
)
MARGIN = "The margin is 0 on the border between two subtypes and 1 at the centre of its own."
SHAP = (
    "SHAP values of the simplified explainer: plum raises the risk, teal lowers it. They say what the model uses, not what "
    "causes the outcome."
)
BEFORE = " They explain the risk as the run gave it, before recalibration."
NO_EFFECT = " All other values stay; that is the model's word, not an effect of treatment."
WITHOUT_PATIENTS = (
    "This run came without its patients, so that nobody can be shown who is alike. It predicts new patients from a file, one or "
    "many."
)
FILE_LEAD = (
    "A row a patient, with the columns that the run uses; others are passed over and no outcome is needed. The file is read on "
    "{machine} and not kept."
)
RECORDS_LEAD = (
    "Records of patients in the form that the cohort had: a long or a wide table with times, or a zip of PhysioNet files. The "
    "hours of the run's window are taken, and no outcome is needed. The file is read on {machine} and not kept."
)
HOURS_LEAD = (
    "This run reads the hours of a stay. A form cannot stand for them, so take a patient of the cohort, or a file with the "
    "records of new patients."
)
NO_WHAT_IF = (
    "This run reads hours: with one summary changed and the hours as they were, a patient would contradict itself, so that "
    "question is not asked here."
)

MOSTLY_BLANK = "With most of it unknown, subtype and risk rest on what was left blank as much as on this patient: type in more."
BLANK = (
    "Leave blank what is not known: to the run it was “not measured”, which may be a sign in itself. Grey: what 98% of training "
    "patients had."
)


def place_sentence(found: Prediction, titles: Sequence[str]) -> str:
    """The subtype, and how clear it is."""
    if len(titles) < 2:
        return "This run has one subtype only."
    if found.margin < BETWEEN:
        first, last = sorted((found.cluster, found.second))
        return (
            f"This patient lies between {titles[first]} and {titles[last]}, a little nearer to {titles[found.cluster]} "
            f"(margin {found.margin:.2f})."
        )
    how = "clearly" if found.margin >= CLEAR else "rather"
    return (
        f"This patient belongs {how} to {titles[found.cluster]} (margin {found.margin:.2f}); the next is "
        f"{titles[found.second]}."
    )


def risk_sentence(found: Prediction, code: int, what: str) -> str:
    """The risk, and what happened to patients of like risk: that is what the interval is of."""
    return (
        f"Of the {found.n_alike} held-out patients whose risk was nearest to this one, {share(found.alike[code])} had {what}. The "
        "interval is of that share: of patients alike in risk, not of this patient alone."
    )


def blank_sentence(found: Prediction, used: int, gaps: bool) -> str:
    """How much is not known, and what that means to the run."""
    n = len(found.blank)
    if n == 0:
        return "Every value that the run uses is known."
    how = (
        "the method takes them as not measured"
        if gaps
        else "the run fills in what is typical of training patients (the median, or the more frequent), and where not having been measured was a sign, takes it as that sign"
    )
    said = f"{n} of {counted(used, 'value')} {verb(n, 'is', 'are')} blank; {how}."
    return f"{said} {MOSTLY_BLANK}" if n > used / 2 else said


def doubt_sentence(doubt: Doubt, column: Column, value: float) -> str:
    """A value that no training patient came near, and what it may be."""
    unit = f" {column.unit}" if column.unit else ""
    head = (
        f"{column.title} {whole_number(value)}{unit} is far outside what training patients had ({short_number(doubt.low)} to {short_number(doubt.high)}"
        f"{unit} in 98% of them)."
    )
    if doubt.units:
        return f"{head} It looks like {doubt.units}."
    if doubt.times != 1.0:
        return f"{head} A slip of the decimal point? {short_number(value * doubt.times)} would be ordinary."
    return head


def student_words(student: Student | None) -> str:
    """How far the explainer behind the waterfall can be believed."""
    if student is None or student.r2 != student.r2:
        return "How closely the simplified explainer follows is not known yet."
    if student.explains:
        return f"The subtype's simplified explainer follows the run closely (R² {student.r2:.2f} on held-out patients)."
    return (
        f"Read this as a hint: the subtype's simplified explainer follows the run only roughly (R² {student.r2:.2f} on held-out "
        f"patients; {EXPLAINS:g} or more is close)."
    )


def change_sentence(found: WhatIf, titles: Sequence[str], title: str) -> str:
    """Where the subtype changes as one value changes."""
    if len(set(found.clusters)) == 1:
        return f"The subtype stays {titles[found.clusters[0]]} whatever {title} is; only the risk moves."
    if found.words:
        moved = [f"{w}: {titles[c]}" for w, c in zip(found.words, found.clusters, strict=True)]
        return f"The subtype changes with {title}: {some_of(moved, 8)}."
    at = [
        f"{titles[a]} to {titles[b]} near {short_number((x + y) / 2)}"
        for x, y, a, b in zip(
            found.values, found.values[1:], found.clusters, found.clusters[1:], strict=False
        )
        if a != b
    ]
    return f"The subtype changes as {title} grows: {'; '.join(at[:4])}."
