"""What a page needs before it can show anything, and what to do next where that is missing."""

from __future__ import annotations

import streamlit as st

from cacviz.engine.types import Cohort
from cacviz.runs import StoredRun
from cacviz.ui import navigation, opening, progress, state
from cacviz.ui.text import NO_COHORT, NO_RUN, NO_SUCH_RUN


def require_cohort() -> Cohort:
    """The open cohort, or what to do next and no more of this page."""
    cohort = state.current_cohort()
    if cohort is None:
        st.info(NO_COHORT)
        ways_on()
        st.stop()
    assert cohort is not None
    return cohort


def require_run() -> StoredRun:
    """The open run once it is finished; else how it stands, or what to do next, and no more."""
    run_id = state.current_run_id()
    if run_id and progress.is_live(run_id):
        progress.watch(run_id)
        st.stop()
    run = state.current_run()
    if run is None:
        run_id = state.current_run_id()  # none any more where it could not be read
        progress.show_ended(run_id) if run_id else _no_run()
        st.stop()
    assert run is not None
    return run


def _no_run() -> None:
    if state.lost_run():
        st.warning(NO_SUCH_RUN)
    else:
        st.info(NO_RUN)
    ways_on()


def ways_on() -> None:
    """To the subtypes of the open cohort, or to a cohort; or the demo, as on Start."""
    with st.container(horizontal=True, vertical_alignment="center"):  # wraps in a narrow window
        if state.current_cohort() is None:
            navigation.link("cohort", "Open a cohort")
        else:
            navigation.link("find_subtypes", "Find subtypes")
        if st.button("Show the demo", icon=":material/science:", key="show_demo"):
            opening.open_demo_run()
            navigation.go("subtypes")
