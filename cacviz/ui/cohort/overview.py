"""A cohort at a glance: size, features, outcome, gaps, and where its patients will go."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cacviz.engine.exceptions import CohortError
from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.types import TEST, TRAIN, UNUSED, VALIDATION, Cohort
from cacviz.figures import flow
from cacviz.store import cohorts
from cacviz.ui.shell import bound, state
from cacviz.ui.shell.text import plain
from cacviz.wording.flow import LEGEND, flow_sentence


def overview(cohort: Cohort) -> None:
    """Name, what was noted while reading, and five figures."""
    st.subheader(plain(cohort.name))
    for note in cohort.table.notes[:6]:
        st.caption(f":material/info: {plain(note)}")
    features = cohort.names("feature")
    gaps = cohort.frame[features].isna().to_numpy().mean() if features else 0.0
    shown = {
        **_size(cohort),
        "Features": f"{len(features):,}",
        "Left out": f"{len(cohort.names('left out')):,}",
        "Outcome": plain(cohort.column(cohort.outcome.column).title)
        if cohort.outcome
        else "not chosen",
        "Event": plain(event_words(cohort)),
        "Missing in features": f"{gaps:.1%}",
    }
    with st.container(horizontal=True):  # wraps where the window is narrow
        for label, value in shown.items():
            if value:
                st.metric(label, value, border=True, width="content")


def _size(cohort: Cohort) -> dict[str, str]:
    """Rows; and how many patients the stays are of, where a patient has several."""
    if cohort.n_people < cohort.n_patients:
        return {"Stays": f"{cohort.n_patients:,}", "Different patients": f"{cohort.n_people:,}"}
    return {"Patients or stays": f"{cohort.n_patients:,}"}


def rename(cohort: Cohort) -> None:
    """The cohort's own name."""
    name = state.cohort_id()
    if name is None:
        return

    def keep(_: str, wanted: str) -> None:
        if wanted.strip():
            cohorts.rename_cohort(name, wanted.strip()[:80])

    bound.text(st, "Name of the cohort", cohort.name, keep, f"cohort_name_{name}", max_chars=80)


def event_words(cohort: Cohort) -> str:
    """Of two classes, the one whose risk is shown, and how many have it; empty for more."""
    if len(cohort.classes) != 2:
        return ""
    known = cohort.y[cohort.y >= 0]
    return f"{cohort.classes[1]}: {np.sum(known == 1):,} ({np.mean(known == 1):.1%})"


def patients(cohort: Cohort, part: np.ndarray | None = None) -> None:
    """Where the patients go: they add up. `part` is a run's own split."""
    if cohort.n_patients == 0:
        return
    try:
        part = split_cohort(cohort, 0).part if part is None else part
    except CohortError:
        return
    counts = [int(np.sum(part == p)) for p in (TRAIN, VALIDATION, TEST, UNUSED)]
    said = flow_sentence(counts, cohort.n_people)
    st.plotly_chart(flow.patients(counts, LEGEND), key="patients", alt=said)
    st.caption(said)
