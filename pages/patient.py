"""Patient: what about this one?"""

import streamlit as st

from cacviz.engine.exceptions import CohortError
from cacviz.engine.running.methods import METHODS
from cacviz.ui.patient import asking, batch, entry, result
from cacviz.ui.shell import guards
from cacviz.ui.shell.text import plain
from cacviz.ui.subtypes import parts
from cacviz.ui.subtypes import run as run_views
from cacviz.wording.patient import LEAD

st.title("Patient")
run, cohort = guards.require_run()
run_views.doubts(run)
run_views.worse(run)
run_views.made_of(run)
run_views.coded(run)
st.markdown(LEAD)
asking.warm(run.id)
hours = METHODS[run.asked.config.method].reads == "series"
way = entry.choose_way(run, hours=hours)
if way == "file":
    batch.show(run, cohort)
    st.stop()

students = parts.part(run, "students", cohort)
described = parts.part(run, "described", cohort)
columns = entry.used_columns(cohort, students, described.profiles if described else None)
row = entry.row_of(run, cohort) if way == "row" else None
values = entry.taken(run) if hours else entry.form(run, cohort, columns)
if values is None:
    if not hours:
        st.caption("Type in what is known and press Predict.")
    st.stop()
try:
    spoken = result.Spoken(run, cohort, parts.titles(run), columns, values, row)
    result.show(spoken, students)
except CohortError as error:
    st.warning(plain(error))
