"""The parts of the page Subtypes that need the run alone: verdict, rates, controls, rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from cacviz.engine.running.methods import METHODS
from cacviz.engine.types import Cohort, Note, RunSummary
from cacviz.figures import ratios, rounds
from cacviz.store.preferences import read_preferences
from cacviz.store.runs import StoredRun
from cacviz.ui.finding.progress import LOSSES, show_moves
from cacviz.ui.shell import navigation
from cacviz.ui.shell.layout import beside
from cacviz.ui.shell.text import in_lines, plain
from cacviz.ui.subtypes import focus, parts
from cacviz.ui.subtypes.splits import verdict_over_splits
from cacviz.wording import captions, tables
from cacviz.wording.controls import DIFFERENCE, WORDS, controls_frame
from cacviz.wording.leaks import late_words
from cacviz.wording.methods import METRIC_TITLES
from cacviz.wording.notes import sentence, sentences, told
from cacviz.wording.rounds import STAGES, ending_words, kept_words
from cacviz.wording.rules import made_of as made_of_words
from cacviz.wording.runs import settings_words
from cacviz.wording.verdicts import few_words, of_itself, verdict_parts, worse_words
from cacviz.wording.words import counted, seconds_words

SILHOUETTE = "Separation score (silhouette)"
NOT_LEARNED = "AUPRC, patients not learned from"
# so that nothing is cut and every score in view: width and heading of the columns
WIDE, HEADS = (
    {"": 237, WORDS: 118, DIFFERENCE: 158},
    {
        DIFFERENCE: "Run minus control",
        METRIC_TITLES["auprc_macro"]: "AUPRC (mean)",
    },
)
OF_OTHERS = ("score", "forecast")  # others' judgement is borrowed, but not known late by itself
ASKED = ("id-like", "possible missing code")
FEWER = ("few events", "small subtype", "empty subtype", "one outcome")


def outcome_title(summary: RunSummary, cohort: Cohort) -> str:
    """What the run's outcome is called: its label, or the column's name."""
    name = summary.outcome.column
    return next((c.title for c in cohort.columns if c.name == name), name)


def doubts(run: StoredRun) -> None:
    """Suspected leaks and codes left as values, on every page: nothing else counts meanwhile."""
    grave = [n for n in run.summary.notes if n.code in ("leak", "doubt") and n.severity == "grave"]
    named = {name for note in grave if note.code == "leak" for name in _columns(note)}
    for note in grave:
        if note.values.get("column") in named:
            continue  # the column itself is named already: once is enough on every page
        st.error(plain(sentence(note)), icon=":material/error:")
    asked = [n for n in run.summary.notes if n.code in ASKED]
    for note in asked:
        st.warning(plain(sentence(note)), icon=":material/warning:")
    _soft(run)
    if grave or asked:
        navigation.link("cohort", "Leave columns out on Cohort" if grave else "Answer on Cohort")


def coded(run: StoredRun) -> None:
    """On pages that say low and high: columns of which nobody said whether they are codes."""
    for note in run.summary.notes:
        if note.code == "codes":
            st.caption(f":material/info: {plain(sentence(note))}")


def worse(run: StoredRun) -> None:
    """On pages that show risks: that one model for all has better ones."""
    if words := worse_words(run.summary.verdict):
        st.warning(words, icon=":material/trending_down:")


def made_of(run: StoredRun) -> None:
    """That the subtypes are one column or two: by the run's own look, or by the rule on a card."""
    repeated = [n for n in run.summary.notes if n.code == "repeats a column"]
    for note in repeated:
        grave = note.severity == "grave"
        show, icon = (st.error, "error") if grave else (st.warning, "warning")
        show(plain(sentence(note)), icon=f":material/{icon}:")
        navigation.link("cohort", "Leave columns out on Cohort")
    rule = None if repeated else parts.part(run, "bedside")
    if rule is not None and (words := made_of_words(rule)):
        st.warning(plain(words), icon=":material/warning:")


def _soft(run: StoredRun) -> None:
    """A line for columns that are suspected and were neither kept nor left out."""
    soft = [n for n in run.summary.notes if n.code == "leak" and n.severity == "warning"]
    notes = [n for n in soft if n.values["code"] not in OF_OTHERS]
    names = list(dict.fromkeys(name for note in notes for name in _columns(note)))
    if names:
        st.caption(f":material/info: {plain(late_words(names))}")


