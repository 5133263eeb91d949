"""Risk factors: what drives the outcome inside each subtype?"""

import streamlit as st

from cacviz.ui.factors import views
from cacviz.ui.shell import guards
from cacviz.ui.subtypes import focus, parts
from cacviz.ui.subtypes import run as run_views
from cacviz.wording.factors import risk_of

st.title("Risk factors")
run, cohort = guards.require_run()
parts.status(run)
run_views.doubts(run)
run_views.worse(run)
run_views.made_of(run)
run_views.coded(run)
students = parts.part_or_word(run, "students", cohort)
if students is None:
    st.stop()

titles = parts.titles(run)
view = views.choose_view(students, cohort)
outcome = risk_of(cohort, view.code)
views.fidelity(view, run.summary.notes)
focus.take_clicks()
shown = focus.strip(run, titles)
views.side_by_side(view, titles, run.summary, shown, parts.part(run, "performance"))
views.beeswarm(view, titles, outcome, shown)
views.one_feature(view, titles, outcome, shown)
