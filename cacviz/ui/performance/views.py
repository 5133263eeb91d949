"""The parts of the page Performance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from cacviz.engine.insights.described.small_cells import hide_small
from cacviz.engine.insights.judged.groups import members
from cacviz.engine.insights.judged.types import ClassView, Judged, Performance
from cacviz.engine.running.methods import METHODS
from cacviz.engine.scoring.calibration import recalibrated
from cacviz.engine.scoring.shares import wilson
from cacviz.engine.types import TEST, TRAIN, Cohort
from cacviz.figures import performance as figures
from cacviz.figures.theme import subtype_color
from cacviz.store.preferences import read_preferences
from cacviz.store.risk_choices import RiskChoices, change_choices, read_choices
from cacviz.store.runs import StoredRun
from cacviz.ui.shell import bound, layout
from cacviz.ui.shell.downloads import AS_SVG
from cacviz.ui.shell.text import plain
from cacviz.wording import performance as words
from cacviz.wording.factors import risk_of
from cacviz.wording.tables import HIDDEN
from cacviz.wording.verdicts import few_words


class Shown(NamedTuple):
    """What the page speaks of: a run, one class, and held-out patients with their risks."""

    run: StoredRun
    cohort: Cohort
    made: Performance
    view: ClassView
    titles: Sequence[str]
    choices: RiskChoices
    event: np.ndarray  # of held-out patients
    risk: np.ndarray  # recalibrated where that was chosen
    routed: np.ndarray  # of all patients

    @property
    def n_classes(self) -> int:
        return len(self.cohort.classes)

    @property
    def what(self) -> str:
        return risk_of(self.cohort, self.view.code)


def lead(run: StoredRun) -> None:
    """Who is judged, and whether there are enough of them."""
    st.markdown(words.lead(recalibrated=read_choices(run.id).recalibrated))
    if any(note.code == "shared risk" for note in run.summary.notes):
        st.info(words.SHARED, icon=":material/hub:")
    if said := few_words(run.summary.verdict):
        st.warning(plain(said), icon=":material/balance:")


def choose(run: StoredRun, cohort: Cohort, made: Performance, titles: Sequence[str]) -> Shown:
    """The class whose risk is judged; of two classes, the event."""
    codes = [view.code for view in made.views]
    code = codes[-1]
    if len(codes) > 1:
        picked = st.segmented_control(
            "Risk of",
            codes,
            default=code,
            format_func=lambda c: plain(risk_of(cohort, c)),
            key="performance_of",
            persist_state="session",
        )
        code = code if picked is None else picked
    choices = read_choices(run.id)
    test = run.part == TEST
    proba = run.proba[test]
    if choices.recalibrated and made.remedy is not None:
        proba = recalibrated(proba, made.remedy.slope, made.remedy.shifts)
    view = made.views[codes.index(code)]
    event = cohort.y[test] == code
    return Shown(run, cohort, made, view, titles, choices, event, proba[:, code], run.clusters)


def choose_group(shown: Shown) -> Judged:
    """Everybody, one subtype, or one group of a sensitive column."""
    judged = shown.view.judged
    titles = [words.group_title(j.group, shown.titles, shown.cohort) for j in judged]
    if len(judged) == 1:
        return judged[0]
    place: int = st.selectbox(
        "For whom",
        range(len(judged)),
        format_func=lambda i: titles[i],
        key=f"group_{shown.run.id}",
        persist_state="session",
    )
    return judged[place or 0]


def color_of(judged: Judged) -> str:
    group = judged.group
    return subtype_color(group.cluster) if group.kind == "subtype" else figures.RUN


def summary(shown: Shown, judged: Judged) -> None:
    """How well, in a line; or why nothing can be told."""
    if judged.told:
        st.markdown(plain(words.summary_sentence(judged, shown.what, shown.n_classes)))
        st.caption(words.other_scores(shown.n_classes))
    else:
        st.warning(plain(words.too_few(judged, shown.what)), icon=":material/do_not_disturb_on:")


def discrimination(shown: Shown, judged: Judged) -> None:
    """ROC, and precision against recall."""
    st.subheader("Who is at risk: can it tell?")
    if judged.curves is None:
        st.caption("Too few events for curves.")
        return
    left, right = layout.beside("curves", 2)
    grid, color = shown.made.grid, color_of(judged)
    with left:
        st.markdown("**Precision and recall**")
        figure = figures.precision_curve(grid, judged.curves.precision, judged.rate.value, color)
        st.plotly_chart(figure, key="pr", config=AS_SVG, alt="Precision against recall")
    with right:
        st.markdown("**ROC**")
        figure = figures.roc_curve(grid, judged.curves.roc, color)
        st.plotly_chart(figure, key="roc", config=AS_SVG, alt="Sensitivity against false alarms")
    n = shown.made.n_boot
    moved = len(shown.made.views) > 1 and _recalibrable(shown.run)
    many = f" {words.MANY_CLASSES}" if moved else ""
    st.caption(f"Bands: 95% of {n} bootstrap samples of held-out patients.{many}")


def calibration(shown: Shown, judged: Judged) -> None:
    """Do risks mean what they say? With the remedy, which stays with the run."""
    st.subheader("Do the risks mean what they say?")
    on = shown.choices.recalibrated and shown.made.remedy is not None
    found = judged.after if on and judged.after is not None else judged.calibration
    if found is None or judged.calibration is None:
        st.caption("Too few events for a calibration curve.")
        _remedy(shown, on)
    else:
        limits = [_limits(events, n) for n, _, events in found.bins]
        name = "recalibrated" if on else "this run"
        before = judged.calibration.bins if on else ()
        figure = figures.calibration_curve(
            found.bins, limits, name=name, before=before, color=color_of(judged)
        )
        left, right = layout.beside("calibration", [3, 2])
        alt = "Observed against said risk"
        left.plotly_chart(figure, key="calibration", config=AS_SVG, alt=alt)
        with right:
            st.markdown(plain(words.calibration_sentence(found)))
            st.caption(plain(words.brier_sentence(found)))
            _remedy(shown, on)


def _limits(events: int, n: int) -> tuple[float, float]:
    found = wilson(events, n)
    return found.low, found.high


def _remedy(shown: Shown, on: bool) -> None:
    taught = not _recalibrable(shown.run)
    chosen = shown.choices.recalibrated  # perhaps before this was known: it can be undone
    with st.container(horizontal=True, vertical_alignment="center"):
        found = None if taught else shown.made.remedy
        if (chosen or found is not None) and st.button(
            "Use the risks as the run gave them"
            if chosen
            else "Recalibrate on validation patients",
            key="recalibrate",
            icon=":material/undo:" if chosen else ":material/tune:",
        ):
            how = {} if found is None else {"slope": found.slope, "shifts": found.shifts}
            change_choices(shown.run.id, recalibrated=not chosen, **how)
            st.rerun()
        if on:
            st.markdown(
                ":material/check: Recalibrated; kept with the run: here, on the pages Patient and "
                "Validate, on the command line and in its export."
            )
    if taught and chosen:
        st.warning(words.TAKE_BACK, icon=":material/undo:")
    st.caption(plain(words.remedy_sentence(shown.made, taught)))


def _recalibrable(run: StoredRun) -> bool:
    """Whether patients are left from whom nothing was learned yet but settings."""
    return not METHODS[run.asked.config.method].learns_from_validation


def threshold(shown: Shown) -> float:
    """From which risk on a patient is flagged; kept with the run."""
    code = str(shown.view.code)
    train = shown.run.part == TRAIN
    usual = round(float(np.mean(shown.cohort.y[train] == shown.view.code)) * 100, 1)
    stored = shown.choices.thresholds.get(code, min(max(usual, 0.5), 99.5) / 100)
    key = f"threshold_{shown.run.id}_{code}"

    def keep(_: float, wanted: float) -> None:
        kept = {**read_choices(shown.run.id).thresholds, code: wanted / 100}
        change_choices(shown.run.id, thresholds=kept)

    bound.bind(key, round(stored * 100, 1))
    st.slider(
        "Flag a patient from this risk on",
        0.1,
        99.9,
        step=0.1,
        format="%.1f%%",
        key=key,
        on_change=bound.changed,
        args=(key, keep),
        help="It begins at the share of the outcome among training patients.",
    )
    return stored


def at_threshold(shown: Shown, judged: Judged, at: float) -> None:
    """Who is flagged, found, missed: counts, and shares with intervals."""
    inside = inside_of(shown, judged)
    event, flagged = shown.event[inside], shown.risk[inside] >= at
    counts = words.confusion(event.tolist(), flagged.tolist())
    if judged.told:  # shares of a hundred are not told of a handful
        st.markdown(plain(words.flag_sentence(counts, shown.what)))
    left, right = layout.beside("confusion", 2)
    table = np.array([[counts["found"], counts["missed"]], [counts["false"], counts["spared"]]])
    hide = read_preferences().hide_small
    hidden = hide_small(table) if hide else np.zeros((2, 2), dtype=bool)
    cells = [
        [HIDDEN if h else f"{n:,}" for n, h in zip(*row, strict=True)]
        for row in zip(table, hidden, strict=True)
    ]
    rows = [f"with {shown.what}", "without"]
    left.dataframe(pd.DataFrame(cells, index=rows, columns=["flagged", "not flagged"]))
    if judged.told and not hidden.any():
        shares = words.shares_of(counts)
        frame = pd.DataFrame(
            {"": list(shares), "Share (95% interval)": map(words.share_words, shares.values())}
        )
        right.dataframe(frame, hide_index=True)
    else:
        right.caption(words.no_shares(hidden=judged.told))


def benefit(shown: Shown, judged: Judged, at: float) -> None:
    """Net benefit against treating all, none, and by one model for all."""
    st.subheader("Would treating by it do good?")
    if judged.curves is None:
        st.caption("Too few events for a decision curve.")
        return
    on = shown.choices.recalibrated and shown.made.remedy is not None
    band = judged.curves.after if on else judged.curves.benefit
    title = words.BESIDE.get(shown.made.beside, "")
    others = [(title, judged.curves.one)] if title else []
    figure = figures.decision_curve(
        shown.made.thresholds,
        band,
        others,
        rate=judged.rate.value,
        threshold=at,
        color=color_of(judged),
    )
    st.plotly_chart(figure, key="benefit", config=AS_SVG, alt="Net benefit by threshold")
    st.caption(words.NET_BENEFIT)


def inside_of(shown: Shown, judged: Judged) -> np.ndarray:
    """Which held-out patients are in a group."""
    test = shown.run.part == TEST
    return members(judged.group, shown.cohort, shown.routed)[test]
