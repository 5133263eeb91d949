"""Report: how do I publish or hand over?"""

import streamlit as st

from cacviz.ui.report import views
from cacviz.ui.shell import guards
from cacviz.ui.subtypes import parts
from cacviz.ui.subtypes import run as run_views

st.title("Report")
run, cohort = guards.require_run()
parts.status(run)
run_views.doubts(run)
wanted = views.choose(run)
views.make(run, wanted)
views.downloads(run)
