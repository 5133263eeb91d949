"""Parts of the page Subtypes that come from insights: separation by patient, survival."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cacviz.engine.insights import tables
from cacviz.engine.insights.types import Described
from cacviz.figures import silhouettes, survival
from cacviz.runs import StoredRun
from cacviz.ui import insight_views
from cacviz.ui.downloads import AS_SVG
from cacviz.ui.text import plain


def separation(run: StoredRun, names: Sequence[str]) -> None:
    """How well each patient fits its subtype: the knife plot."""
    found = insight_views.part_or_word(run, "silhouettes")
    if found is None:
        return
    st.subheader("Separation by patient")
    figure = silhouettes.knife_plot(found, names)
    alt = "Silhouette of each training patient, sorted within its subtype"
    st.plotly_chart(figure, key="knife", config=AS_SVG, alt=alt)
    drawn = f" A sample of {len(found.rows):,} of {found.n:,}." if len(found.rows) < found.n else ""
    st.caption(
        f"Training patients.{drawn} Below 0 a patient lies nearer to another subtype. k-means on "
        f"the same space reaches {found.kmeans:.3f}; it looks for compact groups only."
    )
    with st.expander("As a table"):
        st.dataframe(tables.silhouette_table(found, names), hide_index=True)


def survival_of(described: Described, names: Sequence[str]) -> None:
    """Kaplan–Meier on held-out patients, where time and event are given."""
    found = described.survival
    if found is None or not found.curves:
        return
    st.subheader("Survival by subtype")
    figure = survival.survival_curves(found, names)
    st.plotly_chart(figure, key="survival", config=AS_SVG, alt="Kaplan–Meier curve a subtype")
    st.caption("Numbers at risk, held-out patients")
    st.dataframe(tables.at_risk_table(found, names))
    for test in described.tests:
        if test.test == "log-rank":
            st.markdown(plain(test.sentence))
