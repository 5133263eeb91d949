"""The patient map of the page Subtypes: colours, a lasso, and who was picked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from cacviz.engine.insights.names import told_apart
from cacviz.engine.insights.selection import Selected, as_rule, describe_selection
from cacviz.engine.insights.tables import WHY_NOT_SHOWN
from cacviz.engine.insights.types import NOT_SHOWN, PatientMap
from cacviz.engine.kinds import as_numbers, as_words
from cacviz.engine.silhouettes import sample_rows
from cacviz.engine.types import Cohort, Column
from cacviz.figures import scatter
from cacviz.figures.patient_map import picked_rows, with_selection
from cacviz.figures.theme import PALETTE, outcome_color
from cacviz.runs import StoredRun
from cacviz.ui import insight_views
from cacviz.ui.downloads import AS_SVG, safe_csv
from cacviz.ui.layout import beside
from cacviz.ui.text import plain

PARTS = ("Subtype", "Outcome", "Risk", "Missing values")
PCA = "Two principal components until the map is there: for orientation, not proof."
REST, KEPT = "everybody else", "the selection kept before"


@st.fragment
def map_and_picked(run: StoredRun, cohort: Cohort, names: Sequence[str]) -> None:
    """The map beside who was picked on it; a colour or a lasso redraws these two alone."""
    left, right = beside("map", [3, 2])
    with left:
        picked = patient_map(run, cohort, names)
    with right:
        selection_panel(run, cohort, names, picked)


def patient_map(run: StoredRun, cohort: Cohort, names: Sequence[str]) -> np.ndarray:
    """The patients on a plane, coloured as asked; gives the rows picked by lasso or box."""
    st.subheader("Patient map")
    titles = _colorings(cohort)
    color: str | Column = st.selectbox(
        "Colour by",
        [*titles],
        format_func=titles.__getitem__,
        key="map_color",
        persist_state="session",
    )
    found: PatientMap | None = insight_views.part(run, "map")
    rows = found.rows if found else sample_rows(len(run.part), seed=run.summary.config.seed)
    points = found.positions if found else run.map2d[rows]
    figure = with_selection(_figure(run, cohort, names, color, rows, points))
    event = st.plotly_chart(
        figure,
        key=f"map_{'umap' if found else 'pca'}",
        on_select="rerun",
        selection_mode=("lasso", "box"),
        config=AS_SVG,
        alt=f"Patients on a plane, coloured by {titles[color]}",
    )
    st.caption(found.note if found else PCA)
    if found is None:
        insight_views.part_or_word(run, "map")
    return picked_rows(event.selection.points)  # type: ignore[attr-defined]


def _colorings(cohort: Cohort) -> dict[str | Column, str]:
    """What the map can be coloured by, with a title each: Streamlit takes two alike for one."""
    columns = [cohort.column(n) for n in cohort.names("feature", "sensitive", "external check")]
    shown = [*PARTS, *(c.title for c in columns)]
    titles = [
        c.title if shown.count(c.title) == 1 else f"{c.title} (column {c.name})" for c in columns
    ]
    return dict(zip([*PARTS, *columns], [*PARTS, *told_apart(titles, PARTS)], strict=True))


def _figure(
    run: StoredRun,
    cohort: Cohort,
    names: Sequence[str],
    color: str | Column,
    rows: np.ndarray,
    points: np.ndarray,
) -> go.Figure:
    if isinstance(color, Column):
        return _by_column(cohort, color, rows, points)
    if color == "Subtype":
        return scatter.by_group(points, run.clusters[rows], names, PALETTE, rows)
    if color == "Outcome":
        colors = [outcome_color(i) for i in range(len(cohort.classes))]
        return scatter.by_group(points, cohort.y[rows], cohort.classes, colors, rows)
    if color == "Risk":
        title = f"Risk of {cohort.classes[-1]}, %"
        return scatter.by_number(points, 100 * run.proba[rows, -1], title, rows)
    gone = cohort.frame[cohort.names("feature")].iloc[rows].isna().mean(axis=1)
    return scatter.by_number(points, 100 * gone.to_numpy(), "Missing values, %", rows)


def _by_column(cohort: Cohort, column: Column, rows: np.ndarray, points: np.ndarray) -> go.Figure:
    values = cohort.frame[column.name].iloc[rows]
    if column.kind == "number":
        unit = f" ({column.unit})" if column.unit else ""
        return scatter.by_number(points, as_numbers(values), f"{column.title}{unit}", rows)
    codes, levels = _levels(values)
    return scatter.by_group(points, codes, levels, PALETTE, rows)


def _levels(values: pd.Series) -> tuple[np.ndarray, list[str]]:
    """The seven most frequent levels and the rest as codes; -1 where missing."""
    words = as_words(values)
    common = list(words.value_counts().index[:7])
    names = [*common, "other"] if words.nunique() > len(common) else common
    place = {w: i for i, w in enumerate(common)}
    codes = [
        -1 if pd.isna(w) else place.get(w, len(common)) for w in words.astype(object).to_numpy()
    ]
    return np.array(codes), [str(n) for n in names]


def selection_panel(run: StoredRun, cohort: Cohort, names: Sequence[str], rows: np.ndarray) -> None:
    """Who was picked: how many, from where, what sets them apart, a rule, and the export."""
    st.subheader("Picked patients")
    if not len(rows):
        st.caption("Draw a lasso or a box on the map to see who the patients inside are.")
        return
    others = _others(run, names, rows)
    made = describe_selection(cohort, run.clusters, len(names), rows, others)
    if made.n is None:
        st.info("Fewer than 5 patients: nothing is shown of so few.")
        return
    _composition(made, cohort, names)
    _differences(made)
    if st.button("State it as a rule", icon=":material/rule:", key="as_rule"):
        rule = as_rule(cohort, rows, others)
        st.markdown(plain(rule.text))
        if rule.n is not None:
            st.caption(
                f"{rule.precision:.0%} of the patients that it finds were picked (precision); it "
                f"finds {rule.recall:.0%} of those picked (recall). What is missing counts as "
                "typical."
            )
    _actions(run, cohort, names, rows)


def _others(run: StoredRun, names: Sequence[str], rows: np.ndarray) -> np.ndarray | None:
    """Whom to compare with: the rest, a subtype, or the selection kept before."""
    kept_of, kept = st.session_state.get("_kept_rows", (None, rows))
    choices = {-1: REST} | dict(enumerate(told_apart(names, (REST, KEPT))))
    if kept_of == run.id:
        choices[len(names)] = KEPT
    chosen: int = st.selectbox(
        "Compared with", [*choices], format_func=choices.__getitem__, key=f"others_{run.id}"
    )
    if choices[chosen] == REST:
        return None
    others = kept if choices[chosen] == KEPT else np.flatnonzero(run.clusters == chosen)
    return np.setdiff1d(others, rows)


def _composition(made: Selected, cohort: Cohort, names: Sequence[str]) -> None:
    others = "fewer than 5" if made.n_other is None else f"{made.n_other:,}"
    st.markdown(f"**{made.n:,} patients**, compared with {others}")
    for title, words, counts in (
        ("By subtype", names, made.by_cluster),
        ("By outcome", cohort.classes, made.by_class),
    ):
        parts = [
            f"{plain(word)} {NOT_SHOWN if n is None else f'{n:,}'}"
            for word, n in zip(words, counts, strict=True)
            if n != 0
        ]
        st.caption(f"{title}: {'; '.join(parts)}")
    if None in (*made.by_cluster, *made.by_class):
        st.caption(WHY_NOT_SHOWN)


def _differences(made: Selected) -> None:
    frame = pd.DataFrame(
        {
            "Feature": f.title,
            "Picked": f.cells[0].mean,
            "Compared": f.cells[1].mean,
            "Difference (sd)": f.effect,
        }
        for f in made.differences
    )
    if len(frame):
        number = st.column_config.NumberColumn
        formats = {"Picked": number(format="%.4g"), "Compared": number(format="%.4g")}
        formats["Difference (sd)"] = number(format="%.2f")
        st.dataframe(frame, hide_index=True, column_config=formats, height=250)


def _actions(run: StoredRun, cohort: Cohort, names: Sequence[str], rows: np.ndarray) -> None:
    left, right = st.columns(2)
    if left.button("Keep to compare", key="keep_selection", width="stretch"):
        st.session_state["_kept_rows"] = (run.id, rows)
        st.rerun()
    right.download_button(
        "Export",
        data=lambda: safe_csv(_export(run, cohort, names, rows)),
        file_name="picked_patients.csv",
        mime="text/csv",
        key="export_selection",
        width="stretch",
    )


def _export(run: StoredRun, cohort: Cohort, names: Sequence[str], rows: np.ndarray) -> pd.DataFrame:
    """The picked patients' rows, with subtype and risk in front."""
    frame = cohort.frame.iloc[rows].copy()
    frame.insert(0, _free("subtype", frame), [names[j] for j in run.clusters[rows]])
    frame.insert(1, _free("risk", frame), run.proba[rows, -1])
    return frame


def _free(head: str, frame: pd.DataFrame) -> str:
    """The head, unless the cohort has a column of that name."""
    return _free(f"{head} (cacviz)", frame) if head in frame else head
