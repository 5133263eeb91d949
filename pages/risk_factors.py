"""Risk factors: what drives the outcome inside each subtype?"""

import streamlit as st

from cacviz.ui import factor_views, insight_views, run_views, state

st.title("Risk factors")
run, cohort = state.require_run(), state.require_cohort()
run_views.heading(run)
insight_views.status(run)
students = insight_views.part_or_word(run, "students")
if students is None:
    st.stop()

names = insight_views.names(run)
factor_views.fidelity(students)
factor_views.side_by_side(students, names)
factor_views.beeswarm(students, names)
factor_views.one_feature(students, names)
