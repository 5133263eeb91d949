"""What is open: a cohort and a run, kept in the address and restored from disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import streamlit as st

from cacviz import runs
from cacviz.engine.types import Cohort
from cacviz.runs import StoredRun, StoreError
from cacviz.runs.drafts import drop_draft
from cacviz.ui.text import NO_SUCH_RUN

Found = TypeVar("Found")
# what can be open, and what knows whether it is there; the address names them in this order
KINDS: dict[str, Callable[[str], object]] = {
    "run": runs.progress,
    "cohort": runs.describe_cohort,
}


def restore() -> None:
    """Take over what the address names, and name what is open in the address of every page.

    The address is written once, and only where it differs: each time is an entry in the browser's
    history, and Back would go through them all.
    """
    _forget_removed()
    said = {key: st.query_params[key] for key in KINDS if key in st.query_params}
    if said != st.session_state.get("_address"):  # a link, another page or Back
        _follow(said)
    named = {key: st.session_state.get(key) for key in KINDS}
    named["run"] = named["run"] or st.session_state.get("_lost_run")
    wanted = {key: name for key, name in named.items() if name}
    if wanted != said:
        st.query_params.from_dict(wanted)
    st.session_state["_address"] = wanted


def _follow(said: Mapping[str, str]) -> None:
    """Open what an address names; a run brings its cohort along, so a link needs no more."""
    run, cohort = said.get("run"), said.get("cohort")
    here = run if run and _exists(KINDS["run"], run) else None
    if here:
        open_run(here)
    elif cohort and cohort != current_cohort_id() and _exists(KINDS["cohort"], cohort):
        open_cohort(cohort)
    st.session_state["_lost_run"] = None if here else run
    if lost_run() and current_run_id():
        st.warning(f"{NO_SUCH_RUN} You see the one that was open before.")


def lost_run() -> bool:
    """Whether the address names a run that is not on this computer."""
    return bool(st.session_state.get("_lost_run"))


def _forget_removed() -> None:
    """Another window or the command line may have taken away what is open here; say so once."""
    said = ""
    for key, there in KINDS.items():
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
    """Keep what is open in the session; `restore` names it in the address."""
    if key == "cohort" and value != current_cohort_id():
        st.session_state["_opened"] = value
    if key == "run":
        st.session_state["_lost_run"] = None
    st.session_state[key] = value


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
