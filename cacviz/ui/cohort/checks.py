"""Findings with a button each; they are computed aside, so that no choice waits for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import streamlit as st

from cacviz.engine.cohorts.checks import remedied
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Check, Choices, Cohort, Remedy
from cacviz.ui.shell import navigation, quick, state
from cacviz.ui.shell.text import plain
from cacviz.wording.checks import check_sentence, check_title
from cacviz.wording.choices import NO_FAULT, OPEN_QUESTIONS
from cacviz.wording.remedies import remedy_label

MOST_EACH = 12  # columns of one finding that get a button of their own
WAITING = ":material/hourglass_top: Checking the cohort …"
ICONS = {"grave": ":material/error:", "warning": ":material/warning:", "hint": ":material/info:"}


def checks(cohort: Cohort) -> None:
    """What was found, the gravest first; answered findings are folded."""
    name = state.cohort_id()
    if cohort.outcome is None or name is None:
        return
    st.subheader("Checks")
    found = quick.known_checks(name, cohort)
    found = _wait(name, cohort) if found is None else found
    if found is None:
        return
    kept = [c for c in found if c.note.values.get("kept")]
    open_ = [c for c in found if c not in kept and c.note.severity != "hint"]
    hints = [c for c in found if c not in kept and c.note.severity == "hint"]
    if not open_:
        if any(c.remedies for c in hints):
            st.warning(OPEN_QUESTIONS, icon=":material/help:")
        else:
            st.success(NO_FAULT, icon=":material/check:")
    for number, check in enumerate(open_):
        _check(cohort, check, f"open_{number}")
    if hints:
        with st.expander(f"Good to know ({len(hints)})", expanded=any(c.remedies for c in hints)):
            for number, check in enumerate(hints):
                _check(cohort, check, f"hint_{number}")
    if kept:
        with st.expander(f"Kept after a warning ({len(kept)})"):
            for check in kept:
                st.markdown(f"{ICONS['hint']} {plain(check_sentence(check))}")
    _go_on(ready=not open_)


def _go_on(*, ready: bool) -> None:
    """The way on; it stands out once every finding has its answer."""
    icon = navigation.PAGES["find_subtypes"][1]
    way: Literal["primary", "secondary"] = "primary" if ready else "secondary"
    if st.button("Go on to Find subtypes", key="go_on", icon=icon, type=way):
        navigation.go("find_subtypes")


def _wait(cohort_id: str, cohort: Cohort) -> tuple[Check, ...] | None:
    """The checks once the helper has made them; whoever chooses meanwhile interrupts the wait."""
    place = st.empty()
    try:
        return quick.checks(cohort_id, cohort, lambda: place.caption(WAITING))
    except CohortError as error:
        st.warning(plain(error))
        return None
    finally:
        place.empty()


def _check(cohort: Cohort, check: Check, key: str) -> None:
    show = {"grave": st.error, "warning": st.warning, "hint": st.info}[check.note.severity]
    show(
        f"**{plain(check_title(check))}.** {plain(check_sentence(check))}",
        icon=ICONS[check.note.severity],
    )
    if not check.remedies:
        return
    with st.container(horizontal=True):
        for place, remedy in enumerate(check.remedies):
            label = plain(remedy_label(check, remedy))
            st.button(label, key=f"{key}_{place}", on_click=_apply, args=(cohort, check, remedy))
        if len(check.columns) > 1 and not any(r.roles for r in check.remedies):
            _one_by_one(cohort, check, key)


def _one_by_one(cohort: Cohort, check: Check, key: str) -> None:
    """The same for one column alone."""
    with st.popover("One by one"):
        for number, name in enumerate(check.columns[:MOST_EACH]):
            st.markdown(f"**{plain(name)}**")
            with st.container(horizontal=True):
                for place, remedy in enumerate(check.remedies):
                    if remedy.role == "patient id" and name not in remedy.columns:
                        continue
                    one = Check(check.note, (name,), check.remedies)
                    only = replace(remedy, columns=(name,))
                    st.button(
                        plain(remedy_label(one, only)),
                        key=f"{key}_{number}_{place}",
                        on_click=_apply,
                        args=(cohort, one, only),
                    )


def _apply(cohort: Cohort, check: Check, remedy: Remedy) -> None:
    def decide(choices: Choices) -> Choices:
        return remedied(cohort, check, remedy) if choices == cohort.choices else _again(choices)

    def _again(choices: Choices) -> Choices:
        """Another window decided something meanwhile: apply the remedy to what stands now."""
        now = state.cohort()
        return choices if now is None else remedied(now, check, remedy)

    state.change(decide)
