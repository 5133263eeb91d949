"""Questions to the helper process, asked from a page; answers are kept with the cohort."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import streamlit as st

from cacviz.engine.insights.selection import Rule, Selected
from cacviz.engine.running.study_statistics import Compared
from cacviz.engine.types import Check, Cohort, RunConfig
from cacviz.jobs.helper import Helper
from cacviz.store import atomic, known, paths
from cacviz.store.bundles.layout import Imported
from cacviz.store.records import from_plain, to_plain
from cacviz.store.runs import StoredRun

PATIENCE = 0.15  # seconds between two chances to interrupt a wait


@st.cache_resource
def helper() -> Helper:
    """One helper for all windows of this app; it holds nothing that another one asked."""
    return Helper()


def known_checks(cohort_id: str, cohort: Cohort) -> tuple[Check, ...] | None:
    """The checks of this very cohort if they were made before."""
    found = known.recall(known.of_cohort(cohort_id), "checks", known.check_key(cohort))
    return None if found is None else from_plain(tuple[Check, ...], found)


def checks(cohort_id: str, cohort: Cohort, on_wait: Callable[[], object]) -> tuple[Check, ...]:
    """The cohort's checks by the helper; they are kept with it."""
    key = known.check_key(cohort)
    question = {"cohort_id": cohort_id, "choices": cohort.choices}
    found = _answer(("check", key), question, on_wait)
    known.remember(known.of_cohort(cohort_id), "checks", key, found)
    return from_plain(tuple[Check, ...], found)


def _answer(key: tuple[str, str], question: dict[str, Any], on_wait: Callable[[], object]) -> Any:
    """The helper's answer; while it thinks, the page can be interrupted at each `on_wait`."""
    going = st.session_state.get("_asked")
    if not going or going[0] != key:
        going = (key, helper().ask_later(key[0], **question))
        st.session_state["_asked"] = going
    future: Future[Any] = going[1]
    while True:
        try:
            return future.result(timeout=PATIENCE)
        except TimeoutError:
            on_wait()
        finally:
            if future.done():
                st.session_state.pop("_asked", None)


def critical_alpha(
    cohort_id: str, cohort: Cohort, config: RunConfig, on_wait: Callable[[], object]
) -> float:
    """The critical α of a cohort and k; computed by the helper once."""
    setting = [config.get(name) for name in ("separation", "scaling", "n_init")]
    key = f"{cohort.fingerprint}:{config.n_clusters}:{config.seed}:{setting}"
    place = known.of_cohort(cohort_id)
    found = known.recall(place, "critical", key)
    if found is None:
        question = {"cohort_id": cohort_id, "choices": cohort.choices, "config": config}
        found = _answer(("critical", key), question, on_wait)
        known.remember(place, "critical", key, found)
    return float(found)


def rule(cohort_id: str, cohort: Cohort, rows: list[int], others: list[int] | None) -> Rule:
    """A set of patients as a rule."""
    answer = helper().ask(
        "rule", cohort_id=cohort_id, choices=cohort.choices, rows=rows, others=others
    )
    return from_plain(Rule, answer)


def get_ready(run: StoredRun, cohort: Cohort) -> None:
    """Let the helper read the cohort before a lasso asks about it; once a run and window."""
    if st.session_state.get("_ready_for") != run.id:
        st.session_state["_ready_for"] = run.id
        helper().ask_later("get_ready", cohort_id=run.asked.cohort_id, choices=cohort.choices)


def selected(run: StoredRun, cohort: Cohort, rows: list[int], others: list[int] | None) -> Selected:
    """A set of patients of a run beside another set, or beside the rest; asked once."""
    key = (run.id, cohort.choices, rows, others)  # labels are of the answer, too
    held = st.session_state.get("_selected")
    if not held or held[0] != key:
        question = {"cohort_id": run.asked.cohort_id, "choices": cohort.choices, "run_id": run.id}
        answer = helper().ask("selected", **question, rows=rows, others=others)
        held = (key, from_plain(Selected, answer))
        st.session_state["_selected"] = held
    return held[1]


def comparison(rows: list[dict[str, Any]], n_classes: int) -> Compared:
    """What the rows of a study say; computed once for the same rows."""
    key = (len(rows), rows[-1]["seconds"] if rows else 0.0, n_classes)
    held = st.session_state.get("_compared")
    if not held or held[0] != key:
        answer = helper().ask("comparison", rows=to_plain(rows), n_classes=n_classes)
        held = (key, from_plain(Compared, answer))
        st.session_state["_compared"] = held
    return held[1]


def take_in(data: bytes) -> Imported:
    """A run that was exported elsewhere, checked and kept by the helper."""
    with atomic.scratch(paths.data_dir()) as scratch:
        file = scratch / "run.zip"
        atomic.write_file(file, data, durable=False)
        return Imported(**helper().ask("take_in", path=str(file)))
