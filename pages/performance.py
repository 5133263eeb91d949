"""Performance: how good, for whom?"""

import streamlit as st

from cacviz.ui.performance import groups, views
from cacviz.ui.shell import guards
from cacviz.ui.subtypes import parts
from cacviz.ui.subtypes import run as run_views

st.title("Performance")
run, cohort = guards.require_run()
parts.status(run)
run_views.doubts(run)
run_views.worse(run)
made = parts.part_or_word(run, "performance")
if made is None:
    st.stop()

views.lead(run)
shown = views.choose(run, cohort, made, parts.titles(run))
judged = views.choose_group(shown)
views.summary(shown, judged)
views.discrimination(shown, judged)
views.calibration(shown, judged)
st.subheader("At a threshold")
at = views.threshold(shown)
views.at_threshold(shown, judged, at)
views.benefit(shown, judged, at)
groups.for_whom(shown, at)
