"""The frame of every page: navigation, sidebar, what is open, what is running."""

from __future__ import annotations

import streamlit as st

from cacviz.jobs import sweeping
from cacviz.store import paths
from cacviz.ui.shell import guide, layout, sidebar, state, tour
from cacviz.ui.shell.navigation import PAGES, in_sections, path_of
from cacviz.ui.shell.text import TITLE
from cacviz.ui.subtypes import focus

# Streamlit leaves room for a toolbar that this app has in a narrow window only, and some of its
# text is too pale.
STYLE = """
.stMainBlockContainer {padding-top: 2.5rem; padding-bottom: 3rem; max-width: 1280px}
h1 {padding-top: 0}
[data-testid="stCaptionContainer"] {opacity: 0.78}
[data-testid^="stBaseButton-primary"], [data-testid="stMultiSelectTagsContainer"] [data-tag] {
  color: light-dark(#FFFFFF, #0B1015)
}
.stApp :is(a, button, summary):focus-visible, .stApp [role="group"]:has(> input:focus-visible) {
  outline: 2px solid light-dark(#005A8D, #7CC4F0) !important; outline-offset: 2px
}
.js-plotly-plot :is(.xtick text, .ytick text, .cbaxis text, .xtitle, .ytitle, .cbtitle text) {
  fill: light-dark(#4A5563, #A9B4C0) !important; fill-opacity: 1 !important
}
@media (max-width: 1100px) {.stMainBlockContainer {padding-left: 1.5rem; padding-right: 1.5rem}}
@media (max-width: 640px) {.stMainBlockContainer {padding-top: 4rem}}
"""


@st.cache_resource
def _sweep_once(folder: str) -> int:
    """At the first visit after a start: take away what a crash left half-written."""
    return sweeping.sweep()


def show(first: str = "start") -> None:
    """Draw the frame and the page in it; `first` is the one without a name in the address."""
    st.set_page_config(page_title=TITLE, page_icon="🧭", layout="wide")
    st.html(f"<style>{STYLE}{layout.STYLE}{focus.STYLE}{guide.STYLE}</style>")
    _sweep_once(str(paths.data_dir()))
    state.restore()
    sections = in_sections()
    page = st.navigation(
        {section: [_page(name, first) for name in names] for section, names in sections.items()},
        expanded=True,
    )
    sidebar.show(page.url_path or first)
    tour.show(page.url_path or first)
    guide.show(page.url_path or first)
    page.run()


def _page(name: str, first: str) -> st.Page:
    title, icon = PAGES[name]
    return st.Page(path_of(name), title=title, icon=icon, url_path=name, default=name == first)
