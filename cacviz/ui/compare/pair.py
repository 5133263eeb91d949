"""Two runs side by side: how far they agree, and where the patients of each subtype go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from cacviz.engine.running.methods import METHODS
from cacviz.engine.scoring.agreement import adjusted_rand_index, crossing
from cacviz.engine.types import Choices
from cacviz.figures import comparison
from cacviz.store import runs
from cacviz.store.insights import subtype_names
from cacviz.store.runs import RunRow, StoredRun
from cacviz.ui.shell.run_names import titles_of
from cacviz.ui.shell.text import plain
from cacviz.wording.choices import difference_words
from cacviz.wording.methods import METRIC_TITLES
from cacviz.wording.studies import agreement_words
from cacviz.wording.words import interval_text, subtype_title

KEEP: dict[str, Any] = {"persist_state": "session"}


def side_by_side(rows: Sequence[RunRow]) -> None:
    """Choose two finished runs of the cohort and see what became of the patients."""
    done = [row for row in rows if row.state == "done"]
    if len(done) < 2:
        st.info("Two finished runs of this cohort are needed to set them side by side.")
        return
    ids, titles = [row.id for row in done], titles_of(rows)
    left, right = st.columns(2)
    places = ((left, "First run", 0, "pair_first"), (right, "Second run", 1, "pair_second"))
    first, second = (
        place.selectbox(title, ids, index, format_func=titles.__getitem__, key=key, **KEEP)
        for place, title, index, key in places
    )
    if first == second:
        st.caption("Choose two different runs.")
        return
    one, two = runs.load_run(first), runs.load_run(second)
    if len(one.clusters) != len(two.clusters):
        st.info(
            "These runs are of different patients (a subgroup): they cannot be set side by side."
        )
        return
    differs = other_choices(one.asked.choices, two.asked.choices)
    if differs:
        st.warning(plain(differs), icon=":material/history:")
    _agreement(one, two)
    st.dataframe(_scores([(titles[first], one), (titles[second], two)]), hide_index=True)
    spaces = other_spaces(one.summary.config.method, two.summary.config.method)
    if spaces:
        st.caption(spaces)
    _flow(one, two, titles[first], titles[second])


def other_choices(first: Choices, second: Choices) -> str:
    """That two runs were not given the same; empty where they were."""
    words = difference_words(first, second)
    if not words:
        return ""
    return (
        f"The first run was made with other choices than the second: {words}. Their scores and "
        "separation compare these choices too, not only the methods."
    )


def other_spaces(first: str, second: str) -> str:
    """Why the separation scores of two methods' runs cannot be compared; empty where they can."""
    deep = [METHODS[method].deep for method in (first, second)]
    if not any(deep):
        return ""
    kinds = ["learned embedding" if is_deep else "features" for is_deep in deep]
    spaces = "each run's own learned embedding" if all(deep) else ", ".join(kinds)
    return f"Separation scores are of different spaces ({spaces}): do not compare them."


def _agreement(one: StoredRun, two: StoredRun) -> None:
    index = adjusted_rand_index(crossing(one.clusters, two.clusters))
    words = agreement_words(index, len(one.summary.clusters), len(two.summary.clusters))
    st.metric("Agreement (adjusted Rand index)", f"{index:.2f}")
    st.caption(f"{words} 1: the same subtypes; 0: no more than by chance. All patients.")


def _scores(pair: Sequence[tuple[str, StoredRun]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"Run": title}
            | {
                METRIC_TITLES[m]: interval_text(run.summary.test[m])
                for m in ("auprc_macro", "auc", "f1_macro")
            }
            | {"Separation score (silhouette)": f"{run.summary.silhouette:.3f}"}
            for title, run in pair
        ]
    )


def _flow(one: StoredRun, two: StoredRun, first: str, second: str) -> None:
    st.markdown("**Where the patients go**")
    names = [_titles(run) for run in (one, two)]
    counts = crossing(one.clusters, two.clusters)
    figure = comparison.patient_flow(
        counts,
        names[0][: len(counts)],
        names[1][: counts.shape[1]],
        from_title=first,
        to_title=second,
    )
    st.plotly_chart(figure, key="flow", alt="Share of each subtype's patients in the other run")
    st.caption(
        f"Of the patients of each subtype of {plain(first)} (a row), the share and number in each "
        f"subtype of {plain(second)} (columns)."
    )


def _titles(run: StoredRun) -> list[str]:
    names = subtype_names(run.id, len(run.summary.clusters))
    return [subtype_title(j, name) for j, name in enumerate(names)]
