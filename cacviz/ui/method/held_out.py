"""Picture 6: how the held-out test is kept apart, and what happens on noise without it."""

from __future__ import annotations

import streamlit as st

from cacviz.engine.cac.explained.studies import Seen, on_noise
from cacviz.figures import lessons
from cacviz.ui.method.heading import heading, picture
from cacviz.ui.shell.layout import beside, cards
from cacviz.wording.method import PARTS_OF_A_RUN, noise_words


@st.cache_data(max_entries=50, show_spinner=False)
def _noise(seed: int) -> list[Seen]:
    return on_noise(seed=seed)


@st.fragment
def show() -> None:
    """The three parts of a run, and a coin toss that looks like a finding until it is tested."""
    heading("held_out")
    for place, (title, words) in zip(cards("parts", 3), PARTS_OF_A_RUN, strict=True):
        with place.container(border=True, height="stretch"):
            st.markdown(f"**{title}**  \n{words}")
    left, right = beside("noise", [3, 2])
    with right:
        clusters = st.slider(
            "Number of subtypes (k)", 1, 6, 4, key="method_k", persist_state="session"
        )
        tosses = st.session_state.get("_method_tosses", 0)
        found = _noise(tosses)
        one = found[clusters - 1]
        st.markdown(f"**{noise_words(clusters, one.learned, one.held_out)}**")
        if st.button("Toss the coins again", key="method_toss"):
            st.session_state["_method_tosses"] = tosses + 1
            st.rerun(scope="fragment")
    with left:
        curves = {
            "patients learned from": [row.learned for row in found],
            "held-out patients": [row.held_out for row in found],
        }
        figure = lessons.lines(
            [row.clusters for row in found],
            curves,
            x_title="Number of subtypes (k)",
            y_title="AUC",
            at=clusters,
            chance=0.5,
        )
        picture(figure, "noise", "AUC on noise by number of subtypes, learned and held out")
