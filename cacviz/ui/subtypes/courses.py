"""Mean course of a variable in each subtype, and a picked patient's own course over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from cacviz.engine.insights.described.trajectories import trajectories
from cacviz.engine.insights.types import FEW, Trajectory
from cacviz.engine.reading.kinds import shorten
from cacviz.engine.types import TRAIN, Cohort, Series
from cacviz.figures.trajectories import Course, mean_courses
from cacviz.store.preferences import read_preferences
from cacviz.store.runs import StoredRun
from cacviz.ui.shell.downloads import AS_SVG, table_button
from cacviz.ui.shell.layout import beside
from cacviz.wording.series import course_caption, patient_title, window_words
from cacviz.wording.tables import WHY_HIDDEN
from cacviz.wording.words import subtype_name

NOBODY = -1
MOST_PATIENTS = 500


def courses(
    run: StoredRun, cohort: Cohort, titles: Sequence[str], shown: Sequence[int], rows: np.ndarray
) -> None:
    """Nothing for a cohort without hours; `rows` are the patients picked on the map."""
    series = cohort.series
    if series is None or not series.variables:
        return
    st.subheader(f"Course over {window_words(series.n_hours)}")
    left, middle, right = beside("courses", 3)
    variable = left.selectbox(
        "Variable", _by_measurements(series), key="course_variable", persist_state="session"
    )
    carried = middle.selectbox(
        "Values",
        (False, True),
        format_func=lambda c: "Last known (carried forward)" if c else "Measured in the hour",
        help="Measured: a patient counts in the hours in which the variable was measured. Last "
        "known: a patient counts from the first measurement on.",
        key="course_carried",
        persist_state="session",
    )
    own = _own(right, run, cohort, variable, rows)
    fewest = FEW if read_preferences().hide_small else 1
    made = trajectories(
        series, variable, _members(run, len(titles)), carried=carried, fewest=fewest
    )
    figure = mean_courses(made, titles, shown, variable=variable, own=own)
    alt = f"Mean of {variable} by hour in each subtype, with the number of patients"
    st.plotly_chart(figure, key="courses", config=AS_SVG, alt=alt)
    st.caption(course_caption(carried))
    if any((t.counts < 0).any() for t in made):
        st.caption(WHY_HIDDEN)
    _as_table(made, shown)


def own_course(run: StoredRun, cohort: Cohort, titles: Sequence[str], row: int) -> None:
    """One patient's own course over the means of the subtypes; nothing without hours."""
    series = cohort.series
    if series is None or not series.variables:
        return
    st.subheader(f"Course over {window_words(series.n_hours)}")
    variable = st.selectbox(
        "Variable", _measured_in(series, row), key="own_variable", persist_state="session"
    )
    fewest = FEW if read_preferences().hide_small else 1
    made = trajectories(series, variable, _members(run, len(titles)), carried=False, fewest=fewest)
    own = _course(series, variable, row, f"Patient {_names(cohort)[row]}")
    figure = mean_courses(made, titles, range(len(titles)), variable=variable, own=own)
    alt = f"{variable} of this patient by hour over the mean of each subtype"
    st.plotly_chart(figure, key="own_course", config=AS_SVG, alt=alt)
    st.caption(course_caption(False))


def _measured_in(series: Series, row: int) -> list[str]:
    """The variables, those that this patient has the most measurements of first."""
    order = np.argsort(-series.measured[row].sum(axis=0), kind="stable")
    return [series.variables[i] for i in order]


def _by_measurements(series: Series) -> list[str]:
    """The variables, the most often measured first."""
    order = np.argsort(-series.measured.sum(axis=(0, 1)), kind="stable")
    return [series.variables[i] for i in order]


def _members(run: StoredRun, k: int) -> list[np.ndarray]:
    """Training patients of each subtype, as on the cards."""
    train = run.part == TRAIN
    return [np.flatnonzero(train & (run.clusters == j)) for j in range(k)]


def _own(
    place: Any, run: StoredRun, cohort: Cohort, variable: str, rows: np.ndarray
) -> Course | None:
    """The course of one of the picked patients; of all where nobody was picked."""
    among = rows if len(rows) else np.arange(cohort.n_patients)
    names = _names(cohort)
    chosen: int = place.selectbox(
        "A patient's own course" + (f" ({len(rows):,} picked)" if len(rows) else ""),
        [NOBODY, *(int(r) for r in among[:MOST_PATIENTS])],
        format_func=lambda r: "Nobody" if r == NOBODY else _title(run, names, r),
        help="Pick patients by a lasso on the map to choose among them.",
        key=f"course_patient_{run.id}",
    )
    if chosen == NOBODY or cohort.series is None:
        return None
    return _course(cohort.series, variable, chosen, f"Patient {names[chosen]}")


def _course(series: Series, variable: str, row: int, title: str) -> Course:
    at = series.variables.index(variable)
    return Course(title, series.values[row, :, at], series.measured[row, :, at])


def _names(cohort: Cohort) -> pd.Series | list[str]:
    ids = cohort.names("patient id")
    if ids:
        return cohort.frame[ids[0]].astype("str")
    return [str(i + 1) for i in range(cohort.n_patients)]


def _title(run: StoredRun, names: pd.Series | list[str], row: int) -> str:
    return patient_title(shorten(names[row], 30), int(run.clusters[row]))


def _as_table(made: Sequence[Trajectory], shown: Sequence[int]) -> None:
    def table(hide: bool) -> pd.DataFrame:
        frames = []
        for t in made:
            if t.cluster not in shown:
                continue
            few = (t.counts < FEW) if hide else (t.counts < 0)
            frames.append(
                pd.DataFrame(
                    {
                        "Subtype": subtype_name(t.cluster),
                        "Hour": np.arange(1, len(t.mean) + 1),
                        "Patients": pd.Series(t.counts).astype("Int64").mask(few),
                        "Mean": pd.Series(t.mean).mask(few),
                        "95% from": pd.Series(t.low).mask(few),
                        "95% to": pd.Series(t.high).mask(few),
                    }
                )
            )
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

    with st.expander("As a table"):
        st.dataframe(table(read_preferences().hide_small), hide_index=True, key="courses_table")
        table_button(table, "courses", key="save_courses")
