"""Compare: does clustering help here?"""

import streamlit as st

from cacviz.jobs import queue
from cacviz.store import runs, studies
from cacviz.ui.compare import findings, pair, study
from cacviz.ui.shell import guards, state

st.title("Compare")
cohort, cohort_id = guards.require_cohort(), state.cohort_id()
guards.cohort_line(cohort)
guards.require_outcome(cohort)
assert cohort_id is not None

found = studies.list_studies(cohort_id)
if found:
    chosen = study.choose_study(found)
    rows = studies.study_rows(chosen.id)
    study.used_by(chosen, cohort)
    if not chosen.progress.over:
        study.watch(chosen.id, len(chosen.asked.plan.cells()), len(rows))
    elif chosen.progress.state != "done":
        study.show_ended(chosen)
    if rows:
        outcome = chosen.asked.choices.outcome
        title = cohort.column(outcome.column).title if outcome else "the outcome"
        findings.results(chosen, rows, title)

going = any(not row.progress.over for row in found)
with st.expander("Compare methods on the same patients", expanded=not found):
    plan = study.study_form(cohort)
    begin = st.button("Compare", type="primary", disabled=going or plan is None)
    if going:
        st.caption("A comparison of this cohort is running.")
    if plan and begin:
        queue.start_study(cohort_id, plan)
        st.rerun()

st.subheader("Two runs side by side")
pair.side_by_side(runs.list_runs(cohort_id))
