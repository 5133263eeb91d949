"""How each picture of the page Method begins, and how its figures are shown."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from cacviz.wording.method import HEADINGS, ONE_SENTENCE

STILL = {"displayModeBar": False}


def heading(name: str) -> None:
    """A picture's title and its one sentence."""
    st.subheader(HEADINGS[name], anchor=name)
    st.markdown(ONE_SENTENCE[name])


def picture(figure: go.Figure, key: str, alt: str) -> None:
    """A figure that is moved by the widgets beside it, not by its own tools."""
    st.plotly_chart(figure, key=f"method_{key}", config=STILL, alt=alt)
