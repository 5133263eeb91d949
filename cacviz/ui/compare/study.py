"""Compare: a study's form, progress, verdict, table and figure; results show as they come."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from cacviz.engine.exceptions import ConfigError
from cacviz.engine.running.methods import METHODS
from cacviz.engine.running.studies import COLUMNS, StudyPlan, comparable_methods, study_plan
from cacviz.engine.running.study_statistics import Compared, scores_by_split
from cacviz.engine.running.verdicts import HEADLINE
from cacviz.engine.types import Cohort
from cacviz.figures import comparison
from cacviz.jobs import queue
from cacviz.jobs.environment import worker_limit
from cacviz.store import studies, timing
from cacviz.store.studies import StudyRow
from cacviz.store.sweeps import SweepRow
from cacviz.ui.shell import quick, state
from cacviz.ui.shell.layout import line
from cacviz.ui.shell.state import still_there
from cacviz.ui.shell.text import STATE_WORDS, in_lines, machine, plain
from cacviz.wording.choices import difference_words, used_words
from cacviz.wording.methods import METRIC_TITLES
from cacviz.wording.studies import entry_title, mean_text, standing_words
from cacviz.wording.verdicts import control_title, verdict_parts
from cacviz.wording.words import about_seconds, ago, counted, p_text, seconds_words, signed_text

KEEP: dict[str, Any] = {"persist_state": "session"}
SHOWN = ("auprc_macro", "auprc_positive", "auc", "f1_macro")
AGAINST = ("k=1", "lr", "gbm")
Rows = Sequence[Mapping[str, Any]]


def study_form(cohort: Cohort) -> StudyPlan | None:
    """What shall be compared; None while a setting cannot be used."""
    methods = st.multiselect(
        "Methods",
        comparable_methods(series=cohort.series is not None),
        default=["cac", "deepcac", "kmeans_z", "dmnn"],
        format_func=lambda name: METHODS[name].title,
        help="Logistic regression, gradient boosting and each method with one subtype (k = 1) are "
        "always in: they say whether the subtypes help.",
        key="compare_methods",
        **KEEP,
    )
    left, right = st.columns(2)
    clusters = left.multiselect(
        "Numbers of subtypes (k)", list(range(2, 9)), default=_open_k(), key="compare_k", **KEEP
    )
    splits = right.slider(
        "Splits",
        1,
        20,
        5,
        help="How often patients are divided anew into training and held-out ones; all methods see "
        "the same divisions. More splits tell smaller differences.",
        key="compare_splits",
        **KEEP,
    )
    if not clusters:
        st.caption("Choose one or more numbers of subtypes.")
        return None
    try:
        plan = study_plan(methods, sorted(clusters), int(splits))
    except ConfigError as error:
        st.caption(plain(error))
        return None
    words = about_seconds(estimated_seconds(cohort, plan))
    st.caption(
        f"{len(plan.cells())} fits, about {words} on {machine()}. You can stop and resume at any "
        "time."
    )
    return plan


def _open_k() -> list[int]:
    """The k of the run that is open: what one wants to see compared."""
    run = state.run()
    k = run.summary.config.n_clusters if run is not None else 0
    return [k] if 2 <= k <= 8 else [3]


def estimated_seconds(cohort: Cohort, plan: StudyPlan) -> float:
    """The time, from this machine's own last fits."""
    cells = int((cohort.y >= 0).sum()) * max(1, len(cohort.names("feature")))
    total = sum(
        timing.expected_seconds(c.method, cells, deep=METHODS[c.method].deep, kind="fit")
        for c in plan.cells()
    )
    return 5 + total / worker_limit()


def choose_study(rows: Sequence[StudyRow]) -> StudyRow:
    """The study to look at, the newest unless another is chosen."""
    if len(rows) == 1:
        return rows[0]
    titles = {row.id: study_title(row) for row in rows}
    chosen = st.selectbox("Comparison", list(titles), format_func=titles.__getitem__, key="study")
    return next(row for row in rows if row.id == chosen)


