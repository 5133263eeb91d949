"""Validate: the verdict, the columns, profiles and rates at home and there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from cacviz.engine.insights.elsewhere.types import Validation
from cacviz.engine.types import Cohort
from cacviz.figures.bedside import rates_twice
from cacviz.figures.elsewhere import paired_profiles
from cacviz.ui.shell.downloads import AS_SVG, table_button
from cacviz.ui.shell.text import in_lines, plain
from cacviz.ui.subtypes import parts
from cacviz.wording import elsewhere as words
from cacviz.wording.factors import risk_of
from cacviz.wording.words import counted, numbers

MOST = 18


def show(found: Validation, titles: Sequence[str], cohort: Cohort) -> None:
    """All of it, the verdict first."""
    outcomes = [risk_of(cohort, code) for code in range(len(found.classes))]
    st.subheader(f"In {plain(found.cohort)}")
    _verdict(found)
    _columns(found)
    st.markdown(plain(words.figures_sentence(found)))
    st.caption(plain(words.anew_sentence(found)))
    table = words.subtype_table(found, numbers(titles), outcomes)
    st.dataframe(table, hide_index=True)
    st.caption(words.BY_CONSTRUCTION)
    table_button(table, "validation", key="save_validation")
    _rates(found, titles, outcomes)
    _profiles(found, titles)


def _verdict(found: Validation) -> None:
    box = {
        "replicated": st.success,
        "in part": st.info,
        "not replicated": st.warning,
        "cannot be told": st.warning,
    }[found.verdict.word]
    box(in_lines(words.verdict_parts(found.verdict)), icon=":material/verified:")
    if found.n_without:
        st.caption(f"{counted(found.n_without, 'patient')} without an outcome left out.")


def _columns(found: Validation) -> None:
    fine = all(m.state in ("matched", "another name") for m in found.matches)
    with st.expander(f"Columns. {words.match_words(found.matches)}", expanded=not fine):
        st.dataframe(words.match_table(found.matches), hide_index=True)


def _rates(found: Validation, titles: Sequence[str], outcomes: Sequence[str]) -> None:
    st.subheader("Outcome by subtype, at home and there")
    code = len(found.classes) - 1
    figure = rates_twice(
        parts.axis_titles(titles, range(len(titles))),
        [s.rates[code] for s in found.subtypes],
        [s.home_rates[code] for s in found.subtypes],
        outcomes[code],
        code=code,
        n_classes=len(found.classes),
        names=("at home, held out", "there"),
    )
    alt = "Outcome rate of each subtype at home and in the other cohort"
    st.plotly_chart(figure, key="validation_rates", config=AS_SVG, alt=alt)
    if found.pairs:
        st.dataframe(words.pair_table(found, outcomes), hide_index=True)


def _profiles(found: Validation, titles: Sequence[str]) -> None:
    st.subheader("Profiles side by side")
    home = np.array([s.home_profile for s in found.subtypes], dtype=float)
    there = np.array([s.profile for s in found.subtypes], dtype=float)
    figure = paired_profiles(home, there, found.columns, numbers(titles), MOST)
    alt = "Standardised means of each subtype at home and in the other cohort"
    st.plotly_chart(figure, key="validation_profiles", config=AS_SVG, alt=alt)
    st.caption(words.profile_caption(found, MOST))
