"""What a sweep says of each k: the suggestion, criteria, consensus, sizes, flow, and runs of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import streamlit as st

from cacviz.engine.running.sweeps.evidence import AtK, consensus_at, evidence, flow_at
from cacviz.engine.running.sweeps.plans import FIT, SweepCell, SweepPlan
from cacviz.engine.running.sweeps.suggesting import STRENGTH, Suggestion, suggest
from cacviz.engine.types import RunConfig
from cacviz.figures import comparison
from cacviz.figures import sweeps as figures
from cacviz.jobs import queue
from cacviz.store import runs
from cacviz.store.sweeps import SweepRow
from cacviz.ui.shell import navigation, state
from cacviz.ui.shell.layout import beside, charts
from cacviz.ui.shell.text import STATE_WORDS, plain
from cacviz.wording.methods import method_title
from cacviz.wording.sweeps import reason, suggestion_sentence
from cacviz.wording.words import ago, counted, subtype_name

Rows = Sequence[dict[str, Any]]


def sweep_title(row: SweepRow) -> str:
    """A sweep in a list: outcome, method, k, how it stands."""
    plan, outcome = row.asked.plan, row.asked.choices.outcome
    ks = f"k = {plan.clusters[0]} to {plan.clusters[-1]}"
    weights = [
        counted(len(values), f"value of {sign}", f"values of {sign}")
        for sign, values in (("α", plan.alphas), ("β", plan.betas))
        if len(values) > 1
    ]
    words = ", ".join([method_title(plan.method), ks, *weights, counted(plan.seeds, "seed")])
    title = outcome.column if outcome else ""
    return f"{title}: {words} ({STATE_WORDS[row.progress.state]}, {ago(row.asked.created)})"


def choose_sweep(rows: Sequence[SweepRow]) -> SweepRow:
    """The sweep to look at, the newest unless another is chosen."""
    if len(rows) == 1:
        return rows[0]
    titles = {row.id: sweep_title(row) for row in rows}
    chosen = st.selectbox("Sweep", list(titles), format_func=titles.__getitem__, key="sweep")
    return next((row for row in rows if row.id == chosen), rows[0])


def how_many(sweep: SweepRow, rows: Rows) -> None:
    """All that the rows so far say of k."""
    plan = sweep.asked.plan
    found = evidence(plan, rows)
    if not found:
        st.caption("The first fits are being made.")
        return
    answer = suggest(found)
    suggestion(answer)
    criteria(found, answer)
    open_buttons(sweep, found)
    left, right = beside("k_more", 2)
    with left:
        sizes(found, sweep.asked.classes)
    with right:
        together(plan, rows, found, answer)
    flows(plan, rows, found)


def suggestion(answer: Suggestion) -> None:
    """The answer in bold, its reasons, then its doubts; never silent."""
    lines = [f"**{plain(suggestion_sentence(answer))}**"]
    lines += [plain(reason(note)) for note in answer.reasons]
    st.info("  \n".join(lines), icon=":material/tag:")
    if answer.doubts:
        with st.expander(counted(len(answer.doubts), "doubt"), expanded=True):
            for note in answer.doubts:
                icon = ":material/warning:" if note.severity == "warning" else ":material/info:"
                st.markdown(f"{icon} {plain(reason(note))}")


def criteria(found: Sequence[AtK], answer: Suggestion) -> None:
    """One small chart a criterion."""
    k = answer.k if answer.known else None
    several = [a for a in found if a.k > 1]
    every: list[tuple[str, Sequence[AtK], str, dict[str, Any]]] = [
        ("Prediction strength", several, "strength", {"limit": STRENGTH}),
        ("Separation score", several, "silhouette", {"reference": [a.twins for a in several]}),
        ("AUPRC, held out", found, "auprc", {"spread": [a.auprc_sd for a in found]}),
        ("AUC, held out", found, "auc", {}),
        ("Agreement of seeds (ARI)", several, "seeds", {}),
        ("Least Jaccard", [a for a in several if a.jaccards], "jaccards", {"limit": 0.75}),
        ("Smallest subtype", found, "smallest", {}),
        ("Fewest of a class", found, "events", {"limit": 10}),
    ]
    shown = [c for c in every if any(_value(a, c[2]) == _value(a, c[2]) for a in c[1])]
    places = charts("criteria", max(len(shown), 1))
    for place, (title, of, name, more) in zip(places, shown, strict=False):
        values = [_value(a, name) for a in of]
        figure = figures.criterion([a.k for a in of], values, title=title, suggested=k, **more)
        place.plotly_chart(figure, key=f"k_{name}", alt=f"{title} against k")
    st.caption(
        "Prediction strength: how far subtypes found in one half of the patients are kept together "
        "by the rule of the other half. Separation score: in the features, not in an embedding; "
        "grey dashes: of cohorts drawn with the same correlations and no subtypes. AUPRC and AUC "
        "on held-out patients, whiskers: standard deviation over seeds. "
        "Dotted: what is asked for. Ring: the suggestion."
    )


def _value(at: AtK, name: str) -> float:
    found = getattr(at, name)
    return min(found) if name == "jaccards" and found else found if name != "jaccards" else np.nan


def open_buttons(sweep: SweepRow, found: Sequence[AtK]) -> None:
    """A click starts or opens the run with that k."""
    plan = sweep.asked.plan
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Go on with**")
        for at in found:
            if at.k > 1:
                point = plan.point(at.k, *plan.base())
                cell = SweepCell(FIT, point[0], point[1], point[2], plan.first_seed)
                open_or_start(sweep, plan.config(cell), f"k = {at.k}", f"go_{at.k}")


def open_or_start(sweep: SweepRow, config: RunConfig, label: str, key: str) -> None:
    """A button that opens the run of this configuration, or starts it."""
    known = existing(sweep, config)
    icon = ":material/visibility:" if known else ":material/play_arrow:"
    if st.button(label, key=key, icon=icon, help=_opens(known)):
        go_to(sweep, config)


def _opens(known: str | None) -> str:
    return "Opens the run that is there." if known else "Starts this run."


def existing(sweep: SweepRow, config: RunConfig) -> str | None:
    """A run of the same patients, choices and configuration."""
    same = [
        row.id
        for row in runs.list_runs(sweep.asked.cohort_id)
        if row.asked.config == config and row.asked.fingerprint == sweep.asked.fingerprint
    ]
    return same[0] if same else None


def go_to(sweep: SweepRow, config: RunConfig) -> None:
    """Open the run of this configuration, or start it, and turn to its page."""
    known = existing(sweep, config)
    if known is None:
        cohort = runs.cohort_of_run(sweep.asked)
        known = queue.start_run(sweep.asked.cohort_id, config, cohort=cohort)
    state.open_run(known)
    done = queue.progress(known).state == "done"
    navigation.go("subtypes" if done else "find_subtypes")


def sizes(found: Sequence[AtK], classes: Sequence[str]) -> None:
    """How large the subtypes of each k are, with their outcome rates."""
    st.subheader("Sizes and outcome rates")
    shares = [[n / max(1, sum(a.sizes)) for n in a.sizes] for a in found]
    labels = [f"{rates[-1]:.0%}" for a in found for rates in a.rates]
    figure = figures.sizes([a.k for a in found], shares, labels)
    st.plotly_chart(figure, key="k_sizes", alt="Sizes of the subtypes at each k")
    word = plain(classes[-1]) if classes else "the outcome"
    st.caption(f"Bars: all patients. Per cent: held-out patients with outcome {word}; first seed.")


def together(plan: SweepPlan, rows: Rows, found: Sequence[AtK], answer: Suggestion) -> None:
    """The consensus matrix of a k."""
    st.subheader("Who stays together")
    ks = [a.k for a in found if a.resamples]
    if not ks:
        st.caption("Ask for resamples below to see which patients stay together.")
        return
    start = ks.index(answer.k) if answer.k in ks else 0
    k = st.radio("k", ks, start, horizontal=True, key="consensus_k", label_visibility="collapsed")
    matrix = consensus_at(plan, rows, k)
    if matrix is not None:
        st.plotly_chart(
            figures.consensus(matrix), key="consensus", alt=f"Consensus matrix of k = {k}"
        )
    at = next(a for a in found if a.k == k)
    said = ", ".join(f"{subtype_name(j)} {v:.2f}" for j, v in enumerate(at.jaccards))
    st.caption(
        f"Consensus of {at.resamples} resamples with k = {k}: dark blocks are patients who are put "
        f"together again and again. Jaccard: {said}."
    )


def flows(plan: SweepPlan, rows: Rows, found: Sequence[AtK]) -> None:
    """Where patients go from k to k + 1."""
    pairs = [(a.k, b.k) for a, b in pairwise(found) if a.k > 1]
    if not pairs:
        return
    st.subheader("From k to k + 1")
    titles = [f"{a} → {b}" for a, b in pairs]
    chosen = st.radio(
        "From k to k + 1", titles, horizontal=True, key="flow_k", label_visibility="collapsed"
    )
    a, b = pairs[titles.index(chosen)]
    counts = flow_at(plan, rows, a, b)
    if counts is not None:
        names = [[f"{subtype_name(j)} of {k}" for j in range(k)] for k in (a, b)]
        figure = comparison.patient_flow(counts, *names, from_title=f"k = {a}", to_title=f"k = {b}")
        st.plotly_chart(figure, key="k_flow", alt=f"Patients from k = {a} to k = {b}")
        st.caption(
            "Share of each row's patients, and how many; everybody with an outcome, first seed."
        )
