"""What a comparison over several splits says of a run that is one of its splits' kind."""

from __future__ import annotations

import streamlit as st

from cacviz.store import studies
from cacviz.store.runs import StoredRun
from cacviz.store.studies import StudyRow
from cacviz.ui.shell import navigation, quick
from cacviz.ui.shell.text import in_lines
from cacviz.wording.verdicts import over_splits

LEAST = 3  # splits below which a comparison concludes nothing


def verdict_over_splits(run: StoredRun) -> bool:
    """Whether several splits have answered what one cannot; their answer is shown."""
    study, config = _of_its_kind(run), run.summary.config
    if study is None:
        return False
    found = quick.comparison(studies.study_rows(study.id), len(study.asked.classes)).verdicts
    wanted = (config.method, config.n_clusters)
    own = next((v for v in found if (v.method, v.n_clusters) == wanted), None)
    if own is None or own.conclusion == "one split":
        return False
    st.info(in_lines(over_splits(own, found[0])), icon=":material/balance:")
    navigation.link("compare", "See the comparison")
    return True


def _of_its_kind(run: StoredRun) -> StudyRow | None:
    """The newest finished comparison of the same patients and columns with this method and k."""
    config = run.summary.config
    for row in studies.list_studies(run.asked.cohort_id):
        plan = row.asked.plan
        same = row.asked.fingerprint == run.asked.fingerprint and plan.splits >= LEAST
        inside = config.method in plan.methods and config.n_clusters in plan.clusters
        if same and inside and row.progress.state == "done":
            return row
    return None
