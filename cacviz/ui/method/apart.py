"""Picture 2: how far outcomes and groups lie apart, whose risk turns, and what is predicted."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from cacviz.engine.cac.explained.patients import World
from cacviz.engine.cac.explained.studies import DIAL, Compared, compare, turn_dial
from cacviz.figures import lessons, plane
from cacviz.ui.method.heading import heading, picture
from cacviz.ui.shell.layout import beside
from cacviz.wording.method import CAPTIONS, DIAL_TITLE, HELP, WAYS, apart_words

GRID = 70
STOPS = {0.0: "the same", 0.5: "none", 1.0: "opposite"}


@st.cache_data(max_entries=200, show_spinner=False)
def _compared(world: World) -> Compared:
    return compare(world)


@st.cache_data(max_entries=200, show_spinner=False)
def _dialled(world: World) -> dict[str, list[float]]:
    return turn_dial(world)


@st.fragment
def show() -> None:
    """Three sliders, three ways to predict, and the dial over its whole range."""
    heading("apart")
    world = _world()
    found = _compared(world)
    for place, name in zip(beside("apart", 3), WAYS, strict=True):
        with place:
            title = f"{WAYS[name]}: AUC {found.auc[name]:.2f}"
            figure = plane.predicted(
                _grid(found, name), found.plane.X, found.plane.y, found.models[name].centres, title
            )
            picture(figure, name, f"Predicted risk by {title}")
    st.markdown(f"**{apart_words(found.auc, found.moved)}**")
    st.caption(CAPTIONS["apart"])
    curves = {WAYS[name]: values for name, values in _dialled(world._replace(turned=0.0)).items()}
    figure = lessons.lines(
        DIAL,
        curves,
        x_title=DIAL_TITLE,
        y_title="AUC, new patients",
        at=world.turned,
        chance=0.5,
    )
    picture(figure, "dial", "AUC of three ways over the dial from the same to opposite risk")


def _world() -> World:
    """What the sliders say."""
    first, second, third = beside("world", 3)
    inner = _separation(first, "Inner class separation", "inner", (3.0, 1.5))
    outer = _separation(second, "Outer cluster separation", "outer", (6.0, 4.0))
    turned = third.select_slider(
        "Risk factors in the second subtype",
        DIAL,
        1.0,
        key="method_turned",
        format_func=lambda t: STOPS.get(t, f"{t:g}"),
        help=HELP["turned"],
        persist_state="session",
    )
    return World(inner, outer, 2, turned)


def _separation(place: Any, label: str, name: str, most_and_first: tuple[float, float]) -> float:
    most, first = most_and_first
    key, said = f"method_{name}", HELP[name]
    return place.slider(label, 0.0, most, first, 0.5, key=key, help=said, persist_state="session")


def _grid(found: Compared, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The risk that one way predicts over the whole picture."""
    low, high = found.plane.X.min(axis=0) - 0.6, found.plane.X.max(axis=0) + 0.6
    across, up = (np.linspace(low[axis], high[axis], GRID) for axis in (0, 1))
    places = np.column_stack([part.ravel() for part in np.meshgrid(across, up)])
    return across, up, found.models[name].risk(places).reshape(GRID, GRID)
