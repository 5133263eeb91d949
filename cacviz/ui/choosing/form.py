"""What shall be looked at: method, numbers of subtypes, weights, seeds, resamples, where."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cacviz.engine.exceptions import ConfigError
from cacviz.engine.running.methods import METHODS
from cacviz.engine.running.studies import comparable_methods
from cacviz.engine.running.sweeps.plans import SweepPlan, sweep_plan
from cacviz.engine.types import Cohort
from cacviz.store.wards import ward
from cacviz.ui.choosing.watching import expected_seconds
from cacviz.ui.shell.text import machine, plain
from cacviz.wording.words import about_seconds

KEEP: dict[str, Any] = {"persist_state": "session"}


def sweep_form(cohort: Cohort) -> tuple[SweepPlan, str] | None:
    """The plan that the page asks for, and a cluster's address; None while it cannot be used."""
    left, middle, right = st.columns(3)
    method = left.selectbox(
        "Method",
        comparable_methods(cohort.series is not None),
        format_func=lambda name: METHODS[name].title,
        key="sweep_method",
        **KEEP,
    )
    most = middle.slider("Look at k from 1 to", 2, 8, 5, key="sweep_most", **KEEP)
    resamples = right.select_slider(
        "Resamples of each k",
        [0, 25, 50, 100],
        25,
        help="How often training patients are drawn anew to see which subtypes come back, for the "
        "consensus matrix and the Jaccard of each subtype.",
        key="sweep_resamples",
        **KEEP,
    )
    with st.expander("Seeds, other weights, a cluster of computers"):
        seeds, alphas, betas, scheduler = _more(method)
    try:
        ks = range(1, most + 1)
        plan = sweep_plan(method, ks, alphas, betas, seeds=seeds, resamples=resamples)
    except ConfigError as error:
        st.caption(plain(error))
        return None
    words = about_seconds(expected_seconds(cohort, plan))
    st.caption(
        f"{len(plan.cells())} pieces of work, about {words} on {machine()}. You can stop and "
        "resume at any time; fits that a comparison has done are taken from it."
    )
    return plan, scheduler


def _more(method: str) -> tuple[int, list[float], list[float], str]:
    taken = METHODS[method].settings
    left, right = st.columns(2)
    seeds = left.slider("Seeds", 1, 10, 3, key="sweep_seeds", **KEEP)
    scheduler = right.text_input(
        "Dask scheduler",
        placeholder="this computer alone; or tcp://host:8786",
        help="The address of a running `dask scheduler`: its workers then do the same fits "
        "(needs the extra cacviz[cluster]). Patients' data go to those computers.",
        key="sweep_scheduler",
        disabled=ward() is not None,
        **KEEP,
    )
    found = {}
    for place, name, sign, hint in (
        (left, "alpha", "α", "0, 1, 5, 20"),
        (right, "beta", "β", "0, 5, 20"),
    ):
        text = ""
        if name in taken:
            shown = "0, 0.02, 0.05, 0.1" if method == "cac" else hint
            text = place.text_input(
                f"Values of {sign}",
                placeholder=f"its default alone; or {shown}",
                key=f"sweep_{name}_{method}",
                **KEEP,
            )
        found[name] = _numbers(text or "")
    return int(seeds), found["alpha"], found["beta"], (scheduler or "").strip()


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.replace(";", ",").split(",") if part.strip()]
    except ValueError:
        st.caption(f"“{plain(text)}” is not a list of numbers such as 0, 1, 5.")
        return []
