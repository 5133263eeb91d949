"""Runs: everything that was tried, kept until it is deleted."""

import streamlit as st

from cacviz.store import runs
from cacviz.ui.runs import history
from cacviz.ui.shell import guards, state

st.title("Runs")
history.open_file()
rows = runs.list_runs()
if not rows:
    st.info("No runs yet. They are listed here after *Find subtypes*.")
    guards.ways_on()
    st.stop()

picked = history.overview(rows, key="all_runs")
st.caption("Pick a row to see the run below, with its name, note and settings.")
current = next((row for row in rows if row.id == state.run_id()), None)
chosen = picked or current
if chosen:
    history.details(chosen)
