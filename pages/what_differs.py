"""What differs: which features set the subtypes apart?"""

import streamlit as st

from cacviz.ui import difference_views, guards, insight_views, run_views

st.title("What differs")
run, cohort = guards.require_run(), guards.require_cohort()
run_views.heading(run, cohort)
insight_views.status(run)
described = insight_views.part_or_word(run, "described")
if described is None:
    st.stop()

names = insight_views.names(run)
difference_views.tests(described)
picked = difference_views.table(described, names)
if picked is not None:
    difference_views.distribution(picked, run, cohort, names)
difference_views.effects(described)
