"""A subgroup of the patients: filtered, saved as a cohort of its own, and run like any other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from cacviz.engine.cohorts.choosing import with_subset
from cacviz.engine.cohorts.making import rechosen
from cacviz.engine.cohorts.subsets import mask_of
from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import as_numbers, as_words
from cacviz.engine.types import Cohort, Condition
from cacviz.ui.shell import state
from cacviz.ui.shell.text import plain
from cacviz.wording.choices import subset_words
from cacviz.wording.words import counted

MOST_LEVELS = 200


def subgroup(cohort: Cohort) -> None:
    """Conditions on columns, the number of patients live, and a button that saves them."""
    st.caption("Patients who meet all conditions; a missing value meets none.")
    names = [c.name for c in cohort.columns if c.kind not in ("date", "text")]
    key = f"subgroup_{state.cohort_id()}"
    chosen = st.multiselect(
        "Conditions on", names, key=key, placeholder="Choose columns, for example Age and Sepsis"
    )
    conditions = [_condition(cohort, name) for name in chosen]
    known = [c for c in conditions if c is not None]
    if not known:
        return
    inside = int(mask_of(cohort.frame, known).sum())
    words = subset_words(known)
    st.markdown(f"**{counted(inside, 'patient')}** of {cohort.n_patients:,}: {plain(words)}")
    name = st.text_input("Name", f"{cohort.name}: {words}"[:80], max_chars=80, key=f"{key}_name")
    if st.button("Save as a cohort of its own", disabled=not inside, key="save_subgroup"):
        _save(cohort, known, name)


def _condition(cohort: Cohort, name: str) -> Condition | None:
    column, values = cohort.column(name), cohort.frame[name]
    if column.kind == "number":
        numbers = as_numbers(values)
        if np.isnan(numbers).all():
            return None
        low, high = float(np.nanmin(numbers)), float(np.nanmax(numbers))
        left, right = st.columns(2)
        unit = f" ({column.unit})" if column.unit else ""
        title = plain(f"{column.title}{unit}")
        least = left.number_input(f"{title}, from", low, high, low, key=f"from_{name}")
        most = right.number_input(f"{title}, to", low, high, high, key=f"to_{name}")
        return Condition(
            name, low=None if least == low else least, high=None if most == high else most
        )
    levels = list(as_words(values).value_counts().index[:MOST_LEVELS])
    picked = st.multiselect(plain(column.title), levels, key=f"levels_{name}")
    return Condition(name, levels=tuple(picked)) if picked else None


def _save(cohort: Cohort, conditions: list[Condition], name: str) -> None:
    narrowed = [c for c in conditions if c.levels or c.low is not None or c.high is not None]
    try:
        choices = with_subset(cohort.choices, (*cohort.choices.subset, *narrowed))
        made = replace(rechosen(cohort, choices), name=name.strip() or cohort.name)
    except CohortError as error:
        st.error(plain(error))
        return
    state.take_in(made)
    st.rerun()