def verdict(run: StoredRun, cohort: Cohort) -> None:
    """What must be known before the subtypes are believed: the verdict, then warnings, folded."""
    doubts(run)
    made_of(run)
    elsewhere = ("leak", "doubt", "repeats a column", *ASKED)
    notes = [n for n in told(run.summary.notes) if n.code not in elsewhere]
    for note in notes:
        if note.severity == "grave":
            st.error(plain(sentence(note)), icon=":material/error:")
    if run.summary.verdict:
        said = verdict_parts(run.summary.verdict, outcome_title(run.summary, cohort))
        if verdict_over_splits(run):
            alone = few_words(run.summary.verdict) or of_itself(run.summary.verdict, said)
            st.caption(f"This run by itself, on one split: {plain(alone)}")
        else:
            st.info(in_lines(said), icon=":material/balance:")
            if run.summary.verdict.conclusion == "too few":
                navigation.link("compare", "Compare over several splits")
    _warnings(run, [n for n in notes if n.severity != "grave"])
    soft = [n for n in run.summary.notes if n.code in ("leak", "doubt") and n.severity != "grave"]
    if soft:
        with st.expander(f"Columns to think about ({sum(len(_columns(n)) for n in soft)})"):
            for note in soft:
                st.markdown(f":material/info: {plain(sentence(note))}")


def _columns(note: Note) -> Sequence[str]:
    return note.values.get("columns") or ("",)


def _warnings(run: StoredRun, notes: Sequence[Note]) -> None:
    """One box for all of them, open while they are few."""
    if not notes:
        return
    said = sentences(notes)
    with st.expander(counted(len(said), "thing to know", "things to know"), len(said) <= 2):
        for note, words in said:
            icon = ":material/warning:" if note.severity == "warning" else ":material/info:"
            st.markdown(f"{icon} {plain(words)}")
        k = run.summary.config.n_clusters
        fewer = fewer_subtypes(k, notes)
        if fewer < k and st.button(f"Use fewer subtypes (k = {fewer})", key="use_fewer"):
            st.session_state["_form_wanted"] = {"k": fewer}
            navigation.go("find_subtypes")


def fewer_subtypes(k: int, notes: Sequence[Note]) -> int:
    """As many subtypes as had enough patients, two at the least."""
    scarce = {n.values["cluster"] for n in notes if n.code in FEWER}
    return max(2, k - len(scarce)) if k > 2 else k


def controls(run: StoredRun) -> None:
    """Does clustering help here? The run beside plain models on the same held-out patients."""
    st.subheader("Beside plain models")
    frame = controls_frame(run.summary)
    column = st.column_config.Column
    wide = {n: column(HEADS.get(n, n), width=WIDE.get(n, 140), help=n or None) for n in frame}
    st.dataframe(frame, hide_index=True, column_config=wide)
    taught = METHODS[run.asked.config.method].learns_from_validation
    n_test = sum(c.n_test for c in run.summary.clusters)
    st.caption(captions.controls(n_test, taught=taught))


def rates(run: StoredRun, titles: Sequence[str], shown: Sequence[int], title: str) -> None:
    """Outcome rates per subtype on held-out patients; a click shows that subtype alone."""
    st.subheader("Outcome by subtype")
    counts = np.array([c.test_counts for c in run.summary.clusters]).sum(axis=0)
    overall = counts / max(1, counts.sum())
    hide = read_preferences().hide_small
    labels = parts.axis_titles(titles, shown)
    figure = ratios.outcome_rates(run.summary, labels, overall, shown, hide=hide, outcome=title)
    event = st.plotly_chart(
        figure,
        key="rates",
        on_select="rerun",
        selection_mode="points",
        alt="Outcome rate of each subtype on held-out patients",
    )
    focus.clicked(run, event.selection.points)  # type: ignore[attr-defined]
    st.caption(captions.rates(overall))
    described = parts.part(run, "described")
    for test in described.tests if described is not None else ():
        if test.role == "outcome":  # as What differs has it
            st.markdown(plain(tables.test_sentence(replace(test, title=title))))


def rounds_of(run: StoredRun) -> None:
    """How the clustering went: by round for CAC, by epoch for deep methods."""
    rows = [dict(row) for row in run.summary.history]
    if any("cost" in row for row in rows):
        _rounds(rows)
    elif any("epoch" in row for row in rows):
        _epochs(rows)
    agreement = run.summary.routing_agreement
    words = [ending_words(rows, run.summary.config.get("max_iter", 100))]
    words.append(f"Final separation score (silhouette) {run.summary.silhouette:.3f}.")
    words.append(kept_words(rows))
    if agreement is not None:
        words.append(
            f"Routing agreement {agreement:.1%}: share of training patients whose nearest centre "
            "is their own subtype's."
        )
    st.caption(" ".join(filter(None, words)))
    said = settings_words(run.summary.config, run.summary.alpha)
    st.caption(f"Settings: {plain(said)}. It took {seconds_words(run.summary.seconds)}.")


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
    figure = rounds.by_stage(rows, "validation_auprc", STAGES, title=NOT_LEARNED)
    right.plotly_chart(figure, key="validation")
