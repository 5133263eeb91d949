"""Would these subtypes be found again? Offered with its time, watched, and shown from then on."""

from __future__ import annotations

import streamlit as st

from cacviz.engine.running.sweeps.plans import check_plan
from cacviz.engine.running.sweeps.stability import Stability
from cacviz.engine.types import Cohort
from cacviz.jobs import sweeps as jobs
from cacviz.store import sweeps
from cacviz.store.runs import StoredRun
from cacviz.ui.choosing import watching
from cacviz.ui.shell.text import plain
from cacviz.wording.sweeps import check_sentences
from cacviz.wording.words import about_seconds


def stability(run: StoredRun) -> Stability | None:
    """What the check of the run found, read once a session; None where there is none yet."""
    held = st.session_state.get("_stability")
    if held and held[0] == run.id:
        return held[1]
    found = sweeps.load_stability(run.id)
    if found is not None:
        st.session_state["_stability"] = (run.id, found)
    return found


def found_again(run: StoredRun, cohort: Cohort, checked: Stability | None) -> None:
    """The check's words, or how far it is, or the offer to make it."""
    if run.summary.config.n_clusters < 2:
        return
    if checked is not None:
        with st.expander("Are they real? What the check says", icon=":material/fact_check:"):
            for said in check_sentences(checked):
                st.markdown(plain(said))
        return
    going = sweeps.list_sweeps(run=run.id)
    if going and not going[0].progress.over:
        watching.watch(going[0].id, "check")
    elif going and going[0].progress.state != "done":
        watching.ended(going[0])
    else:
        _offer(run, cohort)


def _offer(run: StoredRun, cohort: Cohort) -> None:
    plan = check_plan(run.summary.config)
    words = about_seconds(watching.expected_seconds(cohort, plan))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Check whether they would be found again", icon=":material/replay:"):
            jobs.start_check(run.id)
            st.rerun()
        st.caption(
            f"About {words}: the subtypes are found anew in {plan.resamples} resamples and in "
            "halves of the patients, in cohorts drawn without subtypes and with the outcome dealt "
            "out at random. You can go on working meanwhile."
        )
