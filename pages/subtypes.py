"""Subtypes: who are they?"""

import streamlit as st

from cacviz.ui import progress, run_views, state

st.title("Subtypes")
run_id = state.current_run_id()
if run_id and progress.is_live(run_id):
    progress.watch(run_id)
    st.stop()
if run_id and state.current_run() is None and state.current_run_id():
    progress.show_ended(run_id)
run, cohort = state.require_run(), state.require_cohort()

run_views.heading(run)
run_views.notes(run)
run_views.show_cards(run.summary)
run_views.controls(run)
left, right = st.columns([3, 2])
with left:
    run_views.patient_map(run, cohort)
with right:
    run_views.rates(run)
run_views.rounds_of(run)
