"""Who the page speaks of: a form with units and usual ranges, or a patient of the cohort."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from cacviz.engine.insights.types import Profiles, Students
from cacviz.engine.reading.kinds import as_numbers, as_words
from cacviz.engine.reading.levels import ordered_levels
from cacviz.engine.types import TRAIN, Cohort, Column
from cacviz.engine.types.telling import short_number
from cacviz.store.runs import StoredRun
from cacviz.ui.patient.asking import Values
from cacviz.ui.shell import layout
from cacviz.ui.shell.text import plain
from cacviz.wording.patient import BLANK, HOURS_LEAD, WITHOUT_PATIENTS

FIRST = 12  # fields that are open at once
SLACK = 4  # so few more are not worth folding
MOST_LEVELS = 60
WAYS = {"new": "A new patient", "row": "A patient of the cohort", "file": "A file of patients"}


def choose_way(run: StoredRun, *, hours: bool) -> str:
    """How patients come in; the hours of a stay cannot be typed in.

    A run that came without its patients has no usual ranges and nobody alike: it takes a file.
    """
    if run.without_patients:
        st.info(WITHOUT_PATIENTS)
        return "file"
    ways = [w for w in WAYS if w != "new" or not hours]
    if hours:
        st.caption(HOURS_LEAD)
    picked = st.segmented_control(
        "Who",
        ways,
        default=ways[0],
        format_func=WAYS.__getitem__,
        key="hours_way" if hours else "patient_way",
        persist_state="session",
    )
    return picked or ways[0]


def taken(run: StoredRun) -> Values | None:
    """The values of the patient of the cohort that was taken."""
    return st.session_state.get(f"_patient_{run.id}")


def used_columns(
    cohort: Cohort, students: Students | None, profiles: Profiles | None = None
) -> list[Column]:
    """The features, those first that matter most for the risk or for telling the subtypes."""
    features = [c for c in cohort.columns if c.role == "feature" and c.kind not in ("date", "text")]
    weight: dict[str, float] = {}
    for view in students.views if students is not None else ():
        for student in view.students:
            for factor in (*student.factors, *student.noise):
                weight[factor.name] = max(weight.get(factor.name, 0.0), factor.importance)
    by_risk = sorted(features, key=lambda c: -weight.get(c.name, 0.0))
    risk = {c.name: place for place, c in enumerate(by_risk)}
    apart = {f.name: place for place, f in enumerate(profiles.features if profiles else ())}
    return sorted(by_risk, key=lambda c: min(risk[c.name], apart.get(c.name, len(features))))


def row_of(run: StoredRun, cohort: Cohort) -> int | None:
    """A patient of the cohort, by id or by row number."""
    ids = cohort.names("patient id")
    label = f"{cohort.column(ids[0]).title}, or #row" if ids else "Row number"
    left, right = layout.beside("pick_patient", [3, 1])
    typed = left.text_input(plain(label), key=f"row_{run.id}", placeholder="for example #1")
    if right.button("Take this patient", key="take_row", disabled=not typed, width="stretch"):
        found = _find(cohort, ids, typed.strip())
        if found is None:
            st.warning("No patient of the cohort has this id or row.")
        else:
            fill(run, cohort, found)
            st.rerun()
    return st.session_state.get(f"_row_{run.id}")


def _find(cohort: Cohort, ids: Sequence[str], typed: str) -> int | None:
    if ids and not typed.startswith("#"):
        rows = np.flatnonzero((as_words(cohort.frame[ids[0]]) == typed).to_numpy(dtype=bool))
        return int(rows[0]) if len(rows) else None
    number = typed.lstrip("#")
    row = int(number) - 1 if number.isdigit() else -1
    return row if 0 <= row < cohort.n_patients else None


def fill(run: StoredRun, cohort: Cohort, row: int) -> None:
    """Put a patient's values into the form, and speak of it."""
    values: Values = {}
    for column in used_columns(cohort, None):
        value = _value(cohort.frame[column.name], column, row)
        values[column.name] = value
        st.session_state[_key(run, column)] = value
    st.session_state[f"_row_{run.id}"] = row
    st.session_state[f"_patient_{run.id}"] = values


def _value(values: pd.Series, column: Column, row: int) -> Any:
    one = values.iloc[row : row + 1]
    if column.kind == "number":
        number = float(as_numbers(one)[0])
        return None if number != number else number
    word = as_words(one).iloc[0]
    return str(word) if isinstance(word, str) else None


def form(run: StoredRun, cohort: Cohort, columns: Sequence[Column]) -> Values | None:
    """A field a feature, blank where nothing is known; gives what was last submitted."""
    with st.form(f"patient_{run.id}", border=True):
        st.caption(BLANK)
        first = FIRST if len(columns) > FIRST + SLACK else len(columns)
        said = _fields(run, cohort, columns[:first], "first")
        if len(columns) > first:
            with st.expander(f"All other values ({len(columns) - first})"):
                said |= _fields(run, cohort, columns[first:], "others")
        go = st.form_submit_button("Predict", type="primary", icon=":material/person_search:")
    held = f"_patient_{run.id}"
    if go:
        row = st.session_state.get(f"_row_{run.id}")
        if row is not None and said != st.session_state.get(held):
            st.session_state[f"_row_{run.id}"] = None  # changed: no patient of the cohort any more
        st.session_state[held] = said
    return st.session_state.get(held)


def _fields(run: StoredRun, cohort: Cohort, columns: Sequence[Column], key: str) -> Values:
    said: Values = {}
    for place, column in zip(layout.cards(f"fields_{key}", len(columns)), columns, strict=True):
        with place:
            said[column.name] = _field(run, cohort, column)
    return said


def _field(run: StoredRun, cohort: Cohort, column: Column) -> Any:
    unit = f" ({column.unit})" if column.unit else ""
    label, key = plain(f"{column.title}{unit}"), _key(run, column)
    if column.kind == "number":
        low, high = _usual(run, cohort, column.name)
        shown = f"{short_number(low)} to {short_number(high)}" if low == low else "never measured"
        return st.number_input(
            label, value=None, placeholder=shown, key=key, persist_state="session", format="%g"
        )
    options = _levels(run, cohort, column.name)
    return st.selectbox(
        label, options, index=None, placeholder="not known", key=key, persist_state="session"
    )


def _key(run: StoredRun, column: Column) -> str:
    return f"field_{run.id}_{column.name}"


def _held(run: StoredRun, kind: str) -> dict[str, Any]:
    """What was told from the cohort for this form, once a session."""
    held = st.session_state.get("_usual")
    if not held or held["run"] != run.id:
        held = {"run": run.id, "range": {}, "levels": {}}
        st.session_state["_usual"] = held
    return held[kind]


def _usual(run: StoredRun, cohort: Cohort, name: str) -> tuple[float, float]:
    known = _held(run, "range")
    if name not in known:
        values = as_numbers(cohort.frame[name])[run.part == TRAIN]
        values = values[~np.isnan(values)]
        # somebody's values: an age of 44 and not of 43.59
        ends = np.quantile(values, [0.01, 0.99], method="nearest") if len(values) else [np.nan] * 2
        known[name] = (float(ends[0]), float(ends[1]))
    return known[name]


def _levels(run: StoredRun, cohort: Cohort, name: str) -> list[str]:
    known = _held(run, "levels")
    if name not in known:
        counts = as_words(cohort.frame[name]).value_counts().head(MOST_LEVELS)
        known[name] = ordered_levels({str(w): int(n) for w, n in counts.items()})
    return known[name]
