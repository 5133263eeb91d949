"""Compare: what a study's fits say: verdict, table, figure, differences, and the rows as a file."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from cacviz.engine.running.studies import COLUMNS
from cacviz.engine.running.study_statistics import Compared, scores_by_split
from cacviz.engine.running.verdicts import HEADLINE
from cacviz.figures import comparison
from cacviz.store.studies import StudyRow
from cacviz.ui.shell import quick
from cacviz.ui.shell.text import in_lines
from cacviz.wording.methods import METRIC_TITLES
from cacviz.wording.studies import entry_title, mean_text, standing_words
from cacviz.wording.verdicts import comparison_parts, control_title, is_nothing
from cacviz.wording.words import p_text, signed_text

SHOWN = ("auprc_macro", "auprc_positive", "auc", "f1_macro")
AGAINST = ("k=1", "lr", "gbm")
SHORT = {"k=1": "itself with k = 1"}  # never cut
Rows = Sequence[Mapping[str, Any]]


def results(study: StudyRow, rows: Sequence[dict[str, Any]], outcome: str) -> None:
    """All that the rows so far say."""
    n_classes = len(study.asked.classes)
    found = quick.comparison(list(rows), n_classes)
    if found.verdicts:
        st.info(in_lines(comparison_parts(found.verdicts, outcome)), icon=":material/balance:")
    table(found, n_classes)
    dot_plot(found, rows)
    differences(found)
    download(rows)


def table(found: Compared, n_classes: int) -> None:
    """The paper's table: mean ± sd, the best of each column bold, marks for clear differences."""
    against = st.selectbox(
        "Marks: told apart from",
        AGAINST,
        format_func=control_title,
        key="against",
        persist_state="session",
    )
    metrics = [m for m in SHOWN if n_classes == 2 or m != "auprc_positive"]
    cells, best = paper_table(found, metrics, against)
    weights = best.map(lambda is_best: "font-weight: bold" if is_best else "")
    # all lines at once: a table to read, not to scroll
    height = 38 + 35 * len(cells)
    st.dataframe(cells.style.apply(lambda _: weights, axis=None), key="paper_table", height=height)
    st.caption(
        "Mean ± standard deviation over splits, on held-out patients; **bold**: the highest mean. "
        "F1 is of the likeliest class: with a rare outcome it says little, and none is bold. "
        "Of one split: a bootstrap over its held-out patients, the limits averaged over splits; "
        "what a single run on a cohort of this size leaves open. "
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
        told = metric != "f1_macro"  # at the likeliest class it rewards risks that are too extreme
        best[title] = [told and e in means and means[e].mean == highest for e in found.entries]
    limits, known = "AUPRC of one split, 95%", dict(found.limits)
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
    st.plotly_chart(figure, key="intervals", alt="AUPRC of each method with 95% intervals")
    st.caption(
        "Whiskers: 95% interval of the mean, corrected for overlapping training patients; none "
        "goes beyond 0 or 1. Strokes: single splits. Compare methods by the paired differences "
        "below, not by whether whiskers overlap."
    )


def differences(found: Compared) -> None:
    """Every method with subtypes against every control, in words."""
    lines = [
        {
            "Method": entry_title(d.entry),
            "Against": SHORT.get(control, control_title(control)),
            "In words": standing_words(d.standing),
            "AUPRC difference (95% interval)": "none"
            if is_nothing(d.value)
            else signed_text(d.value),
            "p (Holm)": "" if is_nothing(d.value) else p_text(d.adjusted),
        }
        for control in AGAINST
        for d in found.differences[control][HEADLINE]
    ]
    if not lines:
        return
    st.subheader("Does clustering help?")
    column = st.column_config.Column
    narrow = {  # what is meant is in view in a narrow window too
        "Method": column(width=150),
        "Against": column(width=170),
        "In words": column(width=130),
        "AUPRC difference (95% interval)": column("AUPRC difference", width=165),
        "p (Holm)": column(width=60),
    }
    st.dataframe(pd.DataFrame(lines), hide_index=True, column_config=narrow)
    st.caption(
        "Differences with their 95% intervals. An interval looks at its own difference alone; p "
        "and the words also take into account how many methods were compared, so that they are "
        "more careful. A little: less than a tenth of what the control has beyond chance."
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
