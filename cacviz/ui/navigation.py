"""The pages, their order and titles, and how to get from one to another."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

FOLDER = Path(__file__).resolve().parents[2] / "pages"
PAGES = {
    "start": ("Start", ":material/home:"),
    "cohort": ("Cohort", ":material/groups:"),
    "find_subtypes": ("Find subtypes", ":material/search:"),
    "subtypes": ("Subtypes", ":material/bubble_chart:"),
    "what_differs": ("What differs", ":material/compare_arrows:"),
    "risk_factors": ("Risk factors", ":material/vital_signs:"),
    "compare": ("Compare", ":material/balance:"),
    "runs": ("Runs", ":material/history:"),
}


def path_of(name: str) -> str:
    """Where a page's script is; absolute, as the router stands in another folder."""
    return str(FOLDER / f"{name}.py")


def go(name: str) -> None:
    """Turn to another page."""
    st.switch_page(path_of(name))


def link(name: str, label: str) -> None:
    """A link to another page, with that page's icon."""
    st.page_link(path_of(name), label=label, icon=PAGES[name][1])
