"""The sidebar: the open cohort and what is decided about it, the run, what is running."""

from __future__ import annotations

import streamlit as st

from cacviz.store import runs
from cacviz.store.cohorts import CohortRow
from cacviz.store.wards import ward
from cacviz.ui.finding import progress
from cacviz.ui.shell import state
from cacviz.ui.shell.run_names import titles_of
from cacviz.ui.shell.text import RESEARCH_ONLY, plain
from cacviz.wording.choices import left_out_words, outcome_words, subset_words
from cacviz.wording.serving import stays_here
from cacviz.wording.words import counted, patients_words

# these show what is running themselves
LIVE_PAGES = ("find_subtypes", "subtypes", "what_differs", "risk_factors")


def show(page: str) -> None:
    """Draw the sidebar of a page."""
    with st.sidebar:
        row = state.row()
        if row is not None:
            _cohort(row)
            _switcher(row.id)
        if not (page in LIVE_PAGES and progress.is_live(state.run_id())):
            progress.show_running()
        stays = stays_here(served=ward() is not None)
        st.caption(f":material/lock: {stays}  \n{RESEARCH_ONLY}")


def _cohort(row: CohortRow) -> None:
    """Name, size, outcome, features and what is left out, as decided now."""
    st.caption("Cohort")
    lines = [f"**{plain(row.name)}**", patients_words(row.n_patients, row.n_people)]
    if row.choices.subset:
        lines.append(f"only {plain(subset_words(row.choices.subset))}")
    st.markdown("  \n".join(lines))
    features = counted(len(row.choices.names("feature")), "feature")
    outcome = plain(outcome_words(row.outcome, row.classes))
    st.caption(f"Outcome: {outcome}  \n{features}; {plain(left_out_words(row.choices))}")


def _switcher(cohort_id: str) -> None:
    rows = runs.list_runs(cohort_id)
    if not rows:
        st.caption("No runs yet")
        return
    ids = [row.id for row in rows]
    titles = titles_of(rows)
    current = state.run_id()
    chosen = st.selectbox(
        "Run",
        ids,
        index=ids.index(current) if current in ids else None,
        format_func=lambda i: titles[i],
        placeholder="Choose a run",
        # a new widget for new titles: it would go on showing the old one
        key=f"switch_{current}_{hash(tuple(titles.values()))}",
    )
    if chosen and chosen != current:
        state.open_run(chosen)
        st.rerun()
