"""Cohort: what is in my data, and can I trust it?"""

import streamlit as st

from cacviz.ui import cohort_views, opening, state

st.title("Cohort")
cohort = state.current_cohort()
with st.expander("Open another cohort" if cohort else "Open a cohort", expanded=cohort is None):
    opening.choose_source()
cohort_views.stored_cohorts(expanded=cohort is None)
if cohort is None:
    st.stop()

cohort_views.overview(cohort)
cohort_views.choose_outcome(cohort)
cohort_views.quick_roles(cohort)
cohort_views.checks(cohort)
tab_columns, tab_missing, tab_preview = st.tabs(["Columns", "Missing values", "Preview"])
with tab_columns:
    cohort_views.dictionary(cohort)
with tab_missing:
    cohort_views.missing(cohort)
with tab_preview:
    cohort_views.preview(cohort)
