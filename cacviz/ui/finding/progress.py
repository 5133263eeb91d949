"""What is running: one polling fragment a page, with phases, time left, live curves and Stop."""

from __future__ import annotations

import time

import streamlit as st

from cacviz.engine.running.methods import METHODS
from cacviz.figures import rounds
from cacviz.jobs import queue
from cacviz.store import runs, timing
from cacviz.store.runs import RunRow
from cacviz.store.states import Progress
from cacviz.ui.shell import navigation, state
from cacviz.ui.shell.layout import beside, line
from cacviz.ui.shell.run_names import titles_of
from cacviz.ui.shell.text import PHASE_WORDS, machine, plain
from cacviz.wording.words import seconds_words

LOSSES = {
    "reconstruction": "Reconstruction",
    "compactness": "Tightness",
    "separation": "Outcome separation",
}
MAY_END_EARLY = ("cluster", "experts", "hours")  # patients left out may end it
SHOWN = 3  # runs in the sidebar
NEARLY = 0.97  # of the bar: the rest is for the end


def is_live(run_id: str | None) -> bool:
    """Whether this run is waiting or running."""
    return bool(run_id) and any(r.id == run_id for r in _going())


def _going() -> list[RunRow]:
    return [row for row in runs.list_runs() if row.state in ("queued", "running")]


def show_running() -> None:
    """The compact view for the sidebar; polls only while something runs."""
    if going := _going():
        # each look makes the browser go over the whole page again: in a long queue nothing hurries
        st.fragment(_poll_sidebar, run_every=2.0 if len(going) <= SHOWN else 5.0)()


def _poll_sidebar() -> None:
    queue.tend()
    going = _going()
    if not going:
        st.rerun(scope="app")
    for row in going[:SHOWN]:
        now = queue.progress(row.id)
        st.caption(plain(f"{titles_of([row])[row.id]} of {row.asked.cohort_name}"))
        st.progress(_fraction(now, row), text=_phase_text(now))
        left, right = st.columns(2)
        if left.button("Stop", key=f"stop_{row.id}", disabled=now.stopping):
            queue.stop_run(row.id)
            st.rerun(scope="app")
        if right.button("Watch", key=f"watch_{row.id}"):
            state.open_run(row.id)
            navigation.go("find_subtypes")


@st.fragment(run_every=1.0)
def watch(run_id: str) -> None:
    """The full view of the open run while it is going: phases, curves, Stop."""
    queue.tend()
    now = state.still_there(queue.progress, run_id)
    if now.over:
        st.rerun(scope="app")
    row = next((r for r in runs.list_runs() if r.id == run_id), None)
    with st.container(border=True):
        if row is not None:
            st.markdown(f"**{plain(titles_of([row])[row.id])}**")
        bar, button = line("watched", [5, 1])
        bar.progress(_fraction(now, row), text=_phase_text(now))
        if button.button("Stop", key="stop_watched", disabled=now.stopping, width="stretch"):
            queue.stop_run(run_id)
            st.rerun(scope="app")
        _live_curves(queue.history(run_id))
        st.caption("You can leave this page or close the browser: the run goes on.")


def _live_curves(rows: list[dict]) -> None:
    if any("moves" in row for row in rows):
        left, right = beside("live", 2)
        kept = [row for row in rows if "moves" in row]
        left.plotly_chart(rounds.curve(kept, "cost", title="Total cost"), key="live_cost")
        with right:
            show_moves(kept, key="live_moves")
        return
    kept = [row for row in rows if "reconstruction" in row]
    if not kept:
        return
    left, middle, right = beside("live", 3)
    left.plotly_chart(rounds.loss_terms(kept, LOSSES), key="live_loss")
    for place, key, title in (
        (middle, "silhouette", "Separation score (silhouette)"),
        (right, "validation_auprc", "AUPRC, patients not learned from"),
    ):
        if any(row.get(key) is not None for row in kept):
            place.plotly_chart(rounds.curve(kept, key, title=title), key=f"live_{key}")


def show_moves(rows: rounds.Rows, *, key: str) -> None:
    """Patients moved in each round, or that none was."""
    if any(row.get("moves") for row in rows if row.get("round")):
        st.plotly_chart(rounds.moves(rows), key=key)
    else:
        st.caption("No patient moved.")


def _fraction(now: Progress, row: RunRow | None) -> float:
    """How much of the time is over, by this machine's last runs: the bar moves in every phase."""
    if now.state == "queued" or now.began is None or row is None:
        return 0.0
    asked = row.asked
    cells = asked.n_patients * max(1, len(asked.choices.names("feature")))
    deep = asked.config.method in METHODS and METHODS[asked.config.method].deep
    expected = timing.expected_seconds(asked.config.method, cells, deep=deep)
    gone = time.time() - now.began
    # beyond the expected time the bar creeps on and never stands still
    return NEARLY * (gone / expected if gone < 0.8 * expected else 1 - 0.16 * expected / gone)


def _phase_text(now: Progress) -> str:
    if now.state == "queued":
        return "Waiting for another run to end"
    if now.stopping:
        return "Stopping"
    words = PHASE_WORDS.get(now.phase, plain(now.phase))
    if "round" in now.row and now.phase == "cluster" and now.step is not None:
        return f"{words}, round {now.step}"  # it ends when nobody moves, not at the limit
    if now.step is not None and now.of:
        words += f", {now.step} of {now.of}"
    if now.seconds_left:
        much = "at most" if now.phase in MAY_END_EARLY else "about"
        words += f", {much} {seconds_words(now.seconds_left)} left in this phase"
    return words


def show_ended(run_id: str) -> None:
    """What became of a run that ended without a result, and what can be done."""
    now = queue.progress(run_id)
    if not now.resumable:
        return
    words = {
        "stopped": f"Stopped before it was finished{_where(now)}.",
        "failed": "The run failed.",
    }
    st.warning(f"{words.get(now.state, '')} {plain(now.message)}".strip())
    with st.container(horizontal=True):
        if st.button("Resume", type="primary", key=f"resume_{run_id}"):
            queue.resume_run(run_id)
            st.rerun()
        if st.button("Discard", key=f"discard_{run_id}"):
            _confirm_discard(run_id)


def _where(now: Progress) -> str:
    """How far it came: (Finding subtypes, epoch 62 of 100)."""
    if now.phase not in PHASE_WORDS:
        return ""
    step = ""
    if now.step is not None and now.of:
        unit = next((u for u in rounds.UNITS if u in now.row), "step")
        step = f", {unit} {now.step} of {now.of}"
    return f" ({PHASE_WORDS[now.phase]}{step})"


@st.dialog("Discard this run?")
def _confirm_discard(run_id: str) -> None:
    row = next((r for r in runs.list_runs() if r.id == run_id), None)
    title = titles_of([row])[run_id] if row else "This run"
    st.markdown(f"**{plain(title)}**: what it has done so far will be removed from {machine()}.")
    with st.container(horizontal=True):
        if st.button("Discard", type="primary", key="confirm_discard"):
            queue.delete_run(run_id)
            if state.run_id() == run_id:
                state.close_run()
            st.rerun()
        if st.button("Cancel", key="cancel_discard"):
            st.rerun()
