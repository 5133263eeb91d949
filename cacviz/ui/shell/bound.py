"""Widgets that show what is stored: only a person's change of one is written, nothing else.

A widget forgets its value when its page is left. It is therefore set to what is stored each time,
unless it shows that already (a second pick may be on its way), and what it was shown with is kept,
so that a change is told from what another window decided meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

Decide = Callable[[Any, Any], object]  # what was shown, what is wanted


def bind(key: str, stored: Any) -> None:
    """Set the widget of this key to what is stored; call it just before the widget."""
    if key not in st.session_state or st.session_state[key] != stored:
        st.session_state[key] = stored
    st.session_state[f"_{key}_shown"] = stored


def changed(key: str, decide: Decide) -> None:
    """Hand a person's change on; for `on_change`."""
    decide(st.session_state.get(f"_{key}_shown"), st.session_state[key])


def select(
    place: Any,
    label: str,
    options: Sequence[Any],
    stored: Any,
    decide: Decide,
    key: str,
    **more: Any,
) -> None:
    """A select box on what is stored; None is nothing chosen."""
    bind(key, stored if stored in options else None)
    place.selectbox(
        label, options, index=None, key=key, on_change=changed, args=(key, decide), **more
    )


def multiselect(
    place: Any,
    label: str,
    options: Sequence[Any],
    stored: Sequence[Any],
    decide: Decide,
    key: str,
    **more: Any,
) -> None:
    """Several options of what is stored."""
    bind(key, [value for value in stored if value in options])
    place.multiselect(label, options, key=key, on_change=changed, args=(key, decide), **more)


def radio(
    place: Any,
    label: str,
    options: Sequence[Any],
    stored: Any,
    decide: Decide,
    key: str,
    **more: Any,
) -> None:
    """One of a few options, as stored."""
    bind(key, stored if stored in options else options[0])
    place.radio(label, options, key=key, on_change=changed, args=(key, decide), **more)


def text(place: Any, label: str, stored: str, decide: Decide, key: str, **more: Any) -> None:
    """A line of text, as stored."""
    bind(key, stored)
    place.text_input(label, key=key, on_change=changed, args=(key, decide), **more)


def whole(
    place: Any, label: str, low: int, high: int, stored: int, decide: Decide, key: str, **more: Any
) -> None:
    """A whole number, as stored."""
    bind(key, stored)
    place.number_input(
        label, low, high, key=key, step=1, on_change=changed, args=(key, decide), **more
    )


def toggle(place: Any, label: str, stored: bool, decide: Decide, key: str, **more: Any) -> None:
    """On or off, as stored."""
    bind(key, stored)
    place.toggle(label, key=key, on_change=changed, args=(key, decide), **more)
