"""The whole glossary, and the limits in plain words."""

from __future__ import annotations

import streamlit as st

from cacviz.wording.glossary import GLOSSARY, LIMITS
from cacviz.wording.reading import entry_text


def show() -> None:
    """Every word, found by typing a part of it; then what the app cannot tell."""
    wanted = st.text_input("Find a word", key="method_word", placeholder="α, AUPRC, interval …")
    found = [
        e for e in GLOSSARY.values() if wanted.casefold() in f"{e.word} {e.meaning}".casefold()
    ]
    for entry in sorted(found, key=lambda e: e.word.casefold()):
        st.markdown(entry_text(entry))
    if not found:
        st.caption("No word of the glossary has this in it.")
    st.subheader("What cacviz cannot tell you")
    st.markdown("\n".join(f"- {line}" for line in LIMITS))
