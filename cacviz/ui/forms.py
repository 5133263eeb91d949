"""Settings of a run: method, k, α, β and an expert drawer, with the critical α before the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from cacviz.engine.critical import expected_critical_alpha
from cacviz.engine.exceptions import CohortError
from cacviz.engine.methods import METHODS
from cacviz.engine.splits import split_cohort
from cacviz.engine.types import Cohort, RunConfig
from cacviz.ui.text import EXPERT_TITLES, HELP, plain

KEEP: dict[str, Any] = {"persist_state": "session"}
DEEPCAC = {"alpha": 5.0, "beta": 20.0}  # the paper's; other methods' weights are on other scales


def run_form(cohort: Cohort) -> RunConfig | None:
    """The configuration that the page asks for; None while a setting cannot be used."""
    methods = [m for m in METHODS.values() if m.clusters]
    left, right = st.columns([1, 1])
    with left:
        method = st.selectbox(
            "Method",
            [m.name for m in methods],
            format_func=lambda name: METHODS[name].title,
            help=HELP["method"],
            key="method",
            **KEEP,
        )
        st.caption(METHODS[method].help)
        k = st.slider("Number of subtypes (k)", 1, 8, 3, help=HELP["n_clusters"], key="k", **KEEP)
    drawer = _drawer(method)
    config = RunConfig(method=method, n_clusters=int(k), **drawer)
    with right:
        config = _weights(cohort, config)
        _estimate(cohort, config)
    return config


def _drawer(method: str) -> dict[str, Any]:
    """Settings that most people leave alone."""
    takes = METHODS[method].takes
    found: dict[str, Any] = {}
    with st.expander("More settings"):
        left, right = st.columns(2)
        found["seed"] = int(
            left.number_input("Seed", 0, 10_000, 0, help=HELP["seed"], key="seed", **KEEP)
        )
        if "expert" in takes:
            found["expert"] = right.selectbox(
                "Risk model of each subtype",
                list(EXPERT_TITLES),
                format_func=EXPERT_TITLES.__getitem__,
                help=HELP["expert"],
                key="expert",
                **KEEP,
            )
        if not METHODS[method].gaps:
            found["scaling"] = left.selectbox(
                "Scaling", ["standard", "rank"], help=HELP["scaling"], key="scaling", **KEEP
            )
        if method == "cac":
            found |= _cac_settings(left, right)
        if "routing" in takes:
            found["routing"] = right.selectbox(
                "Routing", ["soft", "hard"], help=HELP["routing"], key="routing", **KEEP
            )
        if "epochs" in takes:
            found |= _network_settings(takes, left, right)
    return found


def _cac_settings(left: Any, right: Any) -> dict[str, Any]:
    options = {
        "separation": (right, "Separation", ["paper", "balanced"]),
        "refit": (left, "Risk models learn from", ["members", "nearest"]),
        "choose": (right, "Round to keep", ["last", "validation"]),
    }
    found = {
        name: place.selectbox(title, values, help=HELP[name], key=name, **KEEP)
        for name, (place, title, values) in options.items()
    }
    smallest = left.number_input(
        "Fewest patients of an outcome", 1, 500, 1, help=HELP["min_class_size"], key="floor", **KEEP
    )
    return found | {"min_class_size": int(smallest)}


def _network_settings(takes: Sequence[str], left: Any, right: Any) -> dict[str, Any]:
    """Layers, epochs, batches and the margin of deep methods; empty leaves it to the method."""
    wanted = (
        ("hidden", left, "Width of the layers", 64, 8),
        ("embedding", right, "Size of the embedding", 32, 2),
        ("epochs", left, "Epochs", None, 5),
        ("batch_size", right, "Batch size", None, 32),
        ("margin", left, "Margin", 0.4, 0.05),
        ("scale", right, "Scale", 30.0, 1.0),
        ("learning_rate", left, "Learning rate", None, 0.0005),
    )
    found: dict[str, Any] = {}
    for name, place, title, start, step in wanted:
        if name in takes:
            form = "%.4f" if name == "learning_rate" else None
            found[name] = place.number_input(
                title,
                min_value=step,
                value=start,
                step=step,
                format=form,
                placeholder="chosen by the method",
                help=HELP[name],
                key=name,
                **KEEP,
            )
    return found


def _weights(cohort: Cohort, config: RunConfig) -> RunConfig:
    if config.method == "cac":
        return _cac_alpha(cohort, config)
    method = config.method
    found: dict[str, Any] = {}
    wanted = (
        ("alpha", "Outcome separation (α)", 1.0, HELP["alpha_deep"]),
        ("beta", "Subtype tightness (β)", 5.0, HELP["beta"]),
    )
    for name, title, step, words in wanted:
        if name in METHODS[method].takes:
            found[name] = st.number_input(
                title,
                0.0,
                1000.0,
                DEEPCAC[name] if method == "deepcac" else None,
                step,
                help=words,
                placeholder="chosen by the method",
                key=f"{method}_{name}",
                **KEEP,
            )
    return replace(config, **found)


ALPHA_WAYS = {
    "half": "Half its critical value",
    "tuned": "Tuned by cross-validation",
    "typed": "A value of my own",
}


def _cac_alpha(cohort: Cohort, config: RunConfig) -> RunConfig:
    """α with its critical value beside it, and a warning beyond it before the run."""
    if config.n_clusters == 1:
        st.caption("With one subtype there is nothing to separate: α has no effect.")
        return config
    critical = _critical(cohort, config)
    if critical is None:
        return config
    way = st.radio(
        "Outcome separation (α)",
        list(ALPHA_WAYS),
        format_func=lambda w: ALPHA_WAYS[w],
        help=HELP["alpha_cac"],
        horizontal=True,
        key="alpha_way",
        **KEEP,
    )
    if way == "half":
        st.caption(f"About {critical / 2:.3g}; its critical value here: {critical:.3g}.")
        return config
    if way == "tuned":
        st.caption(
            f"The best of six values below the critical one ({critical:.3g}) for patients left out "
            "of the fit, five times over; the clustering takes some thirty times as long."
        )
        return replace(config, tune_alpha=True)
    return replace(config, alpha=_typed_alpha(critical))


def _typed_alpha(critical: float) -> float:
    alpha = st.slider(
        "α",
        0.0,
        1.0,
        float(np.round(critical / 2, 3)),
        0.001,
        format="%.3f",
        key="alpha",
        **KEEP,
    )
    if alpha > critical:
        st.warning(
            f"α = {alpha:.3g} is beyond its critical value here ({critical:.3g}): the subtypes "
            "may collapse onto the outcome. Stay below it, or choose the balanced separation.",
            icon=":material/warning:",
        )
    else:
        st.caption(f"Critical value for this cohort and k: {critical:.3g}. Stay well below it.")
    return float(alpha)


def _critical(cohort: Cohort, config: RunConfig) -> float | None:
    """Computed once for a cohort, k, seed and scaling."""
    key = (cohort.fingerprint, config.n_clusters, config.seed, config.scaling, config.separation)
    held = st.session_state.setdefault("_critical", {})
    if key not in held:
        if len(held) > 50:
            held.clear()
        try:
            with st.spinner("Looking at the cohort …"):
                held[key] = expected_critical_alpha(split_cohort(cohort, config.seed), config)
        except CohortError as error:
            st.error(plain(error))
            return None
    return held[key]


def _estimate(cohort: Cohort, config: RunConfig) -> None:
    """A rough time, so that nobody waits in doubt."""
    known = int((cohort.y >= 0).sum())
    cells = known * max(1, len(cohort.names("feature")))
    seconds = 4 + cells / 150_000 if not METHODS[config.method].gaps else 15 + cells / 50_000
    words = (
        f"{max(5, round(seconds / 5) * 5)} seconds"
        if seconds < 90
        else f"{round(seconds / 60)} minutes"
    )
    train = round(known * 0.5625)
    st.caption(
        f"About {words}; the first run on a machine takes up to a minute longer. Learns from "
        f"about {train:,} patients; a quarter is held out to test."
    )
