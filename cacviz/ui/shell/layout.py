"""Where things stand: side by side in a wide window, below each other in a narrow one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

# Streamlit stacks columns on a telephone only; half a laptop's window is too narrow for charts.
STYLE = """
@media (max-width: 1100px) {
  [class*="st-key-beside_"] .stHorizontalBlock {flex-direction: column}
  [class*="st-key-beside_"] .stColumn {width: 100%; min-width: 100%; flex: 1 1 auto}
}
[class*="st-key-cards_"] .stHorizontalBlock {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr))
}
[class*="st-key-charts_"] .stHorizontalBlock {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr))
}
:is([class*="st-key-cards_"], [class*="st-key-charts_"]) .stColumn {width: auto; min-width: 0}
[class*="st-key-line_"] .stHorizontalBlock {flex-wrap: wrap}
[class*="st-key-line_"] .stColumn {min-width: 8.5rem}
"""


def beside(key: str, spec: int | Sequence[float]) -> list[Any]:
    """Columns that fall below each other where the window is narrow."""
    with st.container(key=f"beside_{key}"):
        return st.columns(spec)


def cards(key: str, n: int) -> list[Any]:
    """Places of one width, as many in a row as there is room for."""
    with st.container(key=f"cards_{key}"):
        return st.columns(n)


def charts(key: str, n: int) -> list[Any]:
    """Places for small charts: four in a row in a wide window, fewer in a narrow one."""
    with st.container(key=f"charts_{key}"):
        return st.columns(n)


def line(key: str, spec: Sequence[float]) -> list[Any]:
    """Columns of a line in a list; what has no room goes on in the next line."""
    with st.container(key=f"line_{key}"):
        return st.columns(spec, vertical_alignment="center")
