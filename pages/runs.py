"""Runs: everything that was tried, kept until it is deleted."""

import streamlit as st

from cacviz import runs
from cacviz.ui import guards, history, state

st.title("Runs")
rows = runs.list_runs()
if not rows:
    st.info("No runs yet. They are listed here after *Find subtypes*.")
    guards.ways_on()
    st.stop()

history.overview(rows)
chosen = history.choose(rows, state.current_run_id())
if chosen:
    history.details(chosen)
