"""What a page needs before it can show anything, and what to do next where that is missing."""

from __future__ import annotations

import streamlit as st

from cacviz.engine.types import Cohort
from cacviz.store import runs
from cacviz.store.runs import StoredRun
from cacviz.ui.finding import progress
from cacviz.ui.shell import navigation, state
from cacviz.ui.shell.run_names import titles_of
from cacviz.ui.shell.text import CHOOSE_RUN, NO_COHORT, NO_RUN, SYNTHETIC, no_such_run, plain
from cacviz.wording.choices import difference_words, used_words
from cacviz.wording.words import patients_words, stays_sentence


def require_cohort() -> Cohort:
    """The open cohort and what is decided about it in a line; or what to do next and no more."""
    cohort = state.cohort()
    if cohort is None:
        st.info(NO_COHORT)
        ways_on()
        st.stop()
    assert cohort is not None
    return cohort


def cohort_line(cohort: Cohort) -> None:
    """What is decided about the cohort today, on every page that works with it."""
    words = used_words(cohort.choices, cohort.classes)
    who = patients_words(cohort.n_patients, cohort.n_people)
    st.caption(f"{plain(cohort.name)}, {who}. {plain(words)}.")
    if cohort.origin == "synthetic":
        st.info(SYNTHETIC, icon=":material/science:")


def require_outcome(cohort: Cohort) -> None:
    """Go no further without an outcome."""
    if cohort.outcome is None:
        st.info("This cohort has no outcome yet: choose one first.")
        navigation.link("cohort", "Choose the outcome")
        st.stop()


def require_run() -> tuple[StoredRun, Cohort]:
    """The open run once it is finished, with its patients as it saw them; else how it stands."""
    run_id = state.run_id()
    if run_id and progress.is_live(run_id):
        progress.watch(run_id)
        st.stop()
    run = state.run()
    if run is None:
        run_id = state.run_id()  # none any more where it could not be read
        progress.show_ended(run_id) if run_id else _no_run()
        st.stop()
    assert run is not None
    cohort = state.cohort_of(run)
    _run_line(run, cohort)
    return run, cohort


def _run_line(run: StoredRun, cohort: Cohort) -> None:
    """What the run used, and whether that is what is decided today."""
    title = titles_of(runs.list_runs(run.asked.cohort_id)).get(run.id, "")
    words = used_words(run.asked.choices, run.asked.classes)
    stays = stays_sentence(cohort.n_patients, cohort.n_people)
    st.caption(f"{plain(run.asked.cohort_name)}. Run {plain(title)}: {plain(words)}. {stays}")
    if run.asked.origin == "synthetic":
        st.info(SYNTHETIC, icon=":material/science:")
    today = state.cohort()
    if today is not None and not state.is_todays(run):
        differs = difference_words(run.asked.choices, today.choices)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(
                f"This run was made with other choices than today's: {plain(differs)}.",
                icon=":material/history:",
            )
            if st.button("Take over its choices", key="take_over"):
                state.change(lambda _: run.asked.choices)
                st.rerun()
            navigation.link("find_subtypes", "Run with today's")


def _no_run() -> None:
    rows = runs.list_runs(state.cohort_id()) if state.cohort_id() else []
    done = [row for row in rows if row.state == "done"]
    going = [row for row in rows if progress.is_live(row.id)]
    if going and not done and not state.lost_run():  # started in another window
        state.open_run(going[0].id)
        st.rerun()
    if state.lost_run():
        st.warning(no_such_run())
    elif done:
        st.info(CHOOSE_RUN)
        titles = titles_of(rows)
        for row in done[:8]:
            if st.button(plain(titles[row.id]), key=f"choose_{row.id}"):
                state.open_run(row.id)
                st.rerun()
        return
    else:
        st.info(NO_RUN)
    ways_on()


def ways_on() -> None:
    """To the subtypes of the open cohort, or to a cohort; or the demo, as on Start."""
    from cacviz.ui.cohort import opening

    with st.container(horizontal=True, vertical_alignment="center"):  # wraps in a narrow window
        if state.cohort_id() is None:
            navigation.link("cohort", "Open a cohort")
        else:
            navigation.link("find_subtypes", "Find subtypes")
        if st.button("Show the demo", icon=":material/science:", key="show_demo"):
            opening.open_demo_run()
            navigation.go("subtypes")
