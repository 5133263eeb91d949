"""The patient map of the page Subtypes: colours, a lasso, and who was picked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from cacviz.engine.insights.names import told_apart
from cacviz.engine.insights.types import PatientMap
from cacviz.engine.reading.kinds import as_numbers, as_words, shorten
from cacviz.engine.scoring.silhouettes import sample_rows
from cacviz.engine.types import Cohort, Column
from cacviz.figures import patient_map as drawn
from cacviz.figures.theme import SLATE, outcome_color, plain_label, subtype_color
from cacviz.store.runs import StoredRun
from cacviz.ui.shell import quick
from cacviz.ui.shell.downloads import AS_SVG
from cacviz.ui.shell.layout import beside
from cacviz.ui.subtypes import courses, parts, picked
from cacviz.wording import captions

COLORINGS = ("Subtype", "Outcome", "Risk", "Missing values")
PCA = "Two principal components until the map is there: for orientation, not proof."
LEVELS = ("#4A6A8A", "#A8457A", "#2C7A7B", "#7890A8", "#B98AA0", "#7FB0B1", "#A9B8C6", "#D5DDE5")


@st.fragment
def map_and_picked(
    run: StoredRun, cohort: Cohort, titles: Sequence[str], shown: Sequence[int]
) -> None:
    """The map beside who was picked on it; a colour or a lasso redraws these two alone."""
    if run.without_patients:
        return
    quick.get_ready(run, cohort)
    found: PatientMap | None = parts.part(run, "map")
    key = f"map_{'umap' if found else 'pca'}_{run.id}"  # what was picked is of this run alone
    rows = _picked(key)
    left, right = beside("map", [3, 2])
    with right:  # first: who was picked is waited for, the map is there already
        picked.panel(run, cohort, titles, rows)
    with left:
        patient_map(run, cohort, titles, shown, found, key)
    courses.courses(run, cohort, titles, shown, rows)


def _picked(key: str) -> np.ndarray:
    """The rows that a lasso or a box on the map picked."""
    event = st.session_state.get(key) or {}
    return drawn.picked_rows(event.get("selection", {}).get("points", ()))


def patient_map(
    run: StoredRun,
    cohort: Cohort,
    titles: Sequence[str],
    shown: Sequence[int],
    found: PatientMap | None,
    key: str,
) -> None:
    """The patients on a plane, coloured as asked; lasso and box stay under `key`."""
    st.subheader("Patient map")
    named = _colorings(cohort)
    color: str | Column = st.selectbox(
        "Colour by",
        [*named],
        format_func=named.__getitem__,
        key="map_color",
        persist_state="session",
    )
    rows = found.rows if found else sample_rows(len(run.part), seed=run.summary.config.seed)
    points = drawn.on_grid(found.positions if found else run.map2d[rows])
    inside = np.isin(run.clusters[rows], list(shown))
    figure = _figure(run, cohort, titles, color, rows[inside], points[inside])
    st.plotly_chart(
        drawn.with_selection(figure),
        key=key,
        on_select="rerun",
        selection_mode=("lasso", "box"),
        config=AS_SVG,
        alt=f"Patients on a plane, coloured by {named[color]}",
    )
    st.caption(_note(found))
    if found is None:
        parts.part_or_word(run, "map")


def _note(found: PatientMap | None) -> str:
    if found is None:
        return PCA
    if len(found.rows) == found.n:
        return captions.MAP
    return captions.map_of(len(found.rows), found.n)


def _colorings(cohort: Cohort) -> dict[str | Column, str]:
    """What the map can be coloured by, with a title each: Streamlit takes two alike for one."""
    names = cohort.names("feature", "sensitive", "external check", "treatment")
    columns = [cohort.column(n) for n in names]
    shown = [*COLORINGS, *(c.title for c in columns)]
    titles = [
        c.title if shown.count(c.title) == 1 else f"{c.title} (column {c.name})" for c in columns
    ]
    named = [*COLORINGS, *told_apart(titles, COLORINGS)]
    return dict(zip([*COLORINGS, *columns], named, strict=True))


def _figure(
    run: StoredRun,
    cohort: Cohort,
    titles: Sequence[str],
    color: str | Column,
    rows: np.ndarray,
    points: np.ndarray,
) -> go.Figure:
    if color == "Subtype":
        colors = [subtype_color(j) for j in range(len(titles))]
        told = _outcomes(cohort, rows)
        return drawn.by_group(points, run.clusters[rows], titles, colors, rows, told)
    if color == "Outcome":
        n = len(cohort.classes)
        colors = [outcome_color(i, n) for i in range(n)]
        told = drawn.Said(run.clusters[rows], [plain_label(t) for t in titles])
        return drawn.by_group(points, cohort.y[rows], cohort.classes, colors, rows, told)
    said = _hover(run, cohort, titles, rows)
    if isinstance(color, Column):
        return _by_column(cohort, color, rows, points, said)
    if color == "Risk":
        title = f"Risk of {cohort.classes[-1]}, %"
        return drawn.by_number(points, 100 * run.proba[rows, -1], title, rows, said)
    gone = cohort.frame[cohort.names("feature")].iloc[rows].isna().mean(axis=1)
    return drawn.by_number(points, 100 * gone.to_numpy(), "Missing values, %", rows, said)


def _outcomes(cohort: Cohort, rows: np.ndarray) -> drawn.Said:
    """The outcome of each patient; the last sentence is for those of whom it is not known."""
    words = [plain_label(f"outcome {shorten(c, 30)}") for c in cohort.classes]
    codes = cohort.y[rows]
    known = [*words, "outcome not known"]
    return drawn.Said(np.where(codes < 0, len(words), codes), known)


def _hover(run: StoredRun, cohort: Cohort, titles: Sequence[str], rows: np.ndarray) -> drawn.Said:
    """What hovering tells of each patient: subtype and outcome."""
    codes, classes = _outcomes(cohort, rows)
    words = [f"{plain_label(t)}<br>{c}" for t in titles for c in classes]
    return drawn.Said(run.clusters[rows] * len(classes) + codes, words)


def _by_column(
    cohort: Cohort, column: Column, rows: np.ndarray, points: np.ndarray, said: drawn.Said
) -> go.Figure:
    values = cohort.frame[column.name].iloc[rows]
    if column.kind == "number":
        unit = f" ({column.unit})" if column.unit else ""
        return drawn.by_number(points, as_numbers(values), f"{column.title}{unit}", rows, said)
    codes, levels = _levels(values)
    return drawn.by_group(points, codes, levels, (*LEVELS, *SLATE), rows, said)


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
