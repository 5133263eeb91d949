"""The shell of every page: navigation, sidebar, what is open, what is running."""

from __future__ import annotations

import streamlit as st

from cacviz import runs
from cacviz.ui import layout, sidebar, state
from cacviz.ui.navigation import PAGES, path_of
from cacviz.ui.text import TITLE

# Streamlit leaves room for a toolbar that this app does not have.
STYLE = """
.stMainBlockContainer {padding-top: 2.5rem; padding-bottom: 3rem; max-width: 1280px}
h1 {padding-top: 0}
"""


@st.cache_resource
def _sweep_once() -> int:
    """At the first visit after a start: take away what a crash left half-written."""
    return runs.sweep()


def show(first: str = "start") -> None:
    """Draw the shell and the page in it; `first` is the one without a name in the address."""
    st.set_page_config(page_title=TITLE, page_icon="🧭", layout="wide")
    st.html(f"<style>{STYLE}{layout.STYLE}</style>")
    _sweep_once()
    state.restore()
    page = st.navigation(
        [
            st.Page(path_of(name), title=title, icon=icon, url_path=name, default=name == first)
            for name, (title, icon) in PAGES.items()
        ]
    )
    sidebar.show(page.url_path or first)
    page.run()
