"""A sweep or check while it is going, what became of it, and how long one takes."""

from __future__ import annotations

import streamlit as st

from cacviz.engine.running.methods import METHODS
from cacviz.engine.running.sweeps import plans
from cacviz.engine.running.sweeps.plans import SweepPlan
from cacviz.engine.types import Cohort
from cacviz.jobs import queue
from cacviz.jobs import sweeps as jobs
from cacviz.jobs.environment import worker_limit
from cacviz.store import sweeps, timing
from cacviz.store.sweeps import SweepRow
from cacviz.ui.shell.layout import line
from cacviz.ui.shell.state import still_there
from cacviz.ui.shell.text import plain
from cacviz.wording.words import seconds_words

# in fits with controls' scores: halves are two small ones, clusters alone are found faster
WEIGHTS = {plans.FIT: 1.0, plans.HALVES: 0.8, plans.RESAMPLE: 0.5}


def expected_seconds(cohort: Cohort, plan: SweepPlan) -> float:
    """The time, from this machine's own last fits."""
    cells = int((cohort.y >= 0).sum()) * max(1, len(cohort.names("feature")))
    deep = METHODS[plan.method].deep
    one = timing.expected_seconds(plan.method, cells, deep=deep, kind="fit")
    several = sum(k > 1 for k in plan.clusters)
    work = sum(WEIGHTS.get(cell.kind, 0.6 * several) for cell in plan.cells())
    return 5 + one * work / worker_limit()


@st.fragment(run_every=1.5)
def watch(sweep_id: str, key: str) -> None:
    """How far it is, with Stop; the page is drawn again now and then, and at the end."""
    queue.tend()
    now = still_there(jobs.progress, sweep_id)
    if now.over:
        st.rerun(scope="app")
    total = len(sweeps.read_asked(sweeps.sweep_folder(sweep_id)).plan.cells())
    done = now.step or 0
    seen = st.session_state.setdefault(f"_seen_{sweep_id}", done)
    if done >= seen + max(4, total // 10):
        st.session_state[f"_seen_{sweep_id}"] = done
        st.rerun(scope="app")
    left = f", about {seconds_words(now.seconds_left)} left" if now.seconds_left else ""
    words = "Waiting for another run to end" if now.state == "queued" else ""
    bar, button = line(key, [5, 1])
    bar.progress(min(1.0, done / max(1, total)), text=words or f"{done} of {total} fits{left}")
    if button.button("Stop", key=f"stop_{key}", width="stretch"):
        jobs.stop(sweep_id)
        st.rerun(scope="app")
    st.caption("You can leave this page or close the browser: it goes on.")


def ended(row: SweepRow) -> None:
    """What became of one that is not complete, and what can be done."""
    words = {"stopped": "Stopped before it was finished.", "failed": "It failed."}
    said = words.get(row.progress.state, "It was interrupted.")
    message = plain(row.progress.message) if row.progress.state == "failed" else ""
    done, total = len(sweeps.sweep_rows(row.id)), len(row.asked.plan.cells())
    st.warning(f"{said} {done} of {total} fits are done and kept. {message}".strip())
    with st.container(horizontal=True):
        if st.button("Resume", type="primary", key=f"resume_{row.id}"):
            jobs.resume(row.id)
            st.rerun()
        if st.button("Discard", key=f"discard_{row.id}"):
            jobs.delete(row.id)
            st.rerun()
