"""Risk factors: what drives the outcome inside each subtype?"""

import streamlit as st

from cacviz.ui import factor_views, guards, insight_views, run_views

st.title("Risk factors")
run, cohort = guards.require_run(), guards.require_cohort()
run_views.heading(run, cohort)
insight_views.status(run)
students = insight_views.part_or_word(run, "students")
if students is None:
    st.stop()

names = insight_views.names(run)
factor_views.fidelity(students)
factor_views.side_by_side(students, names)
factor_views.beeswarm(students, names)
factor_views.one_feature(students, names)
