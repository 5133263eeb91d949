"""What differs: which features set the subtypes apart?"""

import streamlit as st

from cacviz.ui.differences import views
from cacviz.ui.shell import guards
from cacviz.ui.subtypes import focus, parts
from cacviz.ui.subtypes import run as run_views

st.title("What differs")
run, cohort = guards.require_run()
parts.status(run)
run_views.doubts(run)
run_views.made_of(run)
run_views.coded(run)
described = parts.part_or_word(run, "described", cohort)
if described is None:
    st.stop()

titles = parts.titles(run)
focus.take_clicks()
shown = focus.strip(run, titles)
views.tests(described)
picked = views.table(views.only(described, shown), [titles[j] for j in shown])
if picked is not None:
    whole = next(f for f in described.profiles.features if f.name == picked.name)
    views.distribution(views.as_shown(whole), run, cohort, titles, shown)
views.effects(described)
