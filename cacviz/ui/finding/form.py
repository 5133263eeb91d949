"""Settings of a run, made from the catalogue: method, k, α, β and a drawer of more."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from cacviz.engine.exceptions import CohortError
from cacviz.engine.running.methods import METHODS, Method, methods_for
from cacviz.engine.running.settings import Setting
from cacviz.engine.types import Cohort, RunConfig
from cacviz.store import timing
from cacviz.ui.shell import quick, state
from cacviz.ui.shell.text import machine, plain
from cacviz.wording.choices import FIRST_LOOK
from cacviz.wording.words import about_seconds

KEEP: dict[str, Any] = {"persist_state": "session"}
METHOD_HELP = (
    "How the subtypes are found. CAC is quick; deep methods take longer. The time is told below."
)
K_HELP = "How many groups of patients to look for. With 1 there are no subtypes."
SEED_HELP = "The same seed gives the same run."
MOST_SUBTYPES = 8
ALPHA_WAYS = {
    "half": "Half its critical value",
    "tuned": "Tuned by cross-validation",
    "typed": "A value of my own",
}


def run_form(cohort: Cohort) -> RunConfig | None:
    """The configuration that the page asks for; None while a setting cannot be used."""
    known = methods_for(series=cohort.series is not None)
    methods = [METHODS[name] for name in known if METHODS[name].clusters]
    _start_from_last()
    if st.session_state.get("method") not in known:  # hours were read, and this cohort has none
        st.session_state.pop("method", None)
    st.caption(FIRST_LOOK)
    left, right = st.columns([1, 1])
    with left:
        name = st.selectbox(
            "Method",
            [m.name for m in methods],
            format_func=lambda n: METHODS[n].title,
            help=METHOD_HELP,
            key="method",
            **KEEP,
        )
        method = METHODS[name]
        st.caption(method.help)
        k = st.slider("Number of subtypes (k)", 1, MOST_SUBTYPES, help=K_HELP, key="k", **KEEP)
    seed, drawer = _drawer(method)
    config = RunConfig(name, int(k), seed, **drawer)
    with right:
        config = _weights(cohort, method, config)
        _estimate(cohort, method)
    return config


def _start_from_last() -> None:
    """In a new window the form starts from the open run; another page may want something else."""
    wanted = st.session_state.pop("_form_wanted", {})
    found = state.run()
    if "method" not in st.session_state and found is not None:
        config = found.summary.config
        if config.method in METHODS and METHODS[config.method].clusters:
            wanted = {"method": config.method, "k": config.n_clusters, "seed": config.seed} | wanted
    for key, value in wanted.items():
        st.session_state[key] = value
    st.session_state.setdefault("k", 3)
    st.session_state.setdefault("seed", 0)


def _drawer(method: Method) -> tuple[int, dict[str, Any]]:
    """Settings that most people leave alone."""
    wanted = [s for s in method.settings.values() if s.part == "drawer" and s.form != "flag"]
    found: dict[str, Any] = {}
    with st.expander("More settings"):
        columns = st.columns(2)
        seed = columns[0].number_input("Seed", 0, 10_000, help=SEED_HELP, key="seed", **KEEP)
        for place, setting in enumerate(wanted, start=1):
            value = _field(columns[place % 2], method, setting)
            if value != method.default(setting.name):
                found[setting.name] = value
    return int(seed), found


def _field(place: Any, method: Method, setting: Setting) -> Any:
    """A setting of the catalogue as a widget; empty leaves it to the method."""
    default, key = method.default(setting.name), f"{method.name}_{setting.name}"
    if setting.form == "choice":
        values = setting.values()
        return place.selectbox(
            setting.title,
            values,
            values.index(default) if default in values else 0,
            format_func=setting.titled,
            help=setting.help,
            key=key,
            **KEEP,
        )
    kind = int if setting.form == "whole" else float
    high = None if setting.high is None else kind(setting.high)
    return place.number_input(
        setting.title,
        kind(setting.low),
        high,
        None if default is None else kind(default),
        kind(setting.step),
        format="%d" if kind is int else f"%.{setting.digits}g",
        placeholder="chosen by the method",
        help=setting.help,
        key=key,
        **KEEP,
    )


def _weights(cohort: Cohort, method: Method, config: RunConfig) -> RunConfig:
    if method.name == "cac":
        return _cac_alpha(cohort, method, config)
    wanted = [s for s in method.settings.values() if s.part == "weight"]
    found = {s.name: _field(st, method, s) for s in wanted}
    return config.having(**{n: v for n, v in found.items() if v != method.default(n)})


def _cac_alpha(cohort: Cohort, method: Method, config: RunConfig) -> RunConfig:
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
        help=method.settings["alpha"].help,
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
        return config.having(tune_alpha=True)
    return config.having(alpha=_typed_alpha(critical))


def _typed_alpha(critical: float) -> float:
    alpha = st.slider(
        "α", 0.0, 1.0, float(np.round(critical / 2, 3)), 0.001, format="%.3f", key="alpha", **KEEP
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
    name, place = state.cohort_id(), st.empty()
    try:
        waiting = partial(place.caption, ":material/hourglass_top: Looking at the cohort …")
        return quick.critical_alpha(name, cohort, config, waiting) if name else None
    except CohortError as error:
        st.error(plain(error))
        return None
    finally:
        place.empty()


def _estimate(cohort: Cohort, method: Method) -> None:
    """The time, from this machine's own last runs."""
    known = int((cohort.y >= 0).sum())
    cells = known * max(1, len(cohort.names("feature")))
    seconds = timing.expected_seconds(method.name, cells, deep=method.deep)
    st.caption(f"Expected time on {machine()}: {about_seconds(seconds)}.")
