"""Hourly records of the open cohort: who was left out, for how long, and what was measured when."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from cacviz.engine.series.hourly import Sampling, sampling
from cacviz.engine.types import Cohort, Flow
from cacviz.figures import hours as figures
from cacviz.ui.shell.text import plain
from cacviz.wording import series as words

ICONS = {"grave": ":material/error:", "warning": ":material/warning:", "hint": ":material/info:"}


def flow(cohort: Cohort) -> None:
    """How the file's patients became the cohort's, in a bar and in words; nothing for a table."""
    found = cohort.table.flow
    if found is None:
        return
    st.subheader("Hourly records")
    said = words.flow_sentences(found)
    if found.exclusions:
        labels, counts = words.flow_parts(found)
        figure = figures.flow_of_patients(labels, counts)
        st.plotly_chart(figure, key="record_flow", alt=" ".join(said))
    st.markdown(plain(" ".join(said)))
    for exclusion in found.exclusions:
        st.caption(plain(words.example_sentence(exclusion)))
    _noticed(found)


def _noticed(found: Flow) -> None:
    for note in found.notes:
        st.caption(f"{ICONS[note.severity]} {plain(words.record_sentence(note))}")


def hours(cohort: Cohort) -> None:
    """Lengths, sampling, and what is missing by hour."""
    if cohort.series is None or cohort.table.flow is None:
        st.caption("This cohort has one row a patient and no hourly records.")
        return
    found = _sampling(cohort)
    st.markdown(plain(words.series_sentence(cohort.series)))
    st.caption(plain(words.length_sentence(cohort.table.flow)))
    figure = figures.measured_by_hour(found.variables, found.by_hour)
    st.plotly_chart(figure, key="measured_by_hour", alt="Share of patients measured by hour")
    more = len(found.variables) - figures.MOST_DRAWN
    st.caption(
        "Share of patients with a measurement in the hour; the rest is missing there. "
        + (
            f"The {figures.MOST_DRAWN} most often measured of {len(found.variables)}. "
            if more > 0
            else ""
        )
        + "Later hours carry the last value forward; nothing from after the window is used."
    )
    st.dataframe(
        _table(found),
        hide_index=True,
        key="sampling",
        column_config={
            "Patients measured": st.column_config.NumberColumn(format="percent"),
            "Missing by hour": st.column_config.LineChartColumn(
                "Missing by hour", y_min=0.0, y_max=1.0, help="Share of patients, from hour 1 on."
            ),
        },
    )


def _sampling(cohort: Cohort) -> Sampling:
    """Counted once a session for the same patients."""
    held = st.session_state.get("_sampling")
    key = (cohort.table.digest, cohort.choices.subset)
    if not held or held[0] != key:
        assert cohort.series is not None
        held = (key, sampling(cohort.series))
        st.session_state["_sampling"] = held
    return held[1]


def _table(found: Sampling) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Variable": list(found.variables),
            "Patients measured": found.ever,
            "Hours measured (median of these)": found.hours,
            "Missing by hour": [(1 - shares).round(3).tolist() for shares in found.by_hour.T],
        }
    )
