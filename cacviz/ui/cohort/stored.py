"""Cohorts that are kept: to open, or to delete for good."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from cacviz.jobs import queue
from cacviz.store import cohorts, runs
from cacviz.store.cohorts import CohortRow
from cacviz.ui.shell import state
from cacviz.ui.shell.text import machine, plain
from cacviz.wording.choices import used_words
from cacviz.wording.words import ago, counted, patients_words


def stored_cohorts(*, expanded: bool) -> None:
    """A line a cohort: name, size, what is decided about it, its runs."""
    rows = cohorts.list_cohorts()
    if not rows:
        return
    with st.expander(f"Cohorts on {machine()} ({len(rows)})", expanded=expanded):
        for row in rows[:30]:
            n_runs = len(runs.list_runs(row.id))
            with st.container(horizontal=True, vertical_alignment="center"):
                _words(row, n_runs)
                if st.button("Open", key=f"open_{row.id}"):
                    state.open_cohort(row.id)
                    st.rerun()
                if st.button("Delete", key=f"delete_{row.id}"):
                    confirm_delete(row.id, row.name, n_runs)


def _words(row: CohortRow, n_runs: int) -> None:
    when = datetime.fromtimestamp(row.created).strftime("%d %b %Y, %H:%M")
    st.markdown(
        f"**{plain(row.name)}**, {patients_words(row.n_patients, row.n_people)}, "
        f"{counted(n_runs, 'run')}; "
        f"opened {when} ({ago(row.created)})  \n{plain(used_words(row.choices, row.classes))}"
    )


@st.dialog("Delete for good?")
def confirm_delete(cohort_id: str, name: str, n_runs: int) -> None:
    """Ask once more: a cohort goes with its runs."""
    with_runs = f" with its {counted(n_runs, 'run')}" if n_runs else ""
    st.markdown(f"**{plain(name)}**{with_runs} will be removed from {machine()}.")
    with st.container(horizontal=True):
        if st.button("Delete for good", type="primary"):
            queue.delete_cohort(cohort_id)
            if state.cohort_id() == cohort_id:
                state.close_cohort()
            st.rerun()
        if st.button("Cancel", key="cancel_delete"):
            st.rerun()
