"""Pictures 3 to 5: DeepCAC's margin, its routing at a border, and its three stages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from cacviz.engine.cac.explained import margin as circles
from cacviz.engine.cac.explained import mixing
from cacviz.figures import lessons, stages
from cacviz.ui.method.heading import heading, picture
from cacviz.ui.shell.layout import beside
from cacviz.wording.method import CAPTIONS, PRECOMPUTED, border_words, margin_words, stage_words
from cacviz.wording.words import subtype_name

TRACE = Path(__file__).with_name("embedding_trace.json")
PAIR = (subtype_name(0), subtype_name(1))


@st.fragment
def margin() -> None:
    """Two outcomes on a circle, settled under the margin chosen."""
    heading("margin")
    left, right = beside("margin", [3, 2])
    with right:
        wanted = st.slider(
            "Margin (m)", 0.0, 1.0, 0.4, 0.1, key="method_margin", persist_state="session"
        )
        found = circles.settle(wanted)
        gaps = found.gap(found.settled), found.gap(found.start)
        won = found.won(found.settled, wanted)
        st.markdown(f"**{margin_words(wanted, won, len(found.y), *gaps)}**")
        st.caption(CAPTIONS["margin"])
    with left:
        angles = {"before": found.start, "settled": found.settled}
        figure = lessons.circle(
            angles, found.y, found.vectors, circles.unwon(wanted, found.vectors)
        )
        picture(figure, "circle", f"Patients on a circle, settled with margin {wanted:.1f}")


@st.fragment
def border() -> None:
    """One patient on the way from one subtype to the other."""
    heading("border")
    left, right = beside("border", [3, 2])
    with right:
        keep: Any = {"persist_state": "session"}
        place = st.slider(
            "Where the patient lies", -3.0, 3.0, 0.1, 0.1, format=" ", key="method_place", **keep
        )
        label = "Risk at the border by the model of {}, %"
        first = st.slider(label.format(PAIR[0]), 5, 95, 15, 5, key="method_first", **keep)
        second = st.slider(label.format(PAIR[1]), 5, 95, 45, 5, key="method_second", **keep)
        risks = first / 100, second / 100
        one = mixing.at_place(place, *risks)
        said = border_words(
            float(one.share[0]), float(one.hard[0]), float(one.soft[0]), abs(risks[1] - risks[0])
        )
        st.markdown(f"**{said}**")
    with left:
        way = mixing.way(*risks)
        routed = {"hard routing": way.hard, "soft routing": way.soft}
        figure = lessons.border(way.at, way.experts, routed, place, PAIR)
        picture(figure, "border", "Risk on the way from one subtype to another, by both routings")


@st.cache_data(max_entries=1, show_spinner=False)
def _trace() -> dict[str, Any]:
    return json.loads(TRACE.read_text(encoding="utf-8"))


@st.fragment
def three_stages() -> None:
    """The demo's embedding at a few moments of a fit that was made beforehand."""
    heading("stages")
    trace = _trace()
    frames = trace["frames"]
    number = st.select_slider(
        "Moment of the training",
        range(len(frames)),
        key="method_moment",
        format_func=lambda i: _moment(frames[i]),
        persist_state="session",
    )
    frame = frames[number]
    points, outcome = np.array(frame["points"]), np.array(trace["outcome"])
    if frame["phase"] == "experts":
        figure = stages.risks(points, np.array(trace["risk"]), outcome)
    else:
        found = np.array(trace["cluster"])
        groups = np.full_like(found, -1) if frame["phase"] == "pretrain" else found
        names = [subtype_name(cluster) for cluster in range(found.max() + 1)]
        figure = stages.embedding(points, groups, outcome, names)
    picture(figure, "embedding", f"Embedding of the demo's patients: {_moment(frame)}")
    said = stage_words(frame["phase"], frame["epoch"], frame["silhouette"], trace["ari"])
    st.markdown(f"**{said}**")
    st.caption(f"{PRECOMPUTED} Diamonds: patients who died. {len(outcome)} patients are drawn.")


def _moment(frame: dict[str, Any]) -> str:
    number = {"pretrain": 1, "cluster": 2, "experts": 3}[frame["phase"]]
    return f"Stage {number}" + (f", epoch {frame['epoch']}" if frame["epoch"] else "")
