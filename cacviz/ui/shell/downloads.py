"""Tables as files that a spreadsheet opens without running anything; small counts are hidden."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from cacviz.store.paths import kept_here
from cacviz.store.preferences import change_preferences, read_preferences
from cacviz.ui.shell import bound
from cacviz.wording.cells import safe_csv

# the camera in a figure's corner saves it as a vector drawing
AS_SVG = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}
HIDE_HELP = (
    "Counts below 5, and counts that would give them away, are hidden in files for others. On this "
    "screen they are shown unless you hide them."
)


def table_button(
    frame: pd.DataFrame | Callable[[bool], pd.DataFrame],
    name: str,
    *,
    key: str,
    index: bool = False,
) -> None:
    """A button that saves a table; the file is made when it is pressed.

    A table with counts comes as a function of whether small ones are hidden.
    """
    hide = read_preferences().hide_in_files
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Table as CSV",
            data=kept_here(lambda: _file(frame, hide, index)),
            file_name=f"{name}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key=key,
        )
        if callable(frame):
            bound.toggle(
                st,
                "Hide counts below 5 in the file",
                hide,
                lambda _, wanted: change_preferences(hide_in_files=wanted),
                f"{key}_hide",
                help=HIDE_HELP,
            )


def _file(frame: pd.DataFrame | Callable[[bool], pd.DataFrame], hide: bool, index: bool) -> bytes:
    return safe_csv(frame(hide) if callable(frame) else frame, index=index)


def hide_toggle() -> None:
    """Whether small counts are hidden on screen."""
    bound.toggle(
        st,
        "Hide counts below 5",
        read_preferences().hide_small,
        lambda _, wanted: change_preferences(hide_small=wanted),
        "hide_small",
        help="For a screen that others see. Hidden counts are drawn as hidden, not as zero.",
    )
