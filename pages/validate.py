"""Validate: do the subtypes hold in another cohort?"""

import streamlit as st

from cacviz.store import validations
from cacviz.ui.shell import guards
from cacviz.ui.subtypes import parts
from cacviz.ui.subtypes import run as run_views
from cacviz.ui.validate import asking, views
from cacviz.wording.elsewhere import LEAD

st.title("Validate")
run, cohort = guards.require_run()
run_views.doubts(run)
run_views.worse(run)
st.markdown(LEAD)
rows = validations.list_validations(run.id)
asking.ask(run, expanded=not rows)
if not rows:
    st.stop()

chosen = asking.choose(rows)
if not chosen.progress.over:
    asking.watch(chosen.id)
elif chosen.progress.state != "done":
    asking.ended(chosen)
else:
    views.show(validations.load_validation(chosen.id), parts.titles(run), cohort)
