"""In which cohort a run is validated: a stored one or a new file; progress, stop, and the list."""

from __future__ import annotations

import streamlit as st

from cacviz.engine.cohorts.choosing import first_choices
from cacviz.engine.cohorts.making import cohort_of
from cacviz.engine.exceptions import CohortError
from cacviz.jobs import queue
from cacviz.jobs.reading import Looked, look_safely
from cacviz.jobs.validations import start_validation
from cacviz.store import cohorts, states, validations
from cacviz.store.runs import StoredRun
from cacviz.store.validations import ValidationRow
from cacviz.ui.cohort.opening import FORMS
from cacviz.ui.shell.layout import line
from cacviz.ui.shell.text import STATE_WORDS, plain
from cacviz.wording.elsewhere import OTHER_RECORDS
from cacviz.wording.words import ago, patients_words


def ask(run: StoredRun, *, expanded: bool) -> None:
    """Choose or upload the other cohort, name its outcome, begin."""
    with st.expander("Validate in another cohort", expanded=expanded):
        _upload(run)
        rows = [r for r in cohorts.list_cohorts() if r.id != run.asked.cohort_id]
        if not rows:
            st.caption("Upload the other cohort here, or open it on the page Cohort.")
            return
        titles = {
            r.id: f"{r.name} ({patients_words(r.n_patients, r.n_people)}, {ago(r.created)})"
            for r in rows
        }
        left, right = st.columns(2)
        likely = _likely(run, rows)
        chosen = left.selectbox(
            "Other cohort",
            list(titles),
            index=None if likely is None else list(titles).index(likely),
            format_func=titles.__getitem__,
            placeholder="Choose a cohort",
            key="other_cohort",
        )
        if chosen is None:
            return
        row = next(r for r in rows if r.id == chosen)
        names = [c.name for c in row.choices.columns]
        own = run.summary.outcome.column
        place = names.index(own) if own in names else None
        outcome = right.selectbox(
            "Its outcome",
            names,
            index=place,
            placeholder="Choose a column",
            key=f"outcome_{chosen}",
        )
        if st.button("Validate", type="primary", disabled=outcome is None, key="validate"):
            start_validation(run.id, row.id, str(outcome))
            st.rerun()


def _likely(run: StoredRun, rows: list[cohorts.CohortRow]) -> str | None:
    """The newest cohort that has half of the run's features or more; None where none has."""
    wanted = set(run.asked.choices.names("feature"))
    for row in rows:
        if 2 * len(wanted & {c.name for c in row.choices.columns}) >= len(wanted):
            return row.id
    return None


def _upload(run: StoredRun) -> None:
    file = st.file_uploader("Another file of patients", type=FORMS, key="other_file")
    if file is None or st.session_state.get("_other_read") == file.file_id:
        return
    st.session_state["_other_read"] = file.file_id
    try:
        with st.spinner("Reading the file …"):
            table = look_safely(file.getvalue(), file.name)
            if isinstance(table, Looked):
                st.warning(OTHER_RECORDS)
                return
            made = cohorts.save_cohort(cohort_of(file.name, table, first_choices(table.columns)))
    except CohortError as error:
        st.error(plain(error))
        return
    st.session_state["other_cohort"] = made


def choose(rows: list[ValidationRow]) -> ValidationRow:
    """The validation to look at, the newest unless another is chosen."""
    if len(rows) == 1:
        return rows[0]
    titles = {
        r.id: f"{r.asked.cohort_name} ({STATE_WORDS[r.progress.state]}, {ago(r.asked.created)})"
        for r in rows
    }
    chosen = st.selectbox("Validation", list(titles), format_func=titles.__getitem__, key="which")
    return next(r for r in rows if r.id == chosen)


@st.fragment(run_every=1.0)
def watch(name: str) -> None:
    """Progress of a validation that is going, with Stop."""
    queue.tend()
    now = states.progress_of(validations.validation_folder(name))
    if now.over:
        st.rerun(scope="app")
    words, button = line("validation", [5, 1])
    said = "Waiting for another job to end" if now.state == "queued" else now.phase or "starting"
    words.info(f"{said[0].upper()}{said[1:]} …", icon=":material/hourglass_top:")
    if button.button("Stop", key="stop_validation", width="stretch"):
        queue.stop(validations.validation_folder(name))
        st.rerun(scope="app")


def ended(row: ValidationRow) -> None:
    """What became of a validation that has no result, and what can be done."""
    said = {"stopped": "Stopped before it was finished."}.get(row.progress.state)
    st.warning(plain(row.progress.message or said or "The validation was interrupted."))
    with st.container(horizontal=True):
        if st.button("Try again", type="primary", key="again"):
            queue.resume(validations.validation_folder(row.id))
            st.rerun()
        if st.button("Discard", key="discard"):
            queue.delete(validations.validation_folder(row.id))
            st.rerun()
