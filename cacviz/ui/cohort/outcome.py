"""Which column is the outcome and how its values become classes, with the counts live."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from cacviz.engine.cohorts.choosing import with_outcome
from cacviz.engine.cohorts.making import rechosen
from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.answers import leaning
from cacviz.engine.reading.kinds import as_numbers
from cacviz.engine.types import Cohort, Outcome, Role
from cacviz.figures import ratios
from cacviz.ui.cohort.overview import event_words
from cacviz.ui.shell import bound, state
from cacviz.ui.shell.layout import beside
from cacviz.ui.shell.text import plain
from cacviz.wording.choices import CHOOSE_OUTCOME, event_says_no

MANY = 10  # values beyond which a number has to be cut
WAYS = ("As it is", "Cut at points", "Cut into equal parts")
KEEP_AS: dict[str, Role] = {"Leave it out": "left out", "Use it as a feature": "feature"}


def choose_outcome(cohort: Cohort) -> None:
    """The outcome's column, its classes and its event; whatever is chosen is stored at once."""
    st.subheader("Outcome")
    left, right = beside("outcome", [1, 1])
    with left:
        _column(cohort)
        pending = st.session_state.get("_new_outcome")
        if pending and pending[0] == state.cohort_id():
            _ask_about_former(cohort, pending[1])
        elif cohort.outcome is not None:
            _classes(cohort, cohort.outcome)
    if cohort.outcome is None:
        right.info(CHOOSE_OUTCOME, icon=":material/flag:")
        return
    with right:
        _pictures(cohort, cohort.outcome)


def _column(cohort: Cohort) -> None:
    names = [c.name for c in cohort.columns if c.role != "patient id"]
    current = cohort.outcome.column if cohort.outcome else None
    bound.select(
        st,
        "Outcome column",
        names,
        current,
        lambda _, wanted: _choose(cohort, wanted),
        "outcome_column",
        placeholder="Choose the column to predict",
    )


def _choose(cohort: Cohort, wanted: str | None) -> None:
    """Take a new outcome at once, unless there was another: that one needs a word."""
    st.session_state["_new_outcome"] = None
    before = cohort.outcome.column if cohort.outcome else None
    if wanted is None or wanted == before:
        return
    if before is not None:
        st.session_state["_new_outcome"] = (state.cohort_id(), wanted)
    else:
        _apply(cohort, wanted, "left out")


def _apply(cohort: Cohort, wanted: str, former: Role) -> None:
    first = _first_way(cohort, wanted)
    if not state.change(lambda choices: with_outcome(choices, first, former)):
        return
    st.session_state["_new_outcome"] = None


def _first_way(cohort: Cohort, column: str) -> Outcome:
    """A number of many values starts cut into three equal parts, anything else as it is."""
    values = cohort.frame[column]
    if cohort.column(column).kind != "number" or values.nunique() <= MANY:
        return Outcome(column)
    for parts in (3, 2):
        try:
            outcome = Outcome(column, quantiles=parts)
            rechosen(cohort, with_outcome(cohort.choices, outcome))
        except CohortError:
            continue
        return outcome
    return Outcome(column, cuts=(float(np.nanmedian(as_numbers(values))),))


def _ask_about_former(cohort: Cohort, wanted: str) -> None:
    """What becomes of the column that was the outcome: it may tell the new one."""
    assert cohort.outcome is not None
    former = cohort.outcome.column
    st.warning(
        f"{plain(former)} was the outcome until now. It may tell {plain(wanted)} if it is known "
        "at the same time or later. What shall become of it?",
        icon=":material/help:",
    )
    with st.container(horizontal=True):
        for label, role in KEEP_AS.items():
            if st.button(
                label, key=f"former_{role}", type="primary" if role != "feature" else "secondary"
            ):
                _apply(cohort, wanted, role)
                st.rerun()
        if st.button("Cancel", key="former_cancel"):
            st.session_state["_new_outcome"] = None
            st.rerun()


def _classes(cohort: Cohort, outcome: Outcome) -> None:
    """How the column's values become classes."""
    column = outcome.column
    is_number = cohort.column(column).kind == "number"
    if is_number:
        way = WAYS[1] if outcome.cuts else WAYS[2] if outcome.quantiles else WAYS[0]
        many = cohort.frame[column].nunique() > MANY
        ways = WAYS[1:] if many else WAYS
        bound.radio(
            st,
            "Classes",
            ways,
            way,
            lambda _, wanted: _change_way(cohort, outcome, wanted),
            "outcome_way",
            horizontal=True,
        )
    if outcome.cuts:
        shown = ", ".join(f"{c:.10g}" for c in outcome.cuts)
        bound.text(
            st,
            "Cut points, separated by commas",
            shown,
            lambda _, wanted: _change_cuts(outcome, wanted),
            "outcome_cuts",
            help="7, 13 gives three classes: up to 7, above 7 to 13, above 13.",
        )
    elif outcome.quantiles:
        bound.whole(
            st,
            "Parts",
            2,
            10,
            outcome.quantiles,
            lambda _, wanted: _set(replace(outcome, quantiles=int(wanted))),
            "outcome_parts",
        )
    elif len(cohort.classes) == 2:
        _event(cohort, outcome)
    if event := event_words(cohort):
        st.markdown(f"Event: **{plain(event)}**")


def _change_way(cohort: Cohort, outcome: Outcome, way: str) -> None:
    values = as_numbers(cohort.frame[outcome.column])
    if way == WAYS[2]:
        _set(Outcome(outcome.column, quantiles=3))
    elif way == WAYS[1]:
        _set(Outcome(outcome.column, cuts=(float(f"{np.nanmedian(values):.4g}"),)))
    else:
        _set(Outcome(outcome.column))


def _change_cuts(outcome: Outcome, typed: str) -> None:
    try:
        cuts = tuple(float(part) for part in typed.split(",") if part.strip())
    except ValueError:
        st.session_state["_problem"] = "Cut points are numbers separated by commas, such as 7, 13."
        return
    if cuts:
        _set(replace(outcome, cuts=cuts))


def _event(cohort: Cohort, outcome: Outcome) -> None:
    """Of two classes, which one is the event whose risk is shown."""
    classes = sorted(cohort.classes)
    bound.radio(
        st,
        "The event (its risk is shown)",
        classes,
        cohort.classes[1],
        lambda _, wanted: _set(replace(outcome, positive=wanted)),
        "outcome_event",
        horizontal=True,
        format_func=plain,
    )
    if leaning(cohort.classes[1]) < 0 <= leaning(cohort.classes[0]):
        st.warning(plain(event_says_no(cohort.classes[1])), icon=":material/swap_horiz:")


def _set(outcome: Outcome) -> None:
    state.change(lambda choices: with_outcome(choices, outcome))


def _pictures(cohort: Cohort, outcome: Outcome) -> None:
    counts = np.bincount(cohort.y[cohort.y >= 0], minlength=len(cohort.classes))
    who = "stays" if cohort.n_people < cohort.n_patients else "patients"
    figure = ratios.class_counts(cohort.classes, counts.tolist(), who=who)
    st.plotly_chart(figure, key="class_counts", alt=f"{who.capitalize()} per outcome class")
    if outcome.cuts or outcome.quantiles:
        values = as_numbers(cohort.frame[outcome.column])
        title = cohort.column(outcome.column).title
        figure = ratios.outcome_histogram(values, outcome.cuts, title=title)
        st.plotly_chart(figure, key="outcome_histogram", alt="Histogram of the outcome")
