"""Treatment: was it randomised, do effects differ, the forest plot, survival by arm, imbalance."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cacviz.engine.insights.treated.types import Treatment, TreatmentView
from cacviz.engine.types import Cohort
from cacviz.figures import treatment as figures
from cacviz.store import treatments
from cacviz.store.runs import StoredRun
from cacviz.ui.shell import bound
from cacviz.ui.shell.downloads import AS_SVG, table_button
from cacviz.ui.shell.layout import beside
from cacviz.ui.shell.text import in_lines, plain
from cacviz.wording import treatment as words
from cacviz.wording.captions import followed_words
from cacviz.wording.words import numbers

ANSWERS = {True: "Yes, randomised", False: "No, chosen by somebody"}


def ask_randomised(run: StoredRun, found: Treatment) -> bool | None:
    """Whether the treatment was randomised, as stored with the cohort."""
    cohort_id = run.asked.cohort_id
    answer = treatments.randomised(cohort_id, found.name)
    bound.select(
        st,
        f"Was the treatment ({plain(found.title)}) randomised?",
        list(ANSWERS),
        answer,
        lambda _, wanted: treatments.say_randomised(cohort_id, found.name, bool(wanted)),
        f"randomised_{run.id}",
        format_func=ANSWERS.__getitem__,
        placeholder="Not said yet",
    )
    return answer


def choose_view(found: Treatment, cohort: Cohort) -> TreatmentView:
    """Of more than two classes, the one whose risk is looked at."""
    if len(found.views) == 1:
        return found.views[0]
    place = st.selectbox(
        "Class",
        range(len(found.views)),
        index=len(found.views) - 1,
        format_func=lambda i: cohort.classes[found.views[i].code],
        key="treatment_class",
    )
    return found.views[place]


def verdict(found: Treatment, view: TreatmentView, randomised: bool | None) -> None:
    """What the figures are, then whether they differ."""
    said = words.standing_sentence(randomised)
    (st.info if randomised else st.warning)(plain(said), icon=":material/casino:")
    repeats = words.repeats_sentence(found)
    if repeats:
        st.error(plain(repeats), icon=":material/error:")
    parts = words.verdict_parts(view, randomised=randomised)
    st.info(in_lines(parts), icon=":material/balance:")


def effects(
    found: Treatment, view: TreatmentView, titles: Sequence[str], outcome: str, title: str
) -> None:
    """Risk differences and odds ratios side by side."""
    st.subheader(title)
    reference = plain(words.arm_title(found, found.reference))
    st.caption(f"Risk of {plain(outcome)}, beside the reference arm ({reference}).")
    for place, ratio in zip(beside("forest", 2), (False, True), strict=True):
        rows = [
            (
                words.effect_title(e, numbers(titles)),
                e.cluster,
                e.arm,
                e.odds_ratio if ratio else e.difference,
            )
            for e in view.effects
            if e.n and e.n_reference
        ]
        figure = figures.forest(rows, words.arm_titles(found), ratio=ratio)
        name = "odds_ratio" if ratio else "difference"
        alt = f"Forest plot: {name.replace('_', ' ')} of each arm in each subtype"
        place.plotly_chart(figure, key=f"forest_{name}", config=AS_SVG, alt=alt)
    st.caption(words.FOREST)
    table = words.effect_table(found, view, titles)
    with st.expander("As a table"):
        st.dataframe(table, hide_index=True)
        table_button(table, "treatment_effects", key="save_effects")


def survival(found: Treatment, cohort: Cohort, titles: Sequence[str]) -> None:
    """Kaplan–Meier by arm within each subtype, where time and event are given."""
    known = [(j, s) for j, s in enumerate(found.survival) if s is not None and s.curves]
    if not known:
        return
    st.subheader("Survival by arm")
    if said := followed_words(cohort):
        st.caption(said)
    for first in range(0, len(known), 2):
        pair = known[first : first + 2]
        for place, (j, curves) in zip(beside(f"arms_{first}", 2), pair, strict=False):
            place.markdown(f"**{plain(titles[j])}**")
            figure = figures.survival_by_arm(curves, words.arm_titles(found), j)
            alt = f"Kaplan–Meier curves by arm in {titles[j]}"
            place.plotly_chart(figure, key=f"arms_{j}", config=AS_SVG, alt=alt)
            if said := words.log_rank_words(found, j):
                place.caption(said)


def imbalance(found: Treatment, randomised: bool | None) -> None:
    """How alike the arms were: open where nobody randomised them."""
    with st.expander("Were the arms alike before treatment?", expanded=not randomised):
        st.markdown(plain(words.imbalance_sentence(found, randomised=randomised)))
        st.dataframe(words.imbalance_table(found), hide_index=True)
