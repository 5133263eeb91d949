"""Finds out where a table of records has patient, time, variable and value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import quoted, shorten
from cacviz.engine.types import Layout

# The likeliest name first; compared without case, blanks and underscores.
ID_NAMES = (
    *("patient", "patientid", "recordid", "stayid", "icustayid", "patientunitstayid", "hadmid"),
    *("admissionid", "encounterid", "subjectid", "caseid", "personid", "pid", "id"),
)
TIME_NAMES = (
    *("time", "hour", "hours", "minute", "minutes", "iculos", "charttime", "timestamp"),
    *("datetime", "measuredat", "offset", "timehours", "timeminutes", "timeh", "timemin"),
    *("day", "days", "seconds", "date"),
)
VARIABLE_NAMES = (
    *("parameter", "variable", "variablename", "itemid", "item", "measurement", "concept"),
    *("label", "code", "name", "feature"),
)
VALUE_NAMES = ("value", "valuenum", "numericvalue", "result", "reading")
EVENT_NAMES = ("SepsisLabel",)


def find_layout(header: Sequence[str], asked: Layout, name: str) -> Layout:
    """What was asked for, and the rest told from the column names; long, or else wide."""
    for column in (asked.id, asked.time, asked.variable, asked.value):
        _check_there(column, header, name)
    patient = asked.id or _named(header, ID_NAMES)
    time = asked.time or _named(header, TIME_NAMES, but=(patient,))
    taken = (patient, time)
    variable = asked.variable or _named(header, VARIABLE_NAMES, but=taken)
    value = asked.value or _named(header, VALUE_NAMES, but=taken)
    form = asked.form or ("long" if variable and value else "wide")
    if form in ("wide", "p2019"):
        variable = value = ""
    found = replace(
        asked, id=patient, time=time, variable=variable, value=value, form=form
    )  # events are looked for among the variables, later
    _check_complete(found, header, name)
    return found


def find_id(header: Sequence[str], likely: str, name: str) -> str:
    """The column of a static table that names the patient."""
    found = likely if likely in header else _named(header, (_plain(likely), *ID_NAMES))
    if not found:
        raise CohortError(_unfound(name, "names the patient", "'RecordID' or 'patient'", header))
    return found


def _named(header: Sequence[str], names: Sequence[str], but: Sequence[str] = ()) -> str:
    plain = {_plain(h): h for h in reversed(header) if h not in but}
    return next((plain[n] for n in names if n in plain), "")


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def _check_there(column: str, header: Sequence[str], name: str) -> None:
    if not column or column in header:
        return
    close = get_close_matches(column, header, n=3, cutoff=0.6)
    close += [h for h in header if h.casefold() == column.casefold() and h not in close]
    hint = f"Did you mean {quoted(close)}?" if close else f"It has {quoted(header)}."
    raise CohortError(f"{name} has no column '{shorten(column)}'. {hint}")


def _check_complete(layout: Layout, header: Sequence[str], name: str) -> None:
    if not layout.id:
        raise CohortError(_unfound(name, "names the patient", "'RecordID' or 'patient'", header))
    if not layout.time:
        raise CohortError(_unfound(name, "holds the time", "'time' or 'ICULOS'", header))
    if layout.form in ("wide", "p2019"):
        return
    if not layout.variable:
        raise CohortError(
            _unfound(name, "says what was measured", "'variable' or 'Parameter'", header)
        )
    if not layout.value:
        raise CohortError(_unfound(name, "holds what was found", "'value'", header))


def _unfound(name: str, what: str, such_as: str, header: Sequence[str]) -> str:
    return (
        f"No column of {name} is known that {what}, such as {such_as}. Say which one it is; it "
        f"has {quoted(header)}."
    )
