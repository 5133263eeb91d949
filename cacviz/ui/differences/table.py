"""The paper's table as the page shows it: shares in per cent, words where there is no number.

The file that the page saves keeps the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from cacviz.engine.insights.types import FeatureProfile
from cacviz.engine.types.telling import short_number
from cacviz.ui.shell.text import plain
from cacviz.wording import tables
from cacviz.wording.words import numbers

STABILITY = "Stability"


def shown_table(
    frame: pd.DataFrame, features: Sequence[FeatureProfile], *, hide: bool = False
) -> Styler:
    """`tables.paper_table` in words; differences stay numbers, so that they sort."""
    is_share = [f.shape != "number" for f in features for _ in range(tables.n_rows(f))]
    effects = [tables.EFFECT, tables.HELD_OUT]
    shown = frame.copy()
    nothing = tables.HIDDEN if hide else tables.NOT_MEASURED
    for head in frame.columns.difference(["Feature", STABILITY, *effects], sort=False):
        cells = zip(frame[head], is_share, strict=True)
        shown[head] = [_mean(value, share, nothing) for value, share in cells]
    shown[STABILITY] = ["" if isnan(v) else f"{v:.0%}" for v in frame[STABILITY]]
    return shown.style.format(tables.difference_word, subset=effects)


def _mean(value: float, is_share: bool, nothing: str) -> str:
    if isnan(value):
        return nothing
    return f"{value:.1%}" if is_share else short_number(value)


def heads_of(titles: Sequence[str]) -> dict:
    """Columns headed by the number, which is never cut; help has the name, as the chips above."""
    width = max(90, 312 // max(1, len(titles)))  # what follows them stays in view
    short = numbers(titles)
    return {
        head: st.column_config.TextColumn(short[j], help=plain(titles[j]), width=width)
        for j, head in enumerate(tables.heads(titles))
    }


def formats(titles: Sequence[str]) -> dict:
    """How each column of the paper's table is headed."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "Feature": text(width=175, pinned=True),
        **heads_of(titles),
        tables.EFFECT: number(width=145),
        tables.HELD_OUT: number(width=160, help="Below 0: reversed on held-out patients."),
        STABILITY: text("Rank stability", width=100),
    }
