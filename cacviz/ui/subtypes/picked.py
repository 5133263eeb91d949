"""Patients picked on the map: who they are, what sets them apart, a rule, and the export."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from cacviz.engine.exceptions import CohortError
from cacviz.engine.insights.contrasts import Contrast
from cacviz.engine.insights.described.small_cells import shown_counts
from cacviz.engine.insights.names import told_apart
from cacviz.engine.insights.selection import Selected
from cacviz.engine.types import Cohort
from cacviz.engine.types.telling import short_number
from cacviz.store.paths import kept_here
from cacviz.store.preferences import read_preferences
from cacviz.store.runs import StoredRun
from cacviz.ui.shell import quick
from cacviz.ui.shell.text import plain
from cacviz.wording.cells import safe_csv
from cacviz.wording.tables import HIDDEN, WHY_HIDDEN, feature_title
from cacviz.wording.words import counted

REST, KEPT = "everybody else", "the selection kept before"


def panel(run: StoredRun, cohort: Cohort, titles: Sequence[str], rows: np.ndarray) -> None:
    """How many were picked, from where, what sets them apart, a rule, and the export."""
    st.subheader("Picked patients")
    _kept_sign(run)
    if not len(rows):
        st.caption("Draw a lasso or a box on the map to see who the patients inside are.")
        return
    others = _others(run, titles, rows)
    try:
        made = quick.selected(
            run, cohort, _listed(rows), None if others is None else _listed(others)
        )
    except CohortError as error:
        st.warning(plain(error))
        return
    _composition(made, cohort, titles)
    _differences(made)
    if st.button("State it as a rule", icon=":material/rule:", key="as_rule"):
        _rule(run, cohort, rows, others)
    _actions(run, cohort, titles, rows)


def _listed(rows: np.ndarray) -> list[int]:
    return [int(row) for row in rows]


def _kept_sign(run: StoredRun) -> None:
    """A sign that something is kept, and a way to let it go."""
    kept_of, kept = st.session_state.get("_kept_rows", (None, ()))
    if kept_of != run.id:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/bookmark: {counted(len(kept), 'patient')} kept to compare with")
        if st.button("Let go", key="let_go"):
            st.session_state.pop("_kept_rows", None)
            st.rerun()


def _rule(run: StoredRun, cohort: Cohort, rows: np.ndarray, others: np.ndarray | None) -> None:
    beside = None if others is None else _listed(others)
    try:
        with st.spinner("Looking for a short rule …"):
            rule = quick.rule(run.asked.cohort_id, cohort, _listed(rows), beside)
    except CohortError as error:
        st.warning(plain(error))
        return
    if not rule.text:
        st.caption("No short rule finds these patients.")
        return
    st.markdown(plain(rule.text))
    st.caption(
        f"{rule.precision:.0%} of the {rule.n:,} patients that it finds were picked (precision); "
        f"it finds {rule.recall:.0%} of those picked (recall). What is missing counts as typical."
    )


def _others(run: StoredRun, titles: Sequence[str], rows: np.ndarray) -> np.ndarray | None:
    """Whom to compare with: the rest, a subtype, or the selection kept before."""
    kept_of, kept = st.session_state.get("_kept_rows", (None, rows))
    choices = {-1: REST} | dict(enumerate(told_apart(titles, (REST, KEPT))))
    if kept_of == run.id:
        choices[len(titles)] = KEPT
    chosen: int = st.selectbox(
        "Compared with", [*choices], format_func=choices.__getitem__, key=f"others_{run.id}"
    )
    if choices[chosen] == REST:
        return None
    others = kept if choices[chosen] == KEPT else np.flatnonzero(run.clusters == chosen)
    return np.setdiff1d(others, rows)


def _composition(made: Selected, cohort: Cohort, titles: Sequence[str]) -> None:
    hide = read_preferences().hide_small
    st.markdown(f"**{counted(made.n, 'patient')}**, compared with {made.n_other:,}")
    hidden = False
    for title, words, counts in (
        ("By subtype", titles, made.by_cluster),
        ("By outcome", cohort.classes, made.by_class),
    ):
        shown = shown_counts(np.array(counts)) if hide else counts
        hidden = hidden or None in shown
        total = max(1, sum(counts))
        told = [
            f"{plain(word)} {HIDDEN if n is None else f'{n:,} ({n / total:.0%})'}"
            for word, n in zip(words, shown, strict=True)
            if n != 0
        ]
        st.caption(f"{title}: {'; '.join(told)}")
    if hidden:
        st.caption(WHY_HIDDEN)


def _differences(made: Selected) -> None:
    """Numbers by their means, categories by the share of the level that differs most."""
    rows = [
        {
            "Feature": feature_title(c, c.level or None),
            "Picked": _figure(c, c.picked),
            "Compared": _figure(c, c.compared),
            "Difference (sd)": c.effect,
        }
        for c in made.differences
    ]
    if rows:
        number = st.column_config.NumberColumn
        formats = {"Difference (sd)": number(format="%.2f")}
        frame = pd.DataFrame(rows)
        st.dataframe(frame, hide_index=True, column_config=formats, height=250)


def _figure(contrast: Contrast, value: float) -> str:
    if contrast.level:
        return f"{value:.0%}"
    return "not measured" if np.isnan(value) else short_number(value)


def _actions(run: StoredRun, cohort: Cohort, titles: Sequence[str], rows: np.ndarray) -> None:
    left, right = st.columns(2)
    if left.button("Keep to compare", key="keep_selection", width="stretch"):
        st.session_state["_kept_rows"] = (run.id, rows)
        st.rerun()
    right.download_button(
        "Export",
        data=kept_here(lambda: safe_csv(_export(run, cohort, titles, rows))),
        file_name="picked_patients.csv",
        mime="text/csv",
        on_click="ignore",
        key="export_selection",
        width="stretch",
    )


def _export(
    run: StoredRun, cohort: Cohort, titles: Sequence[str], rows: np.ndarray
) -> pd.DataFrame:
    """The picked patients' rows, with subtype and risk in front."""
    frame = cohort.frame.iloc[rows].copy()
    frame.insert(0, _free("subtype", frame), [titles[j] for j in run.clusters[rows]])
    frame.insert(1, _free("risk", frame), run.proba[rows, -1])
    return frame


def _free(head: str, frame: pd.DataFrame) -> str:
    """The head, unless the cohort has a column of that name."""
    return _free(f"{head} (cacviz)", frame) if head in frame else head
