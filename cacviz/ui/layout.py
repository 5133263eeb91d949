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
"""


def beside(key: str, spec: int | Sequence[float]) -> list[Any]:
    """Columns that fall below each other where the window is narrow."""
    with st.container(key=f"beside_{key}"):
        return st.columns(spec)
