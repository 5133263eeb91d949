"""How to read this page, one click away on every page: its lines, its words, the limits."""

from __future__ import annotations

import streamlit as st

from cacviz.ui.shell.text import machine
from cacviz.wording.glossary import LIMITS
from cacviz.wording.reading import entry_text, reading_of, words_of

# beside the page's title where there is room, above it where there is not
STYLE = """
.st-key-guide {align-items: flex-end}
@media (min-width: 1100px) {
  .st-key-guide {margin-bottom: -3.6rem; position: relative; z-index: 5}
  .stMain h1 {padding-right: 11rem}
}
"""


def show(page: str) -> None:
    """The button and what it opens."""
    with (
        st.container(key="guide", horizontal=True, horizontal_alignment="right"),
        st.popover("How to read this", icon=":material/help:", type="tertiary"),
    ):
        lines = (line.format(machine=machine()) for line in reading_of(page).lines)
        st.markdown("\n".join(f"- {line}" for line in lines))
        st.markdown("##### Words on this page")
        st.markdown("\n\n".join(entry_text(entry) for entry in words_of(page)))
        st.markdown("##### What cacviz cannot tell you")
        st.markdown("\n".join(f"- {line}" for line in LIMITS))
        if page != "method":
            st.caption("The page *Method* shows how it works, and has all words.")
