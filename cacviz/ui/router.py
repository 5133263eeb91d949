"""The shell of every page: navigation, sidebar, what is open, what is running."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from cacviz.ui import sidebar, state
from cacviz.ui.text import TITLE

ROOT = Path(__file__).resolve().parents[2] / "pages"
PAGES = {
    "start": ("Start", ":material/home:"),
    "cohort": ("Cohort", ":material/groups:"),
    "find_subtypes": ("Find subtypes", ":material/search:"),
    "subtypes": ("Subtypes", ":material/bubble_chart:"),
    "runs": ("Runs", ":material/history:"),
}

st.set_page_config(page_title=TITLE, page_icon="🧭", layout="wide")
state.restore()
page = st.navigation(
    [
        st.Page(ROOT / f"{name}.py", title=title, icon=icon, url_path=name, default=name == "start")
        for name, (title, icon) in PAGES.items()
    ]
)
sidebar.show(page.url_path or "start")
page.run()
