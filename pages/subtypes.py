"""Subtypes: who are they?"""

import streamlit as st

from cacviz.ui import (
    difference_views,
    insight_views,
    map_views,
    progress,
    run_views,
    state,
    subtype_views,
)
from cacviz.ui.layout import beside

st.title("Subtypes")
run_id = state.current_run_id()
if run_id and progress.is_live(run_id):
    progress.watch(run_id)
    st.stop()
if run_id and state.current_run() is None and state.current_run_id():
    progress.show_ended(run_id)
run, cohort = state.require_run(), state.require_cohort()

run_views.heading(run)
insight_views.status(run)
run_views.notes(run)
names = insight_views.names(run)
run_views.show_cards(run.summary, names)
insight_views.edit_names(run)
map_views.map_and_picked(run, cohort, names)
left, right = beside("rates", 2)
with left:
    run_views.rates(run, names)
with right:
    subtype_views.separation(run, names)
described = insight_views.part_or_word(run, "described")
if described is not None:
    difference_views.heatmap(described, names)
    subtype_views.survival_of(described, names)
run_views.controls(run)
run_views.rounds_of(run)
