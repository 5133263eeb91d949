"""The history of runs: a table, and for the chosen run its name, note, star and deletion."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import pandas as pd
import streamlit as st

from cacviz import runs
from cacviz.engine.methods import METHODS
from cacviz.runs import RunRow, StoreError
from cacviz.ui import navigation, progress, state
from cacviz.ui.settings import settings_words
from cacviz.ui.sidebar import run_title, titles_of
from cacviz.ui.text import STATE_WORDS, plain

SPACES = (
    "Separation score: of the features for CAC and k-means, of a run's own learned embedding for "
    "deep methods. Do not compare scores of different spaces."
)


def overview(rows: Sequence[RunRow]) -> None:
    """All runs with settings and figures, newest first."""
    score = st.column_config.NumberColumn
    heads = {"AUPRC": score(format="%.3f"), "AUC": score(format="%.3f")}
    heads["Silhouette"] = score(format="%.3f", help=SPACES)
    frame = pd.DataFrame([_line(row) for row in rows])
    st.dataframe(frame, hide_index=True, column_config=heads, placeholder=" ")


def _line(row: RunRow) -> dict[str, Any]:
    config, test, alpha = row.asked.config, row.figures.get("test", {}), used_alpha(row)
    return {
        "": "★" if row.card.star else "",
        "Run": run_title(row),
        "Cohort": row.asked.cohort_name,
        "Started": datetime.fromtimestamp(row.asked.created).strftime("%Y-%m-%d %H:%M"),
        "State": STATE_WORDS[row.state],
        "k": config.n_clusters,
        "α": "" if alpha is None else f"{alpha:.3g}",
        "Seed": config.seed,
        "AUPRC": test.get("auprc_macro", {}).get("value"),
        "AUC": test.get("auc", {}).get("value"),
        "Silhouette": row.figures.get("silhouette"),
        "Note": row.card.note,
    }


def used_alpha(row: RunRow) -> float | None:
    """The α of a run: as asked for, or the one it took; None where its method has none."""
    config = row.asked.config
    if config.method in METHODS and "alpha" not in METHODS[config.method].takes:
        return None
    if config.alpha is not None or row.state != "done":
        return config.alpha
    held = st.session_state.setdefault("_alphas", {})
    if row.id not in held:  # a finished run does not change: read once a session
        with suppress(StoreError):
            held[row.id] = runs.load_run(row.id).summary.alpha
    return held.get(row.id)


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
        st.caption(plain(settings_words(row.asked.config, used_alpha(row))))
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
