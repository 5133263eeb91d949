"""What is open: a cohort and a run, kept in the address and restored from disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from cacviz import runs
from cacviz.engine.types import Cohort
from cacviz.runs import StoredRun, StoreError
from cacviz.runs.drafts import drop_draft
from cacviz.ui import navigation
from cacviz.ui.text import NO_COHORT, NO_RUN

Found = TypeVar("Found")


def restore() -> None:
    """Take over what the address names, and name what is open in the address of every page.

    A run brings its cohort along: a link to it needs no more than the run.
    """
    _forget_removed()
    named = st.query_params.get("run")
    if named and named != current_run_id() and _exists(runs.progress, named):
        open_run(named)
    for key, there in (("run", runs.progress), ("cohort", runs.describe_cohort)):
        named, held = st.query_params.get(key), st.session_state.get(key)
        if named and named != held and _exists(there, named):
            _open(key, held := named)
        if held != named:
            _open(key, held)


def _forget_removed() -> None:
    """Another window or the command line may have taken away what is open here; say so once."""
    said = ""
    for key, there in (("run", runs.progress), ("cohort", runs.describe_cohort)):
        held = st.session_state.get(key)
        if held and not _exists(there, held):
            st.session_state[key] = None
            said = f"This {key} was removed elsewhere."
    if said:
        st.warning(said)


def _exists(look: Callable[[str], object], name: str) -> bool:
    try:
        look(name)
    except StoreError:
        return False
    return True


def still_there(look: Callable[[str], Found], name: str) -> Found:
    """What a part that polls looks at; where it was removed elsewhere the page starts anew."""
    try:
        return look(name)
    except StoreError:
        st.rerun(scope="app")


def _open(key: str, value: str | None) -> None:
    if key == "cohort" and value != current_cohort_id():
        st.session_state["_opened"] = value
    st.session_state[key] = value
    if value:
        st.query_params[key] = value
    elif key in st.query_params:
        del st.query_params[key]


def open_run(run_id: str) -> None:
    """Make this run, and its cohort, the ones that every page shows."""
    asked = next((row.asked for row in runs.list_runs() if row.id == run_id), None)
    _open("run", run_id)
    if asked:
        _open("cohort", asked.cohort_id)


def close_run() -> None:
    _open("run", None)


def close_cohort() -> None:
    _open("cohort", None)
    close_run()


def open_cohort(cohort_id: str) -> None:
    """Make this cohort the open one; a run of another cohort is closed."""
    current = current_run_id()
    _open("cohort", cohort_id)
    if current and not any(r.id == current for r in runs.list_runs(cohort_id)):
        close_run()


def take_in(cohort: Cohort, notes: Sequence[str] = ()) -> str:
    """Store a cohort that has just come in and open it, with what was noted while reading."""
    cohort_id = _keep(cohort)
    st.session_state["_notes"] = (cohort_id, tuple(notes))
    return cohort_id


def keep_edited(cohort: Cohort) -> None:
    """Store the open cohort as it was edited; the version before goes if nothing came of it."""
    before, first = current_cohort_id(), opened_as()
    cohort_id = _keep(cohort)
    st.session_state["_opened"] = first
    if before and before != cohort_id:
        drop_draft(before)


def _keep(cohort: Cohort) -> str:
    cohort_id = runs.save_cohort(cohort)
    st.session_state["_cohort"] = (cohort_id, cohort)
    open_cohort(cohort_id)
    return cohort_id


def opened_as() -> str | None:
    """The id under which the open cohort was opened: it stays while the cohort is edited."""
    return st.session_state.get("_opened")


def reading_notes() -> tuple[str, ...]:
    """What was noted when the open cohort was read, if that was in this session."""
    opened, notes = st.session_state.get("_notes", (None, ()))
    return notes if opened and opened == opened_as() else ()


def current_cohort_id() -> str | None:
    return st.session_state.get("cohort")


def current_run_id() -> str | None:
    return st.session_state.get("run")


def current_cohort() -> Cohort | None:
    """The open cohort, read from disk once a session."""
    cohort_id = current_cohort_id()
    if not cohort_id:
        return None
    held = st.session_state.get("_cohort")
    if held and held[0] == cohort_id:
        return held[1]
    try:
        cohort = runs.load_cohort(cohort_id)
    except StoreError:
        _open("cohort", None)
        return None
    st.session_state["_cohort"] = (cohort_id, cohort)
    return cohort


def current_run() -> StoredRun | None:
    """The open run if it is finished, read from disk once a session."""
    run_id = current_run_id()
    if not run_id:
        return None
    held = st.session_state.get("_run")
    if held and held[0] == run_id:
        return held[1]
    try:
        if runs.progress(run_id).state != "done":
            return None
        run = runs.load_run(run_id)
    except StoreError:
        close_run()
        return None
    st.session_state["_run"] = (run_id, run)
    return run


def require_cohort() -> Cohort:
    """The open cohort, or what to do next and no more of this page."""
    cohort = current_cohort()
    if cohort is None:
        st.info(NO_COHORT)
        navigation.link("cohort", "Open a cohort")
        st.stop()
    assert cohort is not None
    return cohort


def require_run() -> StoredRun:
    """The open finished run, or what to do next and no more of this page."""
    run = current_run()
    if run is None:
        st.info(NO_RUN)
        left, right, _ = st.columns([1, 1, 2])
        with left:
            navigation.link("find_subtypes", "Find subtypes")
        with right:
            navigation.link("start", "Show the demo")
        st.stop()
    assert run is not None
    return run
