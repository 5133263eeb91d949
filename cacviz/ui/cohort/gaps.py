"""Missing values by column and by outcome, and the first rows as they were read."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from cacviz.engine.types import Cohort
from cacviz.figures import ratios


def missing(cohort: Cohort) -> None:
    """Missing values by column, and by outcome where there is one."""
    frame = cohort.frame[cohort.names("feature")]
    shares = frame.isna().mean().sort_values(ascending=False)
    shares = shares[shares > 0]
    if shares.empty:
        st.caption("No feature has missing values.")
        return
    top = shares.head(40)
    figure = ratios.missing_shares(list(top.index), top.to_list())
    st.plotly_chart(figure, key="missing", alt="Share of missing values by column")
    if len(shares) > len(top):
        st.caption(f"The 40 columns with the most gaps of {len(shares)} that have any.")
    if cohort.outcome:
        by_class = {
            name: frame[cohort.y == code][top.index].isna().mean()
            for code, name in enumerate(cohort.classes)
        }
        st.caption("By outcome")
        st.dataframe(pd.DataFrame(by_class).style.format("{:.1%}"), key="missing_by_outcome")


def preview(cohort: Cohort) -> None:
    """The first rows as they were read."""
    st.dataframe(cohort.frame.head(50), hide_index=True)
    st.caption("The first 50 rows.")
