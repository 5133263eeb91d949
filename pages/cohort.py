"""Cohort: what is in my data, and can I trust it?"""

import streamlit as st

from cacviz.ui.cohort import checks, columns, done, gaps, hours, opening, outcome, overview, roles
from cacviz.ui.cohort import stored as kept
from cacviz.ui.cohort import subgroup as groups
from cacviz.ui.shell import guards, state
from cacviz.ui.shell.text import plain

st.title("Cohort")
cohort = state.cohort()
with st.expander("Open another cohort" if cohort else "Open a cohort", expanded=cohort is None):
    opening.choose_source()
kept.stored_cohorts(expanded=cohort is None)
if cohort is None:
    st.stop()

opening.offer_again()
opening.offer_alike()
guards.cohort_line(cohort)
overview.overview(cohort)
hours.flow(cohort)
if problem := state.take_problem():
    st.error(plain(problem))
outcome.choose_outcome(cohort)
roles.choose_roles(cohort)
overview.patients(cohort)
findings = st.container()  # filled last: no choice waits for it
done.what_was_done()
named = ["Columns", "Missing values", "Subgroup", "Data dictionary", "Preview", "Name"]
tabs = st.tabs([*named, "Hours"] if cohort.series is not None else named)
with tabs[0]:
    columns.columns(cohort)
with tabs[1]:
    gaps.missing(cohort)
with tabs[2]:
    groups.subgroup(cohort)
with tabs[3]:
    columns.dictionary(cohort)
    done.as_file(cohort)
with tabs[4]:
    gaps.preview(cohort)
with tabs[5]:
    overview.rename(cohort)
if cohort.series is not None:
    with tabs[6]:
        hours.hours(cohort)
with findings:
    checks.checks(cohort)
