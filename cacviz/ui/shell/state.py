"""What is open: a cohort and a run, kept in the address and restored from disk.

What the user decides about a cohort lives in the store, never in a widget: `change` writes it, and
every page reads it anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar

import streamlit as st

from cacviz.engine.cohorts.choosing import relabelled
from cacviz.engine.cohorts.making import rechosen
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Choices, Cohort
from cacviz.jobs import queue
from cacviz.store import atomic, cohorts, runs
from cacviz.store.cohorts import CohortRow
from cacviz.store.runs import StoredRun
from cacviz.ui.shell.shared import shared
from cacviz.ui.shell.text import no_such_run

Found = TypeVar("Found")
TOUR = "tour"  # at which stop of the tour one is, in the address like what is open
# what can be open, and what knows whether it is there; the address names them in this order
KINDS: dict[str, Callable[[str], object]] = {
    "run": queue.progress,
    "cohort": cohorts.describe_cohort,
}


class Held(NamedTuple):
    """A cohort in memory, and which state of the stored one it is."""

    id: str
    revision: int
    cohort: Cohort


def restore() -> None:
    """Take over what the address names, and name what is open in the address of every page.

    The address is written once, and only where it differs: each time is an entry in the browser's
    history, and Back would go through them all.
    """
    _forget_removed()
    kept = (*KINDS, TOUR)
    said = {key: st.query_params[key] for key in kept if key in st.query_params}
    if said != st.session_state.get("_address"):  # a link, another page or Back
        _follow(said)
        st.session_state[TOUR] = said.get(TOUR) or st.session_state.get(TOUR)
    named = {key: st.session_state.get(key) for key in kept}
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
    elif cohort and cohort != cohort_id() and _exists(KINDS["cohort"], cohort):
        open_cohort(cohort)
    st.session_state["_lost_run"] = None if here else run
    if lost_run() and run_id():
        st.warning(f"{no_such_run()} You see the one that was open before.")


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
    except atomic.StoreError:
        return False
    return True


def still_there(look: Callable[[str], Found], name: str) -> Found:
    """What a part that polls looks at; where it was removed elsewhere the page starts anew."""
    try:
        return look(name)
    except atomic.StoreError:
        st.rerun(scope="app")


def cohort_id() -> str | None:
    return st.session_state.get("cohort")


def run_id() -> str | None:
    return st.session_state.get("run")


def open_run(name: str) -> None:
    """Make this run, and its cohort, the ones that every page shows."""
    st.session_state["_lost_run"] = None
    st.session_state["run"] = name
    asked = runs.read_asked(runs.run_folder(name))
    if not asked.cohort_id:  # its patients stayed elsewhere
        st.session_state["cohort"] = None
    elif _exists(KINDS["cohort"], asked.cohort_id):
        st.session_state["cohort"] = asked.cohort_id


def close_run() -> None:
    st.session_state["run"] = st.session_state["_lost_run"] = None


def open_cohort(name: str) -> None:
    """Make this cohort the open one; a run of another cohort is closed, its newest is opened."""
    rows = runs.list_runs(name)
    st.session_state["cohort"] = name
    if run_id() not in [row.id for row in rows]:
        close_run()
        done = next((row.id for row in rows if row.state == "done"), None)
        st.session_state["run"] = done


def close_cohort() -> None:
    st.session_state["cohort"] = None
    close_run()


def take_in(cohort: Cohort) -> str:
    """Store a cohort that has just come in, as a new one, and open it."""
    name = cohorts.add_cohort(cohort)
    st.session_state["_held"] = Held(name, 0, cohort)
    open_cohort(name)
    return name


def row() -> CohortRow | None:
    """The open cohort as it is stored, without its patients."""
    name = cohort_id()
    if not name:
        return None
    try:
        return cohorts.describe_cohort(name)
    except atomic.StoreError:
        st.session_state["cohort"] = None
        return None


def cohort() -> Cohort | None:
    """The open cohort as it was decided last, in whichever window; its table is read once."""
    stored = row()
    if stored is None:
        return None
    held = _held(stored.id)
    if held is not None and held.revision == stored.record.revision:
        return held.cohort
    try:
        key = "cohort", stored.id, stored.record.revision
        now = shared(key, lambda: _read(stored, held))
    except atomic.StoreError:
        st.session_state["cohort"] = None
        return None
    st.session_state["_held"] = Held(stored.id, stored.record.revision, now)
    return now


def _read(stored: CohortRow, held: Held | None) -> Cohort:
    """From disk, or from the state of it that this window holds."""
    if held is None:
        return cohorts.load_cohort(stored.id)
    return replace(rechosen(held.cohort, stored.choices), name=stored.name)


def _held(name: str) -> Held | None:
    held = st.session_state.get("_held")
    return held if held is not None and held.id == name else None


def change(decide: Callable[[Choices], Choices]) -> bool:
    """Decide something about the open cohort; what cannot be is said, and nothing is changed."""
    name, now = cohort_id(), cohort()
    if name is None or now is None:
        return False
    try:
        after = cohorts.change_cohort(name, decide, now)
    except CohortError as error:
        st.session_state["_problem"] = str(error)
        return False
    _keep(name, after)
    return True


def undo(when: float) -> None:
    """Take back what was done at this time."""
    name, now = cohort_id(), cohort()
    if name is not None and now is not None:
        _keep(name, cohorts.undo_step(name, when, now))


def _keep(name: str, after: Cohort) -> None:
    revision = cohorts.describe_cohort(name).record.revision
    st.session_state["_held"] = Held(name, revision, after)


def take_problem() -> str:
    """What could not be done, once."""
    return st.session_state.pop("_problem", None) or ""


def run() -> StoredRun | None:
    """The open run if it is finished, read from disk once a session."""
    name = run_id()
    if not name:
        return None
    held = st.session_state.get("_run")
    if held and held[0] == name:
        return held[1]
    try:
        if queue.progress(name).state != "done":
            return None
        key = "result", name, runs.read_card(runs.run_folder(name))
        found = shared(key, lambda: runs.load_run(name))
    except atomic.StoreError:
        close_run()
        return None
    st.session_state["_run"] = (name, found)
    return found


def cohort_of(found: StoredRun) -> Cohort:
    """The patients as the open run saw them, with today's labels and units."""
    held = st.session_state.get("_run_cohort")
    today = cohort()
    key = (found.id, row().record.revision if row() else -1)  # type: ignore[union-attr]
    if held and held[0] == key:
        return held[1]
    seen = shared(("run", *key), lambda: _seen(found, today))
    st.session_state["_run_cohort"] = (key, seen)
    return seen


def _seen(found: StoredRun, today: Cohort | None) -> Cohort:
    if today is None or cohort_id() != found.asked.cohort_id:
        return runs.cohort_of_run(found.asked)
    if found.asked.fingerprint == today.fingerprint and found.asked.choices == today.choices:
        return today
    return rechosen(today, relabelled(found.asked.choices, today.choices))


def is_todays(found: StoredRun) -> bool:
    """Whether the run was made with what is decided about its cohort today."""
    stored = row()
    return stored is not None and stored.fingerprint == found.asked.fingerprint
