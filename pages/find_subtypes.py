"""Find subtypes: how shall I look?"""

import streamlit as st

from cacviz import runs
from cacviz.ui import forms, guards, navigation, progress, state
from cacviz.ui.cards import run_rows

st.title("Find subtypes")
run_id = state.current_run_id()
if run_id and progress.is_live(run_id):
    progress.watch(run_id)
elif run_id:
    progress.show_ended(run_id)
    if state.current_run() is not None:
        st.success("The run is finished.", icon=":material/check:")
        navigation.link("subtypes", "See the subtypes")

cohort = guards.require_cohort()
if cohort.outcome is None:
    st.info("This cohort has no outcome yet: choose one first.")
    navigation.link("cohort", "Choose the outcome")
    st.stop()

config = forms.run_form(cohort)
if config and st.button("Find subtypes", type="primary", icon=":material/play_arrow:"):
    cohort_id = state.current_cohort_id()
    if cohort_id:
        state.open_run(runs.start_run(cohort_id, config))
        st.rerun()

rows = runs.list_runs(state.current_cohort_id())
if rows:
    st.subheader("Runs of this cohort")
    chosen = run_rows(rows[:10], key="history")
    if chosen:
        state.open_run(chosen)
        navigation.go("subtypes")
