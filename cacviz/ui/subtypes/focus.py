"""Which subtypes a page shows: picked in a strip or clicked in a chart, and all views follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from cacviz.figures.theme import PALETTE
from cacviz.store.runs import StoredRun
from cacviz.ui.shell.text import plain

# a dot in the subtype's colour before each name: constants only, no user text
STYLE = "".join(
    f".st-key-focus_strip button[data-variant=pills]:nth-of-type({j + 1})::before "
    f"{{content:'';flex:none;width:.8em;height:.8em;border-radius:50%;background:{color};"
    "margin-right:.45em}\n"
    for j, color in enumerate(PALETTE)
)


def strip(run: StoredRun, titles: Sequence[str]) -> list[int]:
    """Number, colour and name of every subtype in a row; gives those to show."""
    if len(titles) < 2:
        return list(range(len(titles)))
    key = f"focus_{run.id}"
    with st.container(key="focus_strip"):
        picked = _pills(titles, key)
    return sorted(picked) if picked else list(range(len(titles)))


def _pills(titles: Sequence[str], key: str) -> list[int]:
    return st.pills(
        "Show only",
        list(range(len(titles))),
        selection_mode="multi",
        format_func=lambda j: plain(titles[j]),
        key=key,
        persist_state="session",
        help="Pick subtypes here, or click one in a chart; all views of this page follow.",
    )


def clicked(run: StoredRun, points: Iterable[Mapping[str, Any]], field: str = "x") -> None:
    """Take over a click on a chart whose points say their subtype in `customdata`."""
    found = sorted({c for point in points if (c := _cluster(point.get("customdata"))) is not None})
    key = f"focus_{run.id}"
    if found and st.session_state.get("_clicked") != (run.id, tuple(found)):
        st.session_state["_clicked"] = (run.id, tuple(found))
        st.session_state["_focus_wanted"] = (key, found)
        st.rerun()


def take_clicks() -> None:
    """What a click wanted, before the strip is drawn: a widget's state cannot change after it."""
    wanted = st.session_state.pop("_focus_wanted", None)
    if wanted:
        st.session_state[wanted[0]] = wanted[1]


def _cluster(customdata: Any) -> int | None:
    if isinstance(customdata, Mapping):
        customdata = customdata.get("0", customdata.get(0))
    if isinstance(customdata, (list, tuple)):
        customdata = customdata[0] if customdata else None
    return int(customdata) if isinstance(customdata, (int, float)) else None
