"""The pages, their order and titles, and how to get from one to another."""

from __future__ import annotations

import streamlit as st

from cacviz.ui.shell.places import served

PAGES = {
    "start": ("Start", ":material/home:"),
    "cohort": ("Cohort", ":material/groups:"),
    "find_subtypes": ("Find subtypes", ":material/search:"),
    "choose_k": ("Choose k", ":material/tag:"),
    "subtypes": ("Subtypes", ":material/bubble_chart:"),
    "what_differs": ("What differs", ":material/compare_arrows:"),
    "risk_factors": ("Risk factors", ":material/vital_signs:"),
    "performance": ("Performance", ":material/speed:"),
    "bedside_rule": ("Bedside rule", ":material/assignment:"),
    "treatment": ("Treatment", ":material/medication:"),
    "validate": ("Validate", ":material/verified:"),
    "compare": ("Compare", ":material/balance:"),
    "patient": ("Patient", ":material/personal_injury:"),
    "report": ("Report", ":material/description:"),
    "runs": ("Runs", ":material/history:"),
    "method": ("Method", ":material/school:"),
}

# The questions come in this order; a page that is not named here stands in the last section.
SECTIONS = {
    "Prepare": ("start", "cohort", "find_subtypes", "choose_k"),
    "Understand": ("subtypes", "what_differs", "risk_factors"),
    "Judge": ("performance", "compare", "sensitivity", "validate", "treatment"),
    "Use": (),
}


def in_sections() -> dict[str, list[str]]:
    """The pages by section, in the order of PAGES."""
    placed = {name: section for section, names in SECTIONS.items() for name in names}
    last = list(SECTIONS)[-1]
    return {s: [n for n in PAGES if placed.get(n, last) == s] for s in SECTIONS}


def path_of(name: str) -> str:
    """Where a page's script is; absolute, as the router stands in another folder."""
    return str(served() / "pages" / f"{name}.py")


def go(name: str) -> None:
    """Turn to another page."""
    st.switch_page(path_of(name))


def link(name: str, label: str) -> None:
    """A link to another page, with that page's icon."""
    st.page_link(path_of(name), label=label, icon=PAGES[name][1])
