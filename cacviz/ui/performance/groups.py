"""The section "For whom?": every group side by side, and whom the risks serve worse."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from cacviz.engine.insights.described.small_cells import shown_count
from cacviz.engine.insights.judged.types import ENOUGH, Judged
from cacviz.engine.scoring.shares import wilson
from cacviz.store.preferences import read_preferences
from cacviz.ui.performance.views import Shown, inside_of
from cacviz.ui.shell.downloads import table_button
from cacviz.ui.shell.text import plain
from cacviz.wording import for_whom as words
from cacviz.wording.performance import (
    SENSITIVE,
    group_row,
    group_table,
    group_title,
    table_sentence,
)
from cacviz.wording.tables import HIDDEN
from cacviz.wording.words import numbers


def for_whom(shown: Shown, at: float) -> None:
    """Every group side by side."""
    st.subheader("For whom?")
    missed = [_missed(shown, judged, at) for judged in shown.view.judged]

    def table(hide: bool) -> pd.DataFrame:
        return _table(shown, missed, hide)

    hide = read_preferences().hide_small
    st.dataframe(table(hide), hide_index=True)
    if not hide:  # counts of those missed stand in the sentences
        _served_worse(shown, missed)
    more = "" if shown.cohort.names("sensitive") else f" {SENSITIVE}"
    st.caption(plain(table_sentence(shown.what, at)) + more)
    table_button(table, "performance", key="save_performance")


def _table(shown: Shown, missed: list[words.Missed], hide: bool) -> pd.DataFrame:
    rows = []
    for judged, group in zip(shown.view.judged, missed, strict=True):
        title = group_title(judged.group, numbers(shown.titles), shown.cohort)
        row = group_row(judged, title, wilson(group.missed, group.events), _recalibrated(shown))
        if hide and shown_count(judged.events) is None:
            row |= {"Events": HIDDEN, "Share": HIDDEN}
        rows.append(row | {"Events": str(row["Events"])})
    return group_table(rows)


def _recalibrated(shown: Shown) -> bool:
    return shown.choices.recalibrated and shown.made.remedy is not None


def _missed(shown: Shown, judged: Judged, at: float) -> words.Missed:
    inside, group = inside_of(shown, judged), judged.group
    event = shown.event[inside]
    unflagged = event & (shown.risk[inside] < at)
    sensitive = shown.cohort.column(group.column).title if group.kind == "sensitive" else ""
    title = group_title(group, shown.titles, shown.cohort)
    return words.Missed(title, int(unflagged.sum()), int(event.sum()), sensitive)


def _served_worse(shown: Shown, missed: list[words.Missed]) -> None:
    """What a reader of the table must not overlook, in words."""
    pairs = zip(shown.view.judged, missed, strict=True)
    told = [(j, m) for j, m in pairs if j.group.kind != "all" and m.events >= ENOUGH]
    on = _recalibrated(shown)
    sizes = [(m.title, (j.after if on else None) or j.calibration) for j, m in told]
    said = [
        words.more_missed([m for _, m in told], missed[0], shown.what),
        *words.unequal([m for _, m in told], shown.what),
        words.too_low_or_high([(title, found) for title, found in sizes if found]),
    ]
    if lines := [plain(sentence) for sentence in said if sentence]:
        st.info("  \n".join(lines), icon=":material/visibility_off:")
