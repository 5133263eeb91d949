"""The history of runs: a table, and for the chosen run its name, note, star and deletion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import pandas as pd
import streamlit as st

from cacviz import runs
from cacviz.runs import RunRow
from cacviz.ui import navigation, progress, state
from cacviz.ui.sidebar import run_title, titles_of
from cacviz.ui.text import STATE_WORDS, plain


def overview(rows: Sequence[RunRow]) -> None:
    """All runs with settings and figures, newest first."""
    st.dataframe(pd.DataFrame([_line(row) for row in rows]), hide_index=True)


def _line(row: RunRow) -> dict[str, Any]:
    config, test = row.asked.config, row.figures.get("test", {})
    return {
        "": "★" if row.card.star else "",
        "Run": run_title(row),
        "Cohort": row.asked.cohort_name,
        "Started": datetime.fromtimestamp(row.asked.created).strftime("%Y-%m-%d %H:%M"),
        "State": STATE_WORDS[row.state],
        "k": config.n_clusters,
        "α": config.alpha,
        "Seed": config.seed,
        "AUPRC": test.get("auprc_macro", {}).get("value"),
        "AUC": test.get("auc", {}).get("value"),
        "Silhouette": row.figures.get("silhouette"),
        "Note": row.card.note,
    }


def choose(rows: Sequence[RunRow], current: str | None) -> RunRow | None:
    """The run to look at more closely."""
    ids = [row.id for row in rows]
    names, titles = {row.id: row.asked.cohort_name for row in rows}, titles_of(rows)
    titles = {i: f"{title} · {names[i]}" for i, title in titles.items()}
    index = ids.index(current) if current in ids else None
    chosen = st.selectbox("A run", ids, index, format_func=titles.__getitem__, placeholder="Choose")
    return next((row for row in rows if row.id == chosen), None)


def details(row: RunRow) -> None:
    """Name, note, star, settings, open, resume and delete of one run."""
    with st.container(border=True):
        left, right = st.columns(2)
        name = left.text_input("Name", row.card.name, max_chars=80, key=f"name_{row.id}")
        note = right.text_input("Note", row.card.note, max_chars=400, key=f"note_{row.id}")
        star = st.toggle("Star", row.card.star, key=f"star_{row.id}")
        if (name, note, star) != (row.card.name, row.card.note, row.card.star):
            runs.change_card(row.id, name=name, note=note, star=star)
            st.rerun()
        settings = {k: v for k, v in asdict(row.asked.config).items() if v is not None}
        st.caption(plain(", ".join(f"{k} {v}" for k, v in settings.items())))
        if row.state == "done":
            if st.button("Open", type="primary", key=f"open_{row.id}"):
                state.open_run(row.id)
                navigation.go("subtypes")
        else:
            progress.show_ended(row.id)
        if st.button("Delete for good", key=f"delete_{row.id}"):
            _confirm(row)


@st.dialog("Delete for good?")
def _confirm(row: RunRow) -> None:
    st.markdown(f"**{plain(run_title(row))}** will be removed from this computer.")
    if st.button("Delete for good", type="primary", key="confirm_delete"):
        runs.delete_run(row.id)
        if state.current_run_id() == row.id:
            state.close_run()
        st.rerun()
