"""What was done to a cohort, step by step, with undo."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from cacviz.engine.cohorts.choosing import can_undo
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Cohort
from cacviz.store import cohorts
from cacviz.store.choices_files import decided, read_choices, write_choices
from cacviz.ui.shell import state
from cacviz.ui.shell.text import plain
from cacviz.wording.choices import step_words

MOST = 40


def what_was_done() -> None:
    """Every decision, the newest first; each can be taken back while nothing rests on it."""
    row = state.row()
    if row is None:
        return
    steps = cohorts.steps_of(row.record)
    with st.expander(f"What was done ({len(steps)})"):
        if not steps:
            st.caption("Nothing yet. Every choice about this cohort will be listed here.")
        for step in reversed(steps[-MOST:]):
            when = datetime.fromtimestamp(step.when).strftime("%d %b, %H:%M")
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"{when}  \n{plain(step_words(step))}")
                free = can_undo(row.choices, step)
                st.button(
                    "Undo",
                    key=f"undo_{step.when}",
                    on_click=state.undo,
                    args=(step.when,),
                    disabled=not free,
                    help=None if free else "A later step decided the same thing anew.",
                )


def as_file(cohort: Cohort) -> None:
    """Roles, labels and cuts as a small file, and one of those used here."""
    st.caption("Roles, labels, units, missing codes and cuts: to use again on next month's file.")
    st.download_button(
        "Save these choices",
        data=lambda: write_choices(cohort.choices),
        file_name="choices.json",
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
        key="save_choices",
    )
    given = st.file_uploader("Choices of another table", type="json", key="choices_file")
    if given is not None and st.button("Decide the same here", key="use_choices"):
        try:
            told = given.getvalue()
            read_choices(told)
        except CohortError as error:
            st.error(plain(error))
            return
        state.change(lambda choices: decided(choices, told))
        st.rerun()
