"""Bedside rule: can a few values tell a patient's subtype?"""

import streamlit as st

from cacviz.ui.bedside import views, wishes
from cacviz.ui.shell import guards
from cacviz.ui.subtypes import parts
from cacviz.ui.subtypes import run as run_views
from cacviz.wording.rules import LEAD

st.title("Bedside rule")
run, cohort = guards.require_run()
parts.status(run)
run_views.doubts(run)
run_views.made_of(run)
run_views.coded(run)
st.markdown(LEAD)
wish = wishes.choose(run, cohort)
found = wishes.rule_for(run, wish, cohort)
if found is None:
    st.stop()

titles = parts.titles(run)
views.agreement(found)
views.card(found, titles, run, cohort)
views.price(found)
views.shares_and_rates(found, titles, cohort)
