"""Treatment: does it work differently in different subtypes?"""

import streamlit as st

from cacviz.store import insights
from cacviz.ui.shell import guards, navigation
from cacviz.ui.shell.text import plain
from cacviz.ui.subtypes import parts
from cacviz.ui.subtypes import run as run_views
from cacviz.ui.treatment import views
from cacviz.wording.factors import risk_of
from cacviz.wording.treatment import LEAD, NONE, effects_title, lead

st.title("Treatment")
run, cohort = guards.require_run()
parts.status(run)
run_views.doubts(run)
found = parts.part(run, "treatment", cohort)
st.markdown(plain(lead(found)) if found else LEAD)
if found is None:
    if insights.part_states(run.id)["treatment"] == "ready" or not cohort.names("treatment"):
        st.info(NONE)
        navigation.link("cohort", "Choose the treatment")
    st.stop()

titles = parts.titles(run)
randomised = views.ask_randomised(run, found)
view = views.choose_view(found, cohort)
views.verdict(found, view, randomised)
outcome = risk_of(cohort, view.code)
views.effects(found, view, titles, outcome, effects_title(randomised))
views.survival(found, cohort, titles)
views.imbalance(found, randomised)
