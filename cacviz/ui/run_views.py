"""The parts of the page Subtypes: each reads a stored run and shows one thing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from cacviz.engine.types import TEST, Cohort, RunSummary
from cacviz.figures import ratios, rounds
from cacviz.runs import StoredRun
from cacviz.ui import cards, layout
from cacviz.ui.layout import beside
from cacviz.ui.progress import LOSSES, show_moves
from cacviz.ui.sidebar import short_title
from cacviz.ui.text import EXPERT_TITLES, SYNTHETIC, plain, seconds_words

SILHOUETTE = "Separation score (silhouette)"


def outcome_title(summary: RunSummary, cohort: Cohort) -> str:
    """What the run's outcome is called: its label, or the column's name."""
    name = summary.outcome.column
    return next((c.title for c in cohort.columns if c.name == name), name)


def heading(run: StoredRun, cohort: Cohort) -> None:
    """What was run on what, in one line."""
    summary, config = run.summary, run.summary.config
    words = [f"{short_title(config.method)}, k = {config.n_clusters}"]
    if summary.alpha is not None:
        words.append(f"α = {summary.alpha:.3g}")
    if config.method in ("cac", "kmeans"):
        words.append(EXPERT_TITLES.get(config.expert, config.expert).lower())
    outcome = outcome_title(summary, cohort)
    if len(summary.classes) > 2:
        outcome = f"{outcome} ({', '.join(summary.classes)})"
    words += [f"seed {config.seed}", f"{seconds_words(summary.seconds)}"]
    st.caption(f"{plain(run.asked.cohort_name)}: outcome {plain(outcome)}. {', '.join(words)}.")
    if run.asked.cohort_name.startswith("Demo"):
        st.info(SYNTHETIC, icon=":material/science:")


def notes(run: StoredRun) -> None:
    """What must be known before the subtypes are believed; the verdict comes last."""
    *warnings, verdict = run.summary.notes or ("",)
    for text in warnings:
        st.warning(plain(text), icon=":material/warning:")
    if verdict:
        st.info(plain(verdict), icon=":material/balance:")


def show_cards(summary: RunSummary, names: Sequence[str], outcome: str) -> None:
    """A card a subtype."""
    places = layout.cards("subtypes", len(names))
    for place, cluster in zip(places, summary.clusters, strict=True):
        with place:
            cards.subtype_card(cluster, summary, names[cluster.cluster], outcome)


def controls(run: StoredRun) -> None:
    """Does clustering help here? The run beside plain models on the same held-out patients."""
    st.subheader("Beside plain models")
    st.dataframe(cards.controls_frame(run.summary), hide_index=True)
    st.caption(
        f"{np.count_nonzero(run.part == TEST):,} held-out patients; 95 % bootstrap intervals. "
        "A difference whose interval holds 0 is no clear difference."
    )


def rates(run: StoredRun, names: Sequence[str]) -> None:
    """Outcome rates per subtype on held-out patients."""
    st.subheader("Outcome by subtype")
    counts = np.array([c.test_counts for c in run.summary.clusters]).sum(axis=0)
    overall = counts / max(1, counts.sum())
    figure = ratios.outcome_rates(run.summary, names, overall)
    st.plotly_chart(figure, key="rates", alt="Outcome rate of each subtype on held-out patients")
    line = f" Dotted line: all of them, {overall[1]:.1%}." if len(overall) == 2 else ""
    st.caption(
        "On patients held out from training, who were assigned without their outcome; whiskers: "
        f"95 % interval.{line}"
    )


def rounds_of(run: StoredRun) -> None:
    """How the clustering went: by round for CAC, by epoch for deep methods."""
    rows = [dict(row) for row in run.summary.history]
    if any("cost" in row for row in rows):
        _rounds(rows)
    elif any("epoch" in row for row in rows):
        _epochs(rows)
    agreement = run.summary.routing_agreement
    words = f"Final silhouette {run.summary.silhouette:.3f}."
    if agreement is not None:
        words += (
            f" Routing agreement {agreement:.1%}: share of training patients whose nearest centre "
            "is their own subtype's."
        )
    st.caption(words)


def _rounds(rows: list[dict]) -> None:
    st.subheader("Round by round")
    left, middle, right = beside("rounds", 3)
    left.plotly_chart(rounds.curve(rows, "cost", title="Total cost"), key="cost")
    with middle:
        show_moves(rows, key="moves")
    start = rows[0].get("silhouette")
    figure = rounds.curve(rows, "silhouette", title=SILHOUETTE, reference=start, narrowest=0.1)
    right.plotly_chart(figure, key="silhouette")


def _epochs(rows: list[dict]) -> None:
    st.subheader("Epoch by epoch")
    terms = [row for row in rows if "reconstruction" in row]
    parted = [row for row in rows if "silhouette" in row]
    left, middle, right = beside("epochs", 3)
    if terms:
        left.plotly_chart(rounds.loss_terms(terms, LOSSES), key="losses")
    else:
        trained = [row for row in rows if "loss" in row and row["phase"] == rows[-1]["phase"]]
        left.plotly_chart(rounds.curve(trained, "loss", title="Loss"), key="losses")
    figure = rounds.curve(parted, "silhouette", title=SILHOUETTE, narrowest=0.1)
    middle.plotly_chart(figure, key="silhouette")
    scored = [row for row in rows if row.get("validation_auprc") is not None]
    figure = rounds.curve(scored, "validation_auprc", title="Validation AUPRC", narrowest=0.05)
    right.plotly_chart(figure, key="validation")
