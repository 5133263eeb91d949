"""Parts of the page Subtypes that come from insights: separation by patient, survival."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cacviz.engine.insights.types import Described
from cacviz.engine.running.methods import METHODS
from cacviz.engine.types import Cohort
from cacviz.figures import silhouettes, survival
from cacviz.store.preferences import read_preferences
from cacviz.store.runs import StoredRun
from cacviz.ui.shell.downloads import AS_SVG, table_button
from cacviz.ui.shell.text import plain
from cacviz.ui.subtypes import parts
from cacviz.wording import captions, tables


def separation(run: StoredRun, titles: Sequence[str], shown: Sequence[int]) -> None:
    """How well each patient fits its subtype: the knife plot."""
    found = parts.part_or_word(run, "silhouettes")
    if found is None:
        return
    st.subheader("Separation by patient")
    figure = silhouettes.knife_plot(found, parts.axis_titles(titles, shown), shown)
    alt = "Silhouette of each training patient, sorted within its subtype"
    st.plotly_chart(figure, key="knife", config=AS_SVG, alt=alt)
    st.caption(captions.separation(len(found.rows), found.n, found.kmeans))
    if below := captions.mostly_below(found.values, found.clusters):
        st.markdown(below)
    if METHODS[run.asked.config.method].deep:
        st.caption(captions.LEARNED_SPACE)
    with st.expander("As a table"):
        wide = {"Subtype": st.column_config.Column(width="small")}  # the figures stay in view
        frame = tables.silhouette_table(found, titles)
        st.dataframe(frame, hide_index=True, column_config=wide)


def survival_of(
    described: Described, cohort: Cohort, titles: Sequence[str], shown: Sequence[int]
) -> None:
    """Kaplan–Meier on held-out patients, where time and event are given."""
    found = described.survival
    if found is None or not found.curves:
        return
    st.subheader("Survival by subtype")
    figure = survival.survival_curves(found, titles, shown)
    st.plotly_chart(figure, key="survival", config=AS_SVG, alt="Kaplan–Meier curve a subtype")
    if said := captions.followed_words(cohort):
        st.caption(said)
    st.caption("Numbers at risk, held-out patients")
    hide = read_preferences().hide_small
    st.dataframe(tables.at_risk_table(found, titles, hide=hide))
    table_button(
        lambda hide: tables.at_risk_table(found, titles, hide=hide),
        "numbers_at_risk",
        key="save_at_risk",
        index=True,
    )
    for test in described.tests:
        if test.test == "log-rank":
            st.markdown(plain(tables.test_sentence(test)))