def study_title(row: StudyRow) -> str:
    """A study in a list: outcome, methods, k, splits, how it stands."""
    plan, choices = row.asked.plan, row.asked.choices
    outcome = choices.outcome.column if choices.outcome else ""
    ks = ", ".join(str(k) for k in plan.clusters)
    words = f"{counted(len(plan.methods), 'method')}, k = {ks}, {counted(plan.splits, 'split')}"
    features = counted(len(choices.names("feature")), "feature")
    return (
        f"{outcome}, {features}: {words} ({STATE_WORDS[row.progress.state]}, "
        f"{ago(row.asked.created)})"
    )


def used_by(study: StudyRow | SweepRow, cohort: Cohort, what: str = "comparison") -> None:
    """What the comparison used, and whether that is what is decided today."""
    if study.asked.fingerprint != cohort.fingerprint:
        st.caption(plain(used_words(study.asked.choices, study.asked.classes)))
        differs = difference_words(study.asked.choices, cohort.choices)
        st.warning(
            f"This {what} was made with other choices than today's: {plain(differs)}.",
            icon=":material/history:",
        )


@st.fragment(run_every=1.5)
def watch(study_id: str, total: int, known: int) -> None:
    """Progress of a study that is going, with Stop; new results redraw the page."""
    queue.tend()
    now = still_there(queue.study_progress, study_id)
    done = len(studies.study_rows(study_id))
    if now.over or done >= known + max(2, total // 20):
        st.rerun(scope="app")
    left = f", about {seconds_words(now.seconds_left)} left" if now.seconds_left else ""
    words = "Waiting for another run to end" if now.state == "queued" else ""
    bar, button = line("study", [5, 1])
    bar.progress(done / total, text=words or f"{done} of {total} fits{left}")
    if button.button("Stop", key="stop_study", width="stretch"):
        queue.stop_study(study_id)
        st.rerun(scope="app")
    st.caption(
        "You can leave this page or close the browser: the comparison goes on. What is done so far "
        "is shown below."
    )


def show_ended(row: StudyRow) -> None:
    """What became of a study that is not complete, and what can be done."""
    words = {"stopped": "Stopped before it was finished.", "failed": "The comparison failed."}
    done, total = len(studies.study_rows(row.id)), len(row.asked.plan.cells())
    said = words.get(row.progress.state, "The comparison was interrupted.")
    message = plain(row.progress.message) if row.progress.state == "failed" else ""
    st.warning(f"{said} {done} of {total} fits are done and kept. {message}".strip())
    with st.container(horizontal=True):
        if st.button("Resume", type="primary", key="resume_study"):
            queue.resume_study(row.id)
            st.rerun()
        if st.button("Discard", key="discard_study"):
            _confirm_discard(row)


@st.dialog("Discard this comparison?")
def _confirm_discard(row: StudyRow) -> None:
    st.markdown(
        f"**{plain(study_title(row))}**: the fits that are done will be removed from {machine()}."
    )
    with st.container(horizontal=True):
        if st.button("Discard", type="primary", key="confirm_discard"):
            queue.delete_study(row.id)
            st.rerun()
        if st.button("Cancel", key="cancel_discard"):
            st.rerun()


def results(study: StudyRow, rows: Sequence[dict[str, Any]], outcome: str) -> None:
    """All that the rows so far say."""
    n_classes = len(study.asked.classes)
    found = quick.comparison(list(rows), n_classes)
    if found.verdict is not None:
        st.info(in_lines(verdict_parts(found.verdict, outcome)), icon=":material/balance:")
    table(found, n_classes)
    dot_plot(found, rows)
    differences(found)
    download(rows)


def table(found: Compared, n_classes: int) -> None:
    """The paper's table: mean ± sd, the best of each column bold, marks for clear differences."""
    against = st.selectbox(
        "Marks say: clearly different from",
        AGAINST,
        format_func=control_title,
        key="against",
        **KEEP,
    )
    metrics = [m for m in SHOWN if n_classes == 2 or m != "auprc_positive"]
    cells, best = paper_table(found, metrics, against)
    weights = best.map(lambda is_best: "font-weight: bold" if is_best else "")
    # all lines at once: a table to read, not to scroll
    height = 38 + 35 * len(cells)
    st.dataframe(cells.style.apply(lambda _: weights, axis=None), key="paper_table", height=height)
    st.caption(
        "Mean ± standard deviation over splits, on held-out patients; **bold**: the highest mean. "
        "The interval is a bootstrap over the held-out patients of a split, its limits averaged "
        "over splits: what a cohort of this size leaves open. "
        f"▲ better, ▼ worse than {control_title(against)} (p < 0.05): paired over splits, "
        "corrected for overlapping training patients (Nadeau–Bengio), adjusted for the number of "
        "methods (Holm). No mark: no clear difference."
    )


def paper_table(
    found: Compared, metrics: Sequence[str], against: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A line an entry, a column a metric: what the cells say, and which are best of theirs."""
    cells, best = {}, {}
    for metric in metrics:
        means, title = dict(found.means[metric]), METRIC_TITLES[metric]
        highest = max((m.mean for m in means.values()), default=math.nan)
        words = {d.entry: d.word for d in found.differences[against][metric]}
        cells[title] = [
            _cell(mean_text(means[e]), words.get(e, "")) if e in means else ""
            for e in found.entries
        ]
        best[title] = [e in means and means[e].mean == highest for e in found.entries]
    limits, known = "AUPRC, 95 % interval", dict(found.limits)
    cells[limits] = [
        f"{known[e][0]:.3f} to {known[e][1]:.3f}" if e in known else "" for e in found.entries
    ]
    best[limits] = [False] * len(found.entries)
    index = pd.Index([entry_title(e) for e in found.entries], name="Method")
    return pd.DataFrame(cells, index=index), pd.DataFrame(best, index=index)


def _cell(text: str, word: str) -> str:
    return text + {"better": " ▲", "worse": " ▼"}.get(word, "")


def dot_plot(found: Compared, rows: Rows) -> None:
    """Means with intervals, by entry."""
    st.subheader("Scores with their uncertainty")
    means, single = dict(found.means[HEADLINE]), scores_by_split(rows, HEADLINE)
    entries = sorted(means, key=lambda e: -means[e].mean)
    figure = comparison.score_intervals(
        [entry_title(e) for e in entries],
        [(means[e].mean, means[e].low, means[e].high) for e in entries],
        [list(single[e].values()) for e in entries],
        is_control=[e[1] == 1 for e in entries],
        x_title=METRIC_TITLES[HEADLINE],
    )
    st.plotly_chart(figure, key="intervals", alt="AUPRC of each method with 95 % intervals")
    st.caption(
        "Whiskers: 95 % interval of the mean, corrected for overlapping training patients. Small "
        "dots: single splits. Compare methods by the paired differences below, not by whether "
        "whiskers overlap."
    )


def differences(found: Compared) -> None:
    """Every method with subtypes against every control, in words."""
    lines = [
        {
            "Method": entry_title(d.entry),
            "Against": control_title(control),
            "AUPRC difference (95 % interval)": signed_text(d.value),
            "p (Holm)": p_text(d.adjusted),
            "In words": standing_words(d.standing),
        }
        for control in AGAINST
        for d in found.differences[control][HEADLINE]
    ]
    if not lines:
        return
    st.subheader("Does clustering help?")
    st.dataframe(pd.DataFrame(lines), hide_index=True)
    st.caption(
        "An interval looks at its own difference alone; p and the words also take into account "
        "how many methods were compared, so that they are more careful. A little: less than a "
        "tenth of what the control has beyond chance."
    )


def download(rows: Rows) -> None:
    """The rows as `cacviz compare` writes them."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    st.download_button(
        "Download the rows (CSV)",
        text.getvalue(),
        "comparison.csv",
        "text/csv",
        on_click="ignore",
        key="rows_csv",
    )
