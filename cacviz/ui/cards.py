"""Lists and cards that several pages show."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from cacviz.engine.insights.types import FEW
from cacviz.engine.notes import interval_text, subtype_name
from cacviz.engine.types import ClusterSummary, RunSummary
from cacviz.figures.theme import subtype_color
from cacviz.runs import RunRow
from cacviz.ui import layout
from cacviz.ui.sidebar import run_title
from cacviz.ui.text import METRIC_TITLES, STATE_WORDS, ago, plain, ratio, share


def run_rows(rows: Sequence[RunRow], *, key: str) -> str | None:
    """A line a run with a button to open it; gives the id that was asked for."""
    chosen = None
    for row in rows:
        title, cohort, figures, button = layout.line(f"{key}_{row.id}", [3, 3, 2, 1])
        title.markdown(f"**{plain(run_title(row))}**  \n{ago(row.asked.created)}")
        cohort.markdown(f"{plain(row.asked.cohort_name)}  \n{row.asked.n_patients:,} patients")
        figures.markdown(_figures(row))
        if button.button("Open", key=f"{key}_{row.id}"):
            chosen = row.id
    return chosen


def _figures(row: RunRow) -> str:
    test = row.figures.get("test", {})
    if "auc" not in test:
        return STATE_WORDS[row.state]
    return f"AUC {test['auc']['value']:.3f}  \nAUPRC {test['auprc_macro']['value']:.3f}"


def subtype_card(cluster: ClusterSummary, summary: RunSummary, name: str, outcome: str) -> None:
    """Who is in a subtype: size, outcome rate on held-out patients, class ratio as found."""
    total = sum(c.n for c in summary.clusters)
    with st.container(border=True, height="stretch"):
        color = subtype_color(cluster.cluster)
        # constants and a palette colour only: no user text goes into this HTML
        st.html(f'<div style="height:6px;border-radius:3px;background:{color}"></div>')
        st.markdown(f"#### {subtype_name(cluster.cluster)}")
        if name != subtype_name(cluster.cluster):
            st.markdown(f"**{plain(name)}**")
        st.markdown(f"{cluster.n:,} training patients ({cluster.n / max(1, total):.0%})")
        _held_out(cluster, summary, outcome)
        if len(summary.classes) > 1:
            order = " : ".join(plain(word) for word in summary.classes)
            st.caption(f"Class ratio as found ({order}): {ratio(cluster.class_counts)}")


def _held_out(cluster: ClusterSummary, summary: RunSummary, outcome: str) -> None:
    """How often the outcome is met in patients who were assigned without it."""
    if cluster.n_test < FEW:
        st.markdown(f"Outcome {plain(outcome)}: fewer than {FEW} held-out patients")
    elif len(summary.classes) == 2:
        rate = cluster.test_rates[1]
        st.markdown(
            f"Outcome {plain(outcome)} = {plain(summary.classes[1])}",
            help="Of held-out patients, who were assigned without their outcome.",
        )
        st.metric(outcome, f"{rate.value:.1%}", label_visibility="collapsed")
        limits = f"{rate.low:.1%} to {rate.high:.1%}"
        st.caption(f"95 % interval {limits} of {cluster.n_test:,} held-out patients")
    else:
        for code, word in enumerate(summary.classes):
            st.markdown(f"{plain(word)}: **{share(cluster.test_rates[code])}**")
        st.caption(f"of {cluster.n_test:,} held-out patients, 95 % interval")


def controls_frame(summary: RunSummary) -> pd.DataFrame:
    """The run and its controls on the same held-out patients, with intervals."""
    metrics = (
        ("auprc_macro", "auc")
        if len(summary.classes) > 2
        else ("auprc_macro", "auprc_positive", "auc")
    )
    rows = [{"": "This run", **{METRIC_TITLES[m]: interval_text(summary.test[m]) for m in metrics}}]
    for control in summary.controls:
        row = {"": control.title}
        row |= {METRIC_TITLES[m]: interval_text(control.scores[m]) for m in metrics}
        rows.append(row | {"This run minus control (AUPRC)": interval_text(control.difference)})
    return pd.DataFrame(rows).fillna("")
