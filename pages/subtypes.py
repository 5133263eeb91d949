"""Subtypes: who are they?"""

import streamlit as st

from cacviz.ui import (
    difference_views,
    guards,
    insight_views,
    map_views,
    run_views,
    subtype_views,
)
from cacviz.ui.layout import beside

st.title("Subtypes")
run, cohort = guards.require_run(), guards.require_cohort()

run_views.heading(run, cohort)
insight_views.status(run)
run_views.notes(run)
names = insight_views.names(run)
run_views.show_cards(run.summary, names, run_views.outcome_title(run.summary, cohort))
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
