"""Picture 1: CAC round by round, with α from nothing to beyond its critical value."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cacviz.engine.cac.class_sums import Rounds
from cacviz.engine.cac.critical import critical_alpha
from cacviz.engine.cac.explained.patients import Plane, World, patients
from cacviz.engine.cac.explained.rounds import class_means, lloyd, rounds
from cacviz.figures import lessons, plane
from cacviz.ui.method.heading import heading, picture
from cacviz.ui.shell.layout import beside
from cacviz.wording.method import CAPTIONS, HELP, alpha_words, ending_words, round_words
from cacviz.wording.words import subtype_name

WORLD, N, SEED, K = World(inner=1.5, outer=2.5, kinds=3), 150, 2, 3
SECONDS_A_ROUND = 0.9
ROUND, PLAYING, FROM = "method_round", "_method_playing", "_method_from"


@st.cache_data(max_entries=1, show_spinner=False)
def _start() -> tuple[Plane, np.ndarray, float]:
    found = patients(WORLD, N, SEED)
    labels = lloyd(found.X, K)
    return found, labels, critical_alpha(found.y, labels, 2)


def show() -> None:
    """The picture; while it plays, a round a second."""
    heading("alpha")
    every = SECONDS_A_ROUND if st.session_state.get(PLAYING) else None
    st.fragment(_picture, run_every=every)()


def _picture() -> None:
    found, start, critical = _start()
    left, right = beside("alpha", [3, 2])
    with right:
        times = st.slider(
            "Outcome separation (α), as a multiple of its critical value",
            0.0,
            3.0,
            0.5,
            0.25,
            key="method_alpha",
            persist_state="session",
            help=HELP["alpha"],
            on_change=_to_start,
        )
        st.markdown(alpha_words(times, times * critical, critical))
        done = rounds(found.X, found.y, start, K, times * critical)
        number = _round(len(done.moves) - 1)
        st.markdown(f"**{round_words(number, done.moves, done.costs)}**")
        picture(lessons.cost(done.costs, number), "cost", "Cost of each round")
    with left:
        _patients(found, done, number)
    if number == len(done.moves) - 1:
        counts, _ = class_means(found.X, found.y, done.labels[-1], K)
        moved = int((done.labels[-1] != start).sum())
        said = ending_words(counts.astype(int).tolist(), moved, N)
        (st.warning if counts.min() < 5 else st.info)(said)


def _round(last: int) -> int:
    """The round on show: by the slider, by the buttons, or by playing."""
    number = min(st.session_state.pop(FROM, st.session_state.get(ROUND, 0)), last)
    if st.session_state.get(PLAYING):
        number = min(number + 1, last)
        if number == last:
            st.session_state[PLAYING] = False
            st.session_state[ROUND] = number
            st.rerun()
    st.session_state[ROUND] = number
    st.slider("Round", 0, last, key=ROUND)
    with st.container(horizontal=True):
        if st.button("Play", icon=":material/play_arrow:", key="method_play"):
            st.session_state[PLAYING] = True
            st.session_state[FROM] = 0 if number == last else number
            st.rerun()
        st.button("Next round", key="method_next", on_click=_go, args=(number + 1, last))
        st.button("To the end", key="method_end", on_click=_go, args=(last, last))
    return number


def _go(number: int, last: int) -> None:
    st.session_state[ROUND] = min(number, last)
    st.session_state[PLAYING] = False


def _to_start() -> None:
    st.session_state[ROUND] = 0
    st.session_state[PLAYING] = False


def _patients(found: Plane, done: Rounds, number: int) -> None:
    before = done.labels[max(number - 1, 0)]
    names = [subtype_name(cluster) for cluster in range(K)]
    moved = done.labels[number] != before
    picture(
        plane.subtypes_of(found.X, found.y, done.labels[number], names, moved),
        "patients",
        f"150 patients in {K} subtypes after round {number}",
    )
    st.caption(CAPTIONS["alpha"])
