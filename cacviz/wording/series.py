"""What is said of hourly records: who was left out on the way, what was noticed, how long."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cacviz.engine.series.recognising import Looked
from cacviz.engine.types import Exclusion, Flow, Note, Series
from cacviz.wording.words import counted, listed, some_of, subtype_name, verb

Values = Mapping[str, Any]
MOST_NAMED = 5
FORMS = {
    "long": "a long table, one measurement a row",
    "wide": "a wide table, one hour a row",
    "p2012": "PhysioNet 2012 records",
    "p2019": "PhysioNet 2019 records",
}
REASONS = {
    "not in static table": ("is not in the joined table", "are not in the joined table"),
    "no records": ("has no record in these hours", "have no record in these hours"),
    "too short": ("was observed for too short a time", "were observed for too short a time"),
    "outcome in window": ("met the outcome within them", "met the outcome within them"),
}

SHORT = {
    "not in static table": "not in the joined table",
    "no records": "no record in these hours",
    "too short": "observed for too short a time",
    "outcome in window": "outcome within these hours",
}
PHASES = {
    "reading": "Reading the records",
    "joining": "Joining the table by patient",
    "summarising": "Putting them on hours and summarising each patient",
    "saving": "Handing them over",
}


def window_words(hours: int) -> str:
    """The window in words: the first 24 hours."""
    return f"the first {counted(hours, 'hour')}" if hours > 1 else "the first hour"


def flow_sentences(flow: Flow) -> list[str]:
    """How the file's patients became the cohort's, in sentences that add up."""
    kept = flow.n_kept
    began = f"{counted(flow.n_read, 'patient')} {verb(flow.n_read, 'was', 'were')} read from "
    began += f"{FORMS[flow.form]}; features come from {window_words(flow.hours)} alone."
    if not flow.exclusions:
        return [began, "Nobody was left out."]
    gone = listed([_gone(e) for e in flow.exclusions])
    left = f"{counted(kept, 'patient')} {verb(kept, 'is', 'are')} left."
    return [began, f"Left out: {gone}. {left}"]


def _gone(exclusion: Exclusion) -> str:
    one, many = REASONS[exclusion.reason]
    return f"{exclusion.n_patients:,} who {verb(exclusion.n_patients, one, many)}"


def flow_parts(flow: Flow) -> tuple[list[str], list[int]]:
    """Who stays, then who was left out for which reason, with counts that add up."""
    labels = ["in the cohort", *(SHORT[e.reason] for e in flow.exclusions)]
    return labels, [flow.n_kept, *(e.n_patients for e in flow.exclusions)]


def example_sentence(exclusion: Exclusion) -> str:
    """A few of those who were left out, so that they can be looked up."""
    reason = SHORT[exclusion.reason]
    shown = some_of(exclusion.examples, MOST_NAMED)
    if exclusion.n_patients > len(exclusion.examples):
        return f"{reason[0].upper()}{reason[1:]}: {shown}, among others."
    return f"{reason[0].upper()}{reason[1:]}: {shown}."


def course_caption(carried: bool) -> str:
    """What the mean course of a subtype counts, and what it must not be taken for."""
    who = (
        "A patient counts from the first measurement on, with the last known value."
        if carried
        else "A patient counts in the hours in which the variable was measured; who is measured "
        "more often may be sicker."
    )
    return (
        f"Training patients; means with 95% intervals, numbers of patients below. {who} These "
        "courses describe the subtypes, which may have been made from them: they test nothing."
    )


def patient_title(name: str, cluster: int) -> str:
    """A patient in a list: 132539, Subtype 2."""
    return f"{name}, {subtype_name(cluster)}"


def phase_words(phase: str) -> str:
    """How far the reading of records is."""
    return PHASES.get(phase, "Starting")


def looked_sentence(looked: Looked) -> str:
    """What a file seems to hold, and what can be done about it."""
    if looked.archive:
        return (
            "Folders and zips are read as hourly records: the files of PhysioNet 2012 (.txt) or "
            "2019 (.psv), one a stay."
        )
    return (
        f"This looks like hourly records: {counted(looked.n_rows, 'row')} of "
        f"{counted(looked.n_patients, 'patient')}, with times in column '{looked.layout.time}'."
    )


def length_sentence(flow: Flow) -> str:
    """For how long patients have records in the file, before any were cut."""
    if len(flow.lengths) != 5:
        return ""
    least, low, middle, high, most = (f"{h:,.0f}" for h in flow.lengths)
    return (
        f"Records in the file cover {middle} hours of a patient in the median (half of the "
        f"patients {low} to {high}, all {least} to {most})."
    )


def series_sentence(series: Series) -> str:
    """The size of the series: hours, variables, and how full they are."""
    share = float(series.measured.mean()) if series.measured.size else 0.0
    return (
        f"{counted(series.n_hours, 'hour')} × {counted(len(series.variables), 'variable')} a "
        f"patient; {share:.1%} of these cells hold a measurement."
    )


def record_sentence(note: Note) -> str:
    """What was noticed in the records, as a sentence; a code of another version says its name."""
    say = SENTENCES.get(note.code)
    return say(note.values) if say else f"{note.code}."


def _time_unit(v: Values) -> str:
    return (
        f"Column '{v['column']}' holds plain numbers, which were taken as {v['unit']}. If that is "
        "wrong, say the unit and read the file again."
    )


def _nameless(v: Values) -> str:
    return f"{counted(v['n'], 'row')} without the name of a variable {_not_used(v['n'])}"


def _not_numbers(v: Values) -> str:
    return (
        f"{counted(v['n'], 'value')} of column '{v['column']}' that {verb(v['n'], 'is', 'are')} no "
        f"number (such as '{v['example']}') {_not_used(v['n'])}"
    )


def _columns_not_numbers(v: Values) -> str:
    n = len(v["columns"])
    return (
        f"{_columns(v['columns'])} {verb(n, 'holds', 'hold')} words or dates and "
        f"{verb(n, 'is', 'are')} not part of the series."
    )


def _repeated(v: Values) -> str:
    return f"{counted(v['n'], 'row')} that {verb(v['n'], 'repeats', 'repeat')} another count once."


def _replaced(v: Values) -> str:
    n = len(v["columns"])
    return (
        f"{_columns(v['columns'])} {verb(n, 'is', 'are')} in both files; the joined table's "
        f"{verb(n, 'counts', 'count')}."
    )


def _early(v: Values) -> str:
    return f"{counted(v['n'], 'record')} from before the start of a stay {_not_used(v['n'])}"


def _implausible(v: Values) -> str:
    said = []
    if v["changed"]:
        said.append(f"{counted(v['changed'], 'value')} in another unit put right")
    if v["dropped"]:
        said.append(f"{counted(v['dropped'], 'impossible value')} left out")
    return f"By the published rules for this challenge: {listed(said)}."


def _not_measured(v: Values) -> str:
    n = len(v["columns"])
    quoted = [f"'{name}'" for name in v["columns"]]
    return (
        f"{counted(n, 'variable')} that the run reads {verb(n, 'is', 'are')} not in these records, "
        f"and {verb(n, 'was', 'were')} taken as never measured: {some_of(quoted, MOST_NAMED)}."
    )


def _not_used(n: int) -> str:
    return f"{verb(n, 'was', 'were')} not used."


def _columns(names: tuple[str, ...]) -> str:
    quoted = [f"'{name}'" for name in names]
    return f"{verb(len(names), 'Column', 'Columns')} {some_of(quoted, MOST_NAMED)}"


SENTENCES: dict[str, Callable[[Values], str]] = {
    "file": lambda v: str(v["said"]),
    "time unit": _time_unit,
    "nameless records": _nameless,
    "records not numbers": _not_numbers,
    "columns not numbers": _columns_not_numbers,
    "repeated records": _repeated,
    "static replaced": _replaced,
    "records before start": _early,
    "implausible records": _implausible,
    "variables not measured": _not_measured,
}
