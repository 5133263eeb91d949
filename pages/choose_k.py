"""Choose k: how many subtypes, and which weights?"""

import streamlit as st

from cacviz.jobs import sweeps as jobs
from cacviz.store import sweeps
from cacviz.ui.choosing import form, sensitivity, views, watching
from cacviz.ui.compare.study import used_by
from cacviz.ui.shell import guards, state

st.title("Choose k")
cohort, cohort_id = guards.require_cohort(), state.cohort_id()
guards.cohort_line(cohort)
guards.require_outcome(cohort)
assert cohort_id is not None

found = sweeps.list_sweeps(cohort_id, run="")
if found:
    chosen = views.choose_sweep(found)
    used_by(chosen, cohort, "sweep")
    if not chosen.progress.over:
        watching.watch(chosen.id, "sweep")
    elif chosen.progress.state != "done":
        watching.ended(chosen)
    rows = sweeps.sweep_rows(chosen.id)
    numbers, weights = st.tabs(["How many subtypes", "Which α, which β"])
    with numbers:
        views.how_many(chosen, rows)
    with weights:
        sensitivity.sensitivity(chosen, rows)

going = any(not row.progress.over for row in found)
with st.expander("Look at several numbers of subtypes", expanded=not found):
    plan = form.sweep_form(cohort)
    if st.button("Look", type="primary", disabled=going or plan is None) and plan:
        jobs.start_sweep(cohort_id, plan[0], scheduler=plan[1])
        st.rerun()
    if going:
        st.caption("A sweep of this cohort is running.")
