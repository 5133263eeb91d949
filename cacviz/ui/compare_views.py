"""Compare: a study's form, progress, verdict, table and figure."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from cacviz.engine import study_statistics as statistics
from cacviz.engine.exceptions import ConfigError
from cacviz.engine.methods import METHODS
from cacviz.engine.studies import COLUMNS, CONTROLS, StudyPlan, comparable_methods, study_plan
from cacviz.engine.types import Cohort
from cacviz.figures import comparison
from cacviz.runs import studies
from cacviz.runs.studies import StudyRow
from cacviz.ui.layout import line
from cacviz.ui.state import still_there
from cacviz.ui.text import METRIC_TITLES, STATE_WORDS, ago, plain, seconds_words

KEEP: dict[str, Any] = {"persist_state": "session"}
SHOWN = ("auprc_macro", "auprc_positive", "auc", "f1_macro")
AGAINST = {"k=1": "the same method with one subtype (k = 1)"} | {
    name: METHODS[name].title.lower() for name in CONTROLS
}
Rows = Sequence[Mapping[str, Any]]


def study_form(cohort: Cohort) -> StudyPlan | None:
    """What shall be compared; None while a setting cannot be used."""
    methods = st.multiselect(
        "Methods",
        comparable_methods(),
        default=["cac", "deepcac", "kmeans_z", "dmnn"],
        format_func=lambda name: METHODS[name].title,
        help="Logistic regression, gradient boosting and each method with one subtype (k = 1) are "
        "always in: they say whether the subtypes help.",
        key="compare_methods",
        **KEEP,
    )
    left, right = st.columns(2)
    clusters = left.multiselect(
        "Numbers of subtypes (k)", list(range(2, 9)), default=[3], key="compare_k", **KEEP
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
    words = seconds_words(estimated_seconds(cohort, plan, studies.default_jobs()))
    st.caption(f"{len(plan.cells())} fits, about {words}. You can stop and go on at any time.")
    return plan


def estimated_seconds(cohort: Cohort, plan: StudyPlan, n_jobs: int) -> float:
    """A rough time: by measured cells of a table a second, deep methods and others."""
    cells = int((cohort.y >= 0).sum()) * max(1, len(cohort.names("feature")))
    each = {True: 3 + cells / 130_000, False: 0.5 + cells / 500_000}
    total = sum(each[METHODS[cell.method].deep] for cell in plan.cells())
    return 10 + total / max(1, n_jobs)


def choose_study(rows: Sequence[StudyRow]) -> StudyRow:
    """The study to look at, the newest unless another is chosen."""
    if len(rows) == 1:
        return rows[0]
    titles = {row.id: study_title(row) for row in rows}
    chosen = st.selectbox("Comparison", list(titles), format_func=titles.__getitem__, key="study")
    return next(row for row in rows if row.id == chosen)


def study_title(row: StudyRow) -> str:
    """A study in a list: how many methods, which k, how many splits, how it stands."""
    plan = row.asked.plan
    ks = ", ".join(str(k) for k in plan.clusters)
    n = len(plan.methods)
    words = f"{n} method{'s' * (n > 1)}, k = {ks}, {plan.splits} split{'s' * (plan.splits > 1)}"
    return f"{words} ({STATE_WORDS[row.progress.state]}, {ago(row.asked.created)})"


@st.fragment(run_every=1.0)
def watch(study_id: str, total: int) -> None:
    """Progress of a study that is going, with Stop."""
    now = still_there(studies.study_progress, study_id)
    if now.over:
        st.rerun(scope="app")
    done = len(studies.study_rows(study_id))
    left = f", about {seconds_words(now.seconds_left)} left" if now.seconds_left else ""
    bar, button = line("study", [5, 1])
    bar.progress(done / total, text=f"{done} of {total} fits{left}")
    if button.button("Stop", key="stop_study", width="stretch"):
        studies.stop_study(study_id)
        st.rerun(scope="app")
    st.caption("You can leave this page or close the browser: the comparison goes on.")


def show_ended(row: StudyRow) -> None:
    """What became of a study that is not complete, and what can be done."""
    words = {"stopped": "Stopped before it was finished.", "failed": "The comparison failed."}
    done, total = len(studies.study_rows(row.id)), len(row.asked.plan.cells())
    said = words.get(row.progress.state, "The comparison was interrupted.")
    message = plain(row.progress.message) if row.progress.state == "failed" else ""
    st.warning(f"{said} {done} of {total} fits are done and kept. {message}".strip())
    with st.container(horizontal=True):
        if st.button("Go on", type="primary", key="resume_study"):
            studies.resume_study(row.id)
            st.rerun()
        if st.button("Discard", key="discard_study"):
            _confirm_discard(row.id)


@st.dialog("Discard this comparison?")
def _confirm_discard(study_id: str) -> None:
    st.markdown("The fits that are done will be removed from this computer.")
    if st.button("Discard", type="primary", key="confirm_discard"):
        studies.delete_study(study_id)
        st.rerun()


def verdict(rows: Rows, outcome: str) -> None:
    """The answer in words, on top."""
    words = statistics.verdict(list(rows), plain(outcome))
    if words:
        st.info(words, icon=":material/balance:")


def table(rows: Rows, n_classes: int) -> None:
    """The paper's table: mean ± sd, the best of each column bold, marks for clear differences."""
    against = st.selectbox(
        "Marks say: clearly different from",
        list(AGAINST),
        format_func=AGAINST.__getitem__,
        key="against",
        **KEEP,
    )
    metrics = [m for m in SHOWN if n_classes == 2 or m != "auprc_positive"]
    cells, best = paper_table(rows, metrics, against)
    weights = best.map(lambda is_best: "font-weight: bold" if is_best else "")
    # all lines at once: a table to read, not to scroll
    height = 38 + 35 * len(cells)
    st.dataframe(cells.style.apply(lambda _: weights, axis=None), key="paper_table", height=height)
    st.caption(
        "Mean ± standard deviation over splits, on held-out patients; **bold**: the highest mean. "
        "The interval is a bootstrap over the held-out patients of a split, its limits averaged "
        "over splits: what a cohort of this size leaves open. "
        f"▲ clearly better, ▼ clearly worse than {AGAINST[against]} (p < 0.05): paired over "
        "splits, corrected for overlapping training patients (Nadeau–Bengio), adjusted for the "
        "number of methods (Holm). No mark: no clear difference."
    )


