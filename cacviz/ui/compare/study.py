"""Compare: a study's form, progress, verdict, table and figure; results show as they come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from cacviz.engine.exceptions import ConfigError
from cacviz.engine.running.methods import METHODS
from cacviz.engine.running.studies import StudyPlan, comparable_methods, study_plan
from cacviz.engine.types import Cohort
from cacviz.jobs import queue
from cacviz.jobs.environment import worker_limit
from cacviz.store import studies, timing
from cacviz.store.studies import StudyRow
from cacviz.store.sweeps import SweepRow
from cacviz.ui.shell import state
from cacviz.ui.shell.layout import line
from cacviz.ui.shell.state import still_there
from cacviz.ui.shell.text import STATE_WORDS, machine, plain
from cacviz.wording.choices import difference_words, used_words
from cacviz.wording.words import about_seconds, ago, counted, seconds_words

USUAL = ("cac", "kmeans", "deepcac", "kmeans_z", "dmnn")  # k-means: does CAC add to it?
KEEP: dict[str, Any] = {"persist_state": "session"}


def study_form(cohort: Cohort) -> StudyPlan | None:
    """What shall be compared; None while a setting cannot be used."""
    comparable = comparable_methods(series=cohort.series is not None)
    methods = st.multiselect(
        "Methods",
        comparable,
        default=[m for m in USUAL if m in comparable],
        format_func=lambda name: METHODS[name].title,
        help="Logistic regression, gradient boosting and each method with one subtype (k = 1) are "
        "always in: they say whether the subtypes help.",
        key="compare_methods",
        **KEEP,
    )
    left, right = st.columns(2)
    clusters = left.multiselect(
        "Numbers of subtypes (k)", list(range(2, 9)), default=_open_k(), key="compare_k", **KEEP
    )
    splits = right.slider(
        "Splits",
        1,
        20,
        5,
        help="How often patients are divided anew into training and held-out ones; all methods see "
        "the same divisions. More splits tell smaller differences.",
        key="compare_splits",
        **KEEP,
    )
    if not clusters:
        st.caption("Choose one or more numbers of subtypes.")
        return None
    try:
        plan = study_plan(methods, sorted(clusters), int(splits))
    except ConfigError as error:
        st.caption(plain(error))
        return None
    words = about_seconds(estimated_seconds(cohort, plan))
    st.caption(
        f"{len(plan.cells())} fits, about {words} on {machine()}. You can stop and resume at any "
        "time."
    )
    return plan


def _open_k() -> list[int]:
    """The k of the run that is open: what one wants to see compared."""
    run = state.run()
    k = run.summary.config.n_clusters if run is not None else 0
    return [k] if 2 <= k <= 8 else [3]


def estimated_seconds(cohort: Cohort, plan: StudyPlan) -> float:
    """The time, from this machine's own last fits."""
    cells = int((cohort.y >= 0).sum()) * max(1, len(cohort.names("feature")))
    total = sum(
        timing.expected_seconds(c.method, cells, deep=METHODS[c.method].deep, kind="fit")
        for c in plan.cells()
    )
    return 5 + total / worker_limit()


def choose_study(rows: Sequence[StudyRow]) -> StudyRow:
    """The study to look at, the newest unless another is chosen."""
    if len(rows) == 1:
        return rows[0]
    titles = {row.id: study_title(row) for row in rows}
    chosen = st.selectbox("Comparison", list(titles), format_func=titles.__getitem__, key="study")
    return next(row for row in rows if row.id == chosen)


def study_title(row: StudyRow) -> str:
    """A study in a list: outcome, methods, k, splits, how it stands."""
    plan, choices = row.asked.plan, row.asked.choices
    outcome = choices.outcome.column if choices.outcome else ""
    ks = ", ".join(str(k) for k in plan.clusters)
    words = f"{counted(len(plan.methods), 'method')}, k = {ks}, {counted(plan.splits, 'split')}"
    features = counted(len(choices.names("feature")), "feature")
    return (
        f"{outcome}, {features}: {words} ({STATE_WORDS[row.progress.state]}, "
        f"{ago(row.asked.created)})"
    )


def used_by(study: StudyRow | SweepRow, cohort: Cohort, what: str = "comparison") -> None:
    """What the comparison used, and whether that is what is decided today."""
    if study.asked.fingerprint != cohort.fingerprint:
        st.caption(plain(used_words(study.asked.choices, study.asked.classes)))
        differs = difference_words(study.asked.choices, cohort.choices)
        st.warning(
            f"This {what} was made with other choices than today's: {plain(differs)}.",
            icon=":material/history:",
        )


@st.fragment(run_every=1.5)
def watch(study_id: str, total: int, known: int) -> None:
    """Progress of a study that is going, with Stop; new results redraw the page."""
    queue.tend()
    now = still_there(queue.study_progress, study_id)
    done = len(studies.study_rows(study_id))
    if now.over or done >= known + max(2, total // 20):
        st.rerun(scope="app")
    left = f", about {seconds_words(now.seconds_left)} left" if now.seconds_left else ""
    words = "Waiting for another run to end" if now.state == "queued" else ""
    bar, button = line("study", [5, 1])
    bar.progress(done / total, text=words or f"{done} of {total} fits{left}")
    if button.button("Stop", key="stop_study", width="stretch"):
        queue.stop_study(study_id)
        st.rerun(scope="app")
    st.caption(
        "You can leave this page or close the browser: the comparison goes on. What is done so far "
        "is shown below."
    )


def show_ended(row: StudyRow) -> None:
    """What became of a study that is not complete, and what can be done."""
    words = {"stopped": "Stopped before it was finished.", "failed": "The comparison failed."}
    done, total = len(studies.study_rows(row.id)), len(row.asked.plan.cells())
    said = words.get(row.progress.state, "The comparison was interrupted.")
    message = plain(row.progress.message) if row.progress.state == "failed" else ""
    st.warning(f"{said} {done} of {total} fits are done and kept. {message}".strip())
    with st.container(horizontal=True):
        if st.button("Resume", type="primary", key="resume_study"):
            queue.resume_study(row.id)
            st.rerun()
        if st.button("Discard", key="discard_study"):
            _confirm_discard(row)


@st.dialog("Discard this comparison?")
def _confirm_discard(row: StudyRow) -> None:
    st.markdown(
        f"**{plain(study_title(row))}**: the fits that are done will be removed from {machine()}."
    )
    with st.container(horizontal=True):
        if st.button("Discard", type="primary", key="confirm_discard"):
            queue.delete_study(row.id)
            st.rerun()
        if st.button("Cancel", key="cancel_discard"):
            st.rerun()
