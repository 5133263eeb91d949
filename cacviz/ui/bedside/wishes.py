"""What the rule shall be: number of variables, form and vetoes, kept with the run."""

from __future__ import annotations

from functools import partial

import streamlit as st

from cacviz.engine.insights.bedside.types import MOST, Bedside, Wish
from cacviz.engine.types import Cohort
from cacviz.jobs import queue
from cacviz.store import insights
from cacviz.store.runs import StoredRun
from cacviz.ui.shell import bound
from cacviz.ui.shell.layout import beside
from cacviz.ui.subtypes import parts
from cacviz.wording.rules import FORM_TITLES


def choose(run: StoredRun, cohort: Cohort) -> Wish:
    """The fields; a change is stored and the rule made anew."""
    wish = insights.rule_wish(run.id)
    decide = partial(_wanted, run.id)
    left, middle, right = beside("rule_wish", [1, 1, 2])
    bound.whole(
        left,
        "Variables at most",
        1,
        MOST,
        wish.most,
        partial(decide, "most"),
        f"rule_most_{run.id}",
    )
    bound.select(
        middle,
        "Form",
        list(FORM_TITLES),
        wish.form,
        partial(decide, "form"),
        f"rule_form_{run.id}",
        format_func=FORM_TITLES.__getitem__,
    )
    bound.multiselect(
        right,
        "Not available at our bedside",
        cohort.names("feature"),
        wish.without,
        partial(decide, "without"),
        f"rule_without_{run.id}",
        format_func=lambda name: cohort.column(name).title,
        placeholder="The rule may use every feature",
    )
    return wish


def _wanted(run_id: str, field: str, _: object, wanted: object) -> None:
    value = tuple(wanted) if isinstance(wanted, (list, tuple)) else wanted
    if value is None:
        return
    insights.change_rule_wish(run_id, **{field: value})
    queue.complete(run_id)


def rule_for(run: StoredRun, wish: Wish, cohort: Cohort) -> Bedside | None:
    """The rule that was made from this wish; where there is none yet it is asked for."""
    found = parts.part(run, "bedside", cohort)
    if found is not None and found.wish != wish:
        parts.forget("bedside")
        found = parts.part(run, "bedside", cohort)
    if found is not None and found.wish == wish:
        return found
    if found is not None:  # made from an earlier wish while this one was typed
        insights.change_rule_wish(run.id)
        parts.forget("bedside")
    if insights.part_states(run.id)["bedside"] == "missing" and wish != Wish():
        queue.complete(run.id)
        if insights.part_states(run.id)["bedside"] == "coming":
            st.rerun()
    return parts.part_or_word(run, "bedside", cohort)
