"""Compare: does clustering help here?"""

import streamlit as st

from cacviz import runs
from cacviz.runs import studies
from cacviz.ui import compare_views, guards, navigation, pair_views, state

st.title("Compare")
cohort, cohort_id = guards.require_cohort(), state.current_cohort_id()
if cohort.outcome is None or cohort_id is None:
    st.info("This cohort has no outcome yet: choose one first.")
    navigation.link("cohort", "Choose the outcome")
    st.stop()

found = studies.list_studies(cohort_id)
if found:
    study = compare_views.choose_study(found)
    if not study.progress.over:
        compare_views.watch(study.id, len(study.asked.plan.cells()))
    elif study.progress.state != "done":
        compare_views.show_ended(study)
    rows = studies.study_rows(study.id)
    if rows:
        compare_views.verdict(rows, cohort.column(cohort.outcome.column).title)
        compare_views.table(rows, len(cohort.classes))
        compare_views.dot_plot(rows)
        compare_views.differences(rows)
        compare_views.download(rows)

going = any(not row.progress.over for row in found)
with st.expander("Compare methods on the same patients", expanded=not found):
    plan = compare_views.study_form(cohort)
    begin = st.button("Compare", type="primary", disabled=going or plan is None)
    if going:
        st.caption("A comparison of this cohort is running.")
    if plan and begin:
        studies.start_study(cohort_id, plan)
        st.rerun()

st.subheader("Two runs side by side")
pair_views.side_by_side(runs.list_runs(cohort_id))
