"""Find subtypes: how shall I look?"""

import streamlit as st

from cacviz.jobs import queue
from cacviz.store import runs
from cacviz.ui.cohort import overview
from cacviz.ui.finding import form, progress
from cacviz.ui.runs import history
from cacviz.ui.shell import guards, navigation, state

st.title("Find subtypes")
run_id = state.run_id()
if run_id and progress.is_live(run_id):
    progress.watch(run_id)
elif run_id:
    progress.show_ended(run_id)
    if state.run() is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.success("The run is finished.", icon=":material/check:")
            navigation.link("subtypes", "See the subtypes")

cohort = guards.require_cohort()
guards.cohort_line(cohort)
guards.require_outcome(cohort)
config = form.run_form(cohort)
if config and st.button("Find subtypes", type="primary", icon=":material/play_arrow:"):
    cohort_id = state.cohort_id()
    if cohort_id:
        state.open_run(queue.start_run(cohort_id, config))
        st.rerun()
navigation.link("choose_k", "How many? Let me look")
overview.patients(cohort)

rows = runs.list_runs(state.cohort_id())
if rows:
    st.subheader("Runs of this cohort")
    chosen = history.overview(rows, key="history", without=("Cohort",))
    if chosen:
        state.open_run(chosen.id)
        navigation.go("subtypes" if chosen.state == "done" else "find_subtypes")