def paper_table(
    rows: Rows, metrics: Sequence[str], against: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A line an entry, a column a metric: what the cells say, and which are best of theirs."""
    entries = statistics.entries(rows)
    cells, best = {}, {}
    for metric in metrics:
        means, title = statistics.means(rows, metric), METRIC_TITLES[metric]
        highest = max((m.mean for m in means.values()), default=math.nan)
        found = {d.entry: d.word for d in statistics.differences(rows, against, metric)}
        cells[title] = [_cell(means[e], found.get(e, "")) if e in means else "" for e in entries]
        best[title] = [e in means and means[e].mean == highest for e in entries]
    limits = "AUPRC, 95 % interval"
    cells[limits] = [statistics.limits_text(rows, e) for e in entries]
    best[limits] = [False] * len(entries)
    index = pd.Index([statistics.entry_title(e) for e in entries], name="Method")
    return pd.DataFrame(cells, index=index), pd.DataFrame(best, index=index)


def _cell(mean: statistics.Mean, word: str) -> str:
    return statistics.mean_text(mean) + {"better": " ▲", "worse": " ▼"}.get(word, "")


def dot_plot(rows: Rows) -> None:
    """Means with intervals, by entry."""
    st.subheader("Scores with their uncertainty")
    metric = statistics.HEADLINE
    means, single = statistics.means(rows, metric), statistics.scores_by_split(rows, metric)
    entries = sorted(means, key=lambda e: -means[e].mean)
    figure = comparison.score_intervals(
        [statistics.entry_title(e) for e in entries],
        [(means[e].mean, means[e].low, means[e].high) for e in entries],
        [list(single[e].values()) for e in entries],
        is_control=[e[1] == 1 for e in entries],
        x_title=METRIC_TITLES[metric],
    )
    st.plotly_chart(figure, key="intervals", alt="AUPRC of each method with 95 % intervals")
    st.caption(
        "Whiskers: 95 % interval of the mean, corrected for overlapping training patients. Small "
        "dots: single splits. Compare methods by the paired differences below, not by whether "
        "whiskers overlap."
    )


def differences(rows: Rows) -> None:
    """Every method with subtypes against every control, in words."""
    lines = [
        {
            "Method": statistics.entry_title(d.entry),
            "Against": AGAINST[control],
            "AUPRC difference (95 % interval)": _with_interval(d),
            "p (Holm)": "" if math.isnan(d.adjusted) else f"{d.adjusted:.3f}",
            "In words": d.word,
        }
        for control in AGAINST
        for d in statistics.differences(rows, control)
    ]
    if not lines:
        return
    st.subheader("Does clustering help?")
    st.dataframe(pd.DataFrame(lines), hide_index=True)
    st.caption(
        "An interval looks at its own difference alone; p and the words also take into account "
        "how many methods were compared, so that they are more careful."
    )


def _with_interval(d: statistics.Difference) -> str:
    if math.isnan(d.value.low):
        return f"{d.value.value:+z.3f}"
    return f"{d.value.value:+z.3f} ({d.value.low:+z.3f} to {d.value.high:+z.3f})"


def download(rows: Rows) -> None:
    """The rows as `cacviz compare` writes them."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    st.download_button(
        "Download the rows (CSV)", text.getvalue(), "comparison.csv", "text/csv", key="rows_csv"
    )
