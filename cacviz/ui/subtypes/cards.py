"""A card a subtype."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cacviz.engine.insights.types import FEW
from cacviz.engine.running.sweeps.stability import Stability
from cacviz.engine.types import ClusterSummary, RunSummary
from cacviz.figures.theme import subtype_color
from cacviz.store.preferences import read_preferences
from cacviz.ui.shell import layout
from cacviz.ui.shell.text import plain
from cacviz.wording.sweeps import STABILITY_HELP, stability_line
from cacviz.wording.words import ratio, share, subtype_name


def show_cards(
    summary: RunSummary,
    names: Sequence[str],
    outcome: str,
    shown: Sequence[int],
    checked: Stability | None = None,
) -> None:
    """A card for each subtype that is shown; `checked` says whether it would be found again."""
    places = layout.cards("subtypes", len(shown))
    for place, cluster in zip(places, shown, strict=True):
        with place:
            said = stability_line(checked.clusters[cluster]) if checked else ""
            _card(summary.clusters[cluster], summary, names[cluster], outcome, said)


def _card(
    cluster: ClusterSummary, summary: RunSummary, name: str, outcome: str, stability: str
) -> None:
    """Who is in a subtype: size, outcome rate on held-out patients, class ratio as found."""
    total = sum(c.n for c in summary.clusters)
    with st.container(border=True, height="stretch"):
        color = subtype_color(cluster.cluster)
        # constants and a palette colour only: no user text goes into this HTML
        st.html(f'<div style="height:6px;border-radius:3px;background:{color}"></div>')
        st.markdown(f"#### {subtype_name(cluster.cluster)}")
        if name:
            st.markdown(f"**{plain(name)}**")
        st.markdown(
            f"{cluster.n:,} training patients ({cluster.n / max(1, total):.0%})",
            help="Patients that the run learned from. The page's other figures of this subtype "
            "count the same ones, or the held-out ones where they say so.",
        )
        _held_out(cluster, summary, outcome)
        if len(summary.classes) > 1:
            order = " : ".join(plain(word) for word in summary.classes)
            st.caption(
                f"As found among training patients: class ratio ({order}) "
                f"{ratio(cluster.class_counts)}{_share_found(cluster, summary)}"
            )
        if stability:
            st.markdown(plain(stability), help=STABILITY_HELP)


def _share_found(cluster: ClusterSummary, summary: RunSummary) -> str:
    """The event's share among those who made the subtype, beside the held-out one above it."""
    if len(summary.classes) != 2 or cluster.n == 0:
        return ""
    return f", {cluster.class_counts[1] / cluster.n:.1%}"


def _held_out(cluster: ClusterSummary, summary: RunSummary, outcome: str) -> None:
    """How often the outcome is met in patients who were assigned without it."""
    if cluster.n_test == 0 or (read_preferences().hide_small and cluster.n_test < FEW):
        few = "no" if cluster.n_test == 0 else f"fewer than {FEW}"
        st.markdown(f"Outcome {plain(outcome)}: {few} held-out patients")
    elif len(summary.classes) == 2:
        rate = cluster.test_rates[1]
        st.markdown(
            f"Outcome {plain(outcome)} = {plain(summary.classes[1])}",
            help="Of held-out patients, who were assigned without their outcome.",
        )
        st.metric(plain(outcome), f"{rate.value:.1%}", label_visibility="collapsed")
        limits = f"{rate.low:.1%} to {rate.high:.1%}"
        st.caption(f"95% interval {limits}; {cluster.n_test:,} held-out patients")
    else:
        for code, word in enumerate(summary.classes):
            st.markdown(f"{plain(word)}: **{share(cluster.test_rates[code])}**")
        st.caption(f"of {cluster.n_test:,} held-out patients, 95% interval")
