"""Start: what is this, and where was I?"""

import streamlit as st

from cacviz.store import runs
from cacviz.ui.cohort import opening
from cacviz.ui.runs import history
from cacviz.ui.shell import layout, navigation, state, tour
from cacviz.ui.shell.text import machine

st.title("Find patient subtypes that matter for an outcome")
st.markdown(
    "cacviz groups the patients of a cohort so that each group can have its own risk model, and "
    "tells you honestly whether the groups help."
)
left, middle, right = layout.cards("start", 3)
with left.container(border=True, height="stretch"):
    st.markdown("**Look at an example**  \nThree thousand synthetic ICU stays with three subtypes.")
    if st.button("Explore the demo ICU cohort", type="primary", width="stretch"):
        opening.open_demo_run()
        navigation.go("subtypes")
    if st.button("Show me around, in five steps", icon=":material/signpost:", width="stretch"):
        opening.open_demo_run()
        tour.begin()
with middle.container(border=True, height="stretch"):
    st.markdown(
        "**Use your own cohort**  \nCSV, TSV, Excel or Parquet: one row per patient, or hourly "
        "records."
    )
    if st.button("Open my data", width="stretch"):
        navigation.go("cohort")
with right.container(border=True, height="stretch"):
    st.markdown("**What it does not do**  \nIt does not diagnose, and it does not prove causes.")
    st.caption("Every result stands beside plain models without subtypes, on held-out patients.")

st.subheader("Recent runs")
rows = runs.list_runs()[:8]
if not rows:
    st.caption(f"Your runs will be listed here. They stay on {machine()} until you delete them.")
    st.stop()
chosen = history.overview(rows, key="recent")
st.caption("Click the box before a row to open that run.")
if chosen:
    state.open_run(chosen.id)
    navigation.go("subtypes" if chosen.state == "done" else "find_subtypes")
