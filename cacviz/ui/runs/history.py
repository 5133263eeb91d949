"""The history of runs: a table whose rows open, and for the chosen run its name, note and star."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pandas as pd
import streamlit as st

from cacviz.engine.exceptions import CohortError
from cacviz.engine.running.methods import METHODS
from cacviz.jobs import queue
from cacviz.store import cohorts, runs
from cacviz.store.runs import RunRow
from cacviz.ui.finding import progress
from cacviz.ui.shell import navigation, quick, state
from cacviz.ui.shell.run_names import title_of, titles_of
from cacviz.ui.shell.text import STATE_WORDS, plain
from cacviz.wording.choices import difference_words, outcome_words, used_words
from cacviz.wording.methods import method_title
from cacviz.wording.runs import settings_words
from cacviz.wording.words import some_of

SPACES = (
    "Separation score: of the features for CAC and k-means, of a run's own learned embedding for "
    "deep methods. Do not compare scores of different spaces."
)

MEAN_HELP = (
    "AUPRC, the mean over the classes of the outcome, on this run's held-out patients alone. "
    "Intervals and their number stand on Subtypes."
)
WIDTHS = {"Cohort": 120, "Outcome": 130, "Features": 75, "k": 40, "α": 65, "β": 50, "Seed": 50}


def overview(rows: Sequence[RunRow], *, key: str, without: Sequence[str] = ()) -> RunRow | None:
    """All runs with what they used and found, newest first; gives the run whose row was picked."""
    score = st.column_config.NumberColumn
    heads: dict[str, Any] = {
        "AUPRC (mean)": score(format="%.3f", help=MEAN_HELP, width=105),
        "AUC": score(format="%.3f", width=65),
    }
    heads["Silhouette"] = score(format="%.3f", help=SPACES)
    heads["Run"] = st.column_config.TextColumn(pinned=True, width=210)
    heads |= {name: st.column_config.Column(width=width) for name, width in WIDTHS.items()}
    frame = pd.DataFrame(_lines(rows)).drop(columns=list(without))
    picked = st.dataframe(
        frame,
        hide_index=True,
        column_config=heads,
        placeholder=" ",
        on_select="rerun",
        selection_mode="single-row",
        key=key,
    )
    chosen = picked.selection.rows  # type: ignore[attr-defined]
    return rows[chosen[0]] if chosen else None


def _lines(rows: Sequence[RunRow]) -> list[dict[str, Any]]:
    titles = titles_of(rows)
    today = {row.id: row for row in cohorts.list_cohorts()}
    return [_line(row, titles[row.id], today.get(row.asked.cohort_id)) for row in rows]


def _line(row: RunRow, title: str, cohort: cohorts.CohortRow | None) -> dict[str, Any]:
    asked, test = row.asked, row.figures.get("test", {})
    config, choices = asked.config, asked.choices
    same = cohort is not None and cohort.fingerprint == asked.fingerprint
    return {
        "Run": title,
        "Cohort": asked.cohort_name,
        "AUPRC (mean)": test.get("auprc_macro", {}).get("value"),
        "AUC": test.get("auc", {}).get("value"),
        "Outcome": outcome_words(choices.outcome, asked.classes),
        "Features": len(choices.names("feature")),
        "Method": method_title(config.method),
        "k": config.n_clusters,
        "α": _weight(row, "alpha"),
        "β": _weight(row, "beta"),
        "Seed": config.seed,
        "Silhouette": row.figures.get("silhouette"),
        "Left out": some_of(choices.names("left out"), 3) if choices.names("left out") else "",
        "Today's choices": "yes" if same else "no",
        "State": STATE_WORDS[row.state],
        "Started": datetime.fromtimestamp(asked.created).strftime("%Y-%m-%d %H:%M"),
        "Note": row.card.note,
    }


def _weight(row: RunRow, name: str) -> str:
    """α or β as used; empty where the method has none."""
    value = used(row, name)
    return "" if value is None else f"{value:.3g}"


def used(row: RunRow, name: str) -> float | None:
    """A weight as it was used: found by the run, asked for, or the method's default."""
    method = METHODS.get(row.asked.config.method)
    if method is None or name not in method.settings:
        return None
    found = row.figures.get(name)
    if found is None:
        found = row.asked.config.get(name)
    return method.default(name) if found is None else found


def details(row: RunRow) -> None:
    """Name, note, star, settings, open, resume and delete of one run."""
    with st.container(border=True):
        st.markdown(f"**{plain(title_of(row))}**")
        left, right = st.columns(2)
        name = left.text_input("Name", row.card.name, max_chars=80, key=f"name_{row.id}")
        note = right.text_input("Note", row.card.note, max_chars=400, key=f"note_{row.id}")
        star = st.toggle("Star", row.card.star, key=f"star_{row.id}")
        if (name, note, star) != (row.card.name, row.card.note, row.card.star):
            runs.change_card(row.id, name=name, note=note, star=star)
            st.rerun()
        st.caption(plain(settings_words(row.asked.config, used(row, "alpha"))))
        _choices(row)
        with st.container(horizontal=True):
            if row.state == "done" and st.button("Open", type="primary", key=f"open_{row.id}"):
                state.open_run(row.id)
                navigation.go("subtypes")
            if st.button("Delete for good", key=f"delete_{row.id}"):
                confirm(row)
        if row.state != "done":
            progress.show_ended(row.id)


def _choices(row: RunRow) -> None:
    """What the run used of its cohort, and how that differs from today."""
    st.caption(plain(used_words(row.asked.choices, row.asked.classes, most=8)))
    known = [c for c in cohorts.list_cohorts() if c.id == row.asked.cohort_id]
    if known and known[0].fingerprint != row.asked.fingerprint:
        words = difference_words(row.asked.choices, known[0].choices)
        st.caption(f":material/history: Other than today's choices: {plain(words)}.")


@st.dialog("Delete for good?")
def confirm(row: RunRow) -> None:
    """Ask once more, and say which."""
    title = title_of(row)
    st.markdown(
        f"The run **{plain(title)}** of {plain(row.asked.cohort_name)} will be removed from this "
        "computer."
    )
    with st.container(horizontal=True):
        if st.button("Delete for good", type="primary", key="confirm_delete"):
            queue.delete_run(row.id)
            if state.run_id() == row.id:
                state.close_run()
            st.rerun()
        if st.button("Cancel", key="cancel_delete"):
            st.rerun()


def open_file() -> None:
    """A run that was exported elsewhere: checked by the helper, then listed."""
    with st.expander("Open a run from a file"):
        st.caption(
            "A zip that `cacviz export` or the page Report made. It is checked before it is kept."
        )
        given = st.file_uploader("Run as a file", type="zip", key="run_file")
        if given is not None and st.button("Take it in", key="take_in"):
            try:
                taken = quick.take_in(given.getvalue())
            except CohortError as error:
                st.error(plain(error), icon=":material/error:")
                return
            state.open_run(taken.run_id)
            navigation.go("subtypes")
