"""Tables as files that a spreadsheet opens without running anything."""

from __future__ import annotations

import pandas as pd
import streamlit as st

# a spreadsheet may pass over blanks and takes the full-width signs for the others
STARTERS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\0")
BLANKS = ("\t", "\r", "\n")
# the camera in a figure's corner saves it as a vector drawing
AS_SVG = {"toImageButtonOptions": {"format": "svg"}, "displaylogo": False}


def safe_csv(frame: pd.DataFrame, *, index: bool = False) -> bytes:
    """CSV whose text cells and headers cannot start a formula; numbers stay as they are."""
    frame = frame.reset_index() if index else frame
    safe = frame.apply(lambda column: column.map(_harmless))
    safe.columns = [_harmless(str(name)) for name in frame.columns]
    return safe.to_csv(index=False).encode("utf-8-sig")


def _harmless(value: object) -> object:
    if not isinstance(value, str):
        return value
    starts = value.lstrip().startswith(STARTERS) or value.startswith(BLANKS)
    return f"'{value}" if starts else value


def table_button(frame: pd.DataFrame, name: str, *, key: str, index: bool = False) -> None:
    """A button that saves a table; the file is made when it is pressed."""
    st.download_button(
        "Table as CSV",
        data=lambda: safe_csv(frame, index=index),
        file_name=f"{name}.csv",
        mime="text/csv",
        icon=":material/download:",
        key=key,
    )
