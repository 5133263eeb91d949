"""The theorems for the run at hand, subtype by subtype."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from cacviz.engine.insights.types import SubtypeTheory, Theorems
from cacviz.figures import bounds
from cacviz.ui.method.heading import picture
from cacviz.ui.shell import state
from cacviz.ui.shell.guards import ways_on
from cacviz.ui.subtypes import parts
from cacviz.wording import theorems as words
from cacviz.wording.words import subtype_name


def show() -> None:
    """All three for the open run; without one, how to get it."""
    run = state.run()
    if run is None:
        st.info(words.NO_RUN)
        ways_on()
        return
    found = parts.part(run, "theorems")
    if found is None:
        parts.status(run)
        return
    titles = [subtype_name(j) for j in range(found.n_clusters)]  # names would leave no room
    st.markdown(words.INTRODUCTION)
    if not found.subtypes:
        st.caption("No subtype of this run has training patients of two outcomes.")
        return
    _log_loss(found, titles)
    _margin(found, titles)
    _general(found, titles)


def _say(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        st.markdown(f"- {sentence}")


def _log_loss(found: Theorems, titles: Sequence[str]) -> None:
    rows = found.subtypes
    st.subheader(words.HEADINGS["log_loss"])
    marks = [
        ("true, training patients", "diamond", [s.log_loss.loss for s in rows]),
        ("true, held-out patients", "circle-open", [s.held_out for s in rows]),
        ("giving everybody the rate", "line-ns-open", [s.trivial for s in rows]),
    ]
    spans = [(s.log_loss.lower, s.log_loss.upper) for s in rows]
    _drawn("log_loss", rows, titles, spans, marks)
    _say(words.log_loss_words(found))


def _margin(found: Theorems, titles: Sequence[str]) -> None:
    rows = [s for s in found.subtypes if s.margin is not None]
    st.subheader(words.HEADINGS["margin"])
    if not rows:
        st.caption(words.NO_MARGIN)
        return
    margins = [s.margin for s in rows if s.margin is not None]
    marks = [
        ("true, training patients", "diamond", [m.loss for m in margins]),
        ("the paper's lower bound", "triangle-right-open", [m.paper_lower for m in margins]),
        ("the paper's upper bound", "triangle-left-open", [m.paper_upper for m in margins]),
    ]
    spans = [(m.lower, m.upper) for m in margins]
    _drawn("margin_loss", rows, titles, spans, marks)
    _say(words.margin_words(found))


def _drawn(
    key: str,
    rows: Sequence[SubtypeTheory],
    titles: Sequence[str],
    spans: Sequence[tuple[float, float]],
    marks: Sequence[tuple[str, str, Sequence[float]]],
) -> None:
    axis = {"log_loss": words.LOG_LOSS, "margin_loss": words.MARGIN}[key]
    clusters = [s.cluster for s in rows]
    names = [titles[j] for j in clusters]
    figure = bounds.between(names, clusters, spans, marks, axis)
    picture(figure, key, f"{axis}: bounds and true values by subtype")


def _general(found: Theorems, titles: Sequence[str]) -> None:
    st.subheader(words.HEADINGS["general"])
    if found.one is None:
        st.caption(words.NOT_TWO)
        return
    _say(words.general_words(found))
    st.dataframe(_table(found.subtypes, titles), hide_index=True, width="stretch")
    st.caption(words.CAUTION)


def _table(rows: Sequence[SubtypeTheory], titles: Sequence[str]) -> pd.DataFrame:
    kept = [(titles[s.cluster], s.held_out, s.general) for s in rows if s.general is not None]
    return pd.DataFrame(
        {
            "Subtype": [title for title, _, _ in kept],
            "Training patients": [g.n for _, _, g in kept],
            "Training loss": [f"{g.loss:.3f}" for _, _, g in kept],
            "+ how rich the models are": [f"{g.complexity:.2f}" for _, _, g in kept],
            "+ luck of the sample": [f"{g.chance:.2f}" for _, _, g in kept],
            "= bound": [f"{g.bound:.2f}" for _, _, g in kept],
            "Giving everybody the rate": [f"{g.trivial:.3f}" for _, _, g in kept],
            "Says something": ["no" if g.void else "yes" for _, _, g in kept],
        }
    )
