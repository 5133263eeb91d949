"""The tour: a quiet line above the page, with Back, Next, and a way out at any time."""

from __future__ import annotations

import streamlit as st

from cacviz.ui.shell import navigation, state
from cacviz.ui.shell.navigation import PAGES
from cacviz.ui.shell.text import machine
from cacviz.wording.tour import STOPS


def begin() -> None:
    """Go to the first stop."""
    _go(0)


def place() -> int | None:
    """At which stop one is, from 0; None where nobody is on the tour."""
    said = str(st.session_state.get(state.TOUR) or "")
    number = int(said) if said.isascii() and said.isdigit() else 0
    return number - 1 if 1 <= number <= len(STOPS) else None


def show(page: str) -> None:
    """The stop one is at, and the ways on; on another page the way back to it."""
    now = place()
    if now is None:
        return
    stop = STOPS[now]
    with st.container(border=True, key="tour"):
        head = f"**Step {now + 1} of {len(STOPS)}. {stop.question}**"
        if page == stop.page:
            st.markdown(f"{head}  \n{stop.text.format(machine=machine())}")
        else:
            st.markdown(f"{head}  \nIt is on the page {PAGES[stop.page][0]}.")
        with st.container(horizontal=True, vertical_alignment="center"):
            _buttons(now, here=page == stop.page)


def _buttons(now: int, *, here: bool) -> None:
    last = now == len(STOPS) - 1
    if not here:
        if st.button("Go on with the tour", key="tour_on", type="primary"):
            _go(now)
    elif not last:
        title = PAGES[STOPS[now + 1].page][0]
        if st.button(f"Next: {title}", key="tour_next", type="primary"):
            _go(now + 1)
    if here and now and st.button("Back", key="tour_back"):
        _go(now - 1)
    if last:
        st.button("End the tour", key="tour_leave", type="primary", on_click=_leave)
    else:
        st.button("Leave the tour", key="tour_leave", type="tertiary", on_click=_leave)


def _go(number: int) -> None:
    st.session_state[state.TOUR] = str(number + 1)
    navigation.go(STOPS[number].page)


def _leave() -> None:
    st.session_state[state.TOUR] = None
