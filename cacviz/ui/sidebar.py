"""The sidebar: the open cohort, the run with a switcher, what is running, and where data stays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from cacviz import runs
from cacviz.engine.methods import METHODS
from cacviz.runs import RunRow
from cacviz.ui import progress, state
from cacviz.ui.text import RESEARCH_ONLY, STATE_WORDS, STAYS_HERE, plain

# these show what is running themselves
LIVE_PAGES = ("find_subtypes", "subtypes", "what_differs", "risk_factors")


def show(page: str) -> None:
    """Draw the sidebar of a page."""
    with st.sidebar:
        cohort_id, cohort = state.current_cohort_id(), state.current_cohort()
        if cohort_id and cohort is not None:
            st.caption("Cohort")
            st.markdown(f"**{plain(cohort.name)}**  \n{cohort.n_patients:,} patients")
            _switcher(cohort_id)
        if not (page in LIVE_PAGES and progress.is_live(state.current_run_id())):
            progress.show_running()
        st.caption(f":material/lock: {STAYS_HERE}  \n{RESEARCH_ONLY}")


def short_title(method: str) -> str:
    """A method's name without what stands in brackets behind it."""
    return METHODS[method].title.split(" (")[0] if method in METHODS else method


def run_title(row: RunRow) -> str:
    """A run in a list: its name, or what it was asked for."""
    config = row.asked.config
    name = row.card.name or f"{short_title(config.method)}, k = {config.n_clusters}"
    star = "★ " if row.card.star else ""
    state_word = "" if row.state == "done" else f" ({STATE_WORDS[row.state]})"
    return f"{star}{name}{state_word}"


def titles_of(rows: Sequence[RunRow]) -> dict[str, str]:
    """A title of its own for each run: Streamlit takes two options with one title for the same."""
    bare = [run_title(row) for row in rows]
    titles: dict[str, str] = {}
    for row, title in zip(reversed(rows), reversed(bare), strict=True):
        if bare.count(title) > 1:
            title += datetime.fromtimestamp(row.asked.created).strftime(" · %d %b %H:%M")
        same = sum(t == title or t.startswith(f"{title} (") for t in titles.values())
        titles[row.id] = f"{title} ({same + 1})" if same else title
    return titles


def _switcher(cohort_id: str) -> None:
    rows = runs.list_runs(cohort_id)
    if not rows:
        st.caption("No runs yet")
        return
    ids = [row.id for row in rows]
    titles = titles_of(rows)
    current = state.current_run_id()
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
