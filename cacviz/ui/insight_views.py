"""What is known of a run beyond its result: loaded once, waited for, named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from cacviz.engine.notes import subtype_name
from cacviz.runs import StoredRun
from cacviz.runs import insights as stored
from cacviz.ui.layout import line
from cacviz.ui.state import still_there
from cacviz.ui.text import plain

PARTS = {
    "described": "the profiles",
    "silhouettes": "the separation scores",
    "students": "the simplified explainers",
    "map": "the patient map",
}


def part(run: StoredRun, name: str) -> Any:
    """One part of the run's insights, or None where it is not there; read once a session."""
    held = st.session_state.setdefault("_insights", {})
    if held.get("run") != run.id:
        held.clear()
        held["run"] = run.id
    if name not in held:
        found = stored.load_part(run.id, name)
        if found is None:
            return None
        held[name] = found
    return held[name]


def part_or_word(run: StoredRun, name: str) -> Any:
    """The part; where it is not there, a word, and None. `status` says why, once a page."""
    found = part(run, name)
    if found is None:
        ready = stored.part_states(run.id)[name] == "ready"
        st.caption(
            "With one subtype there is nothing to compare."
            if ready
            else f"Here will be {PARTS[name]}."
        )
    return found


def status(run: StoredRun) -> None:
    """What of the run's insights is still coming, failed or missing, and what can be done."""
    states = stored.part_states(run.id)
    for name, state in states.items():
        if state == "failed":
            st.warning(plain(stored.failure(run.id, name)))
    if "coming" in states.values():
        _wait(run.id, states)
        return
    gone = [PARTS[name] for name, state in states.items() if state != "ready"]
    if gone:
        words, button = line("complete", [5, 1])
        words.info(f"Not computed for this run: {', '.join(gone)}.", icon=":material/info:")
        if button.button("Compute now", key="complete", width="stretch"):
            stored.complete(run.id)
            st.rerun()


@st.fragment(run_every=1.0)
def _wait(run_id: str, before: Mapping[str, str]) -> None:
    states = still_there(stored.part_states, run_id)
    if states != before:
        st.rerun(scope="app")
    coming = [PARTS[name] for name, state in states.items() if state == "coming"]
    words = f"Still to come: {', '.join(coming)}. The first map on a machine takes about a minute."
    st.info(words, icon=":material/hourglass_top:")


def names(run: StoredRun) -> list[str]:
    """What the subtypes of the run are called, everywhere."""
    described = part(run, "described")
    suggested = described.names if described else ()
    return list(stored.subtype_names(run.id, len(run.summary.clusters), suggested))


def edit_names(run: StoredRun) -> None:
    """One field a subtype; an empty one brings the suggestion back."""
    with st.expander("Name the subtypes"):
        st.caption("Suggested from what sets each apart most. Clear a field to get that back.")
        shown = names(run)
        for cluster in range(len(shown)):
            _name_field(run, cluster, shown)


def _name_field(run: StoredRun, cluster: int, shown: Sequence[str]) -> None:
    key = f"name_{run.id}_{cluster}"
    set_to = f"_{key}"  # what the field was last set to: a name may come or change elsewhere
    if key not in st.session_state or st.session_state.get(set_to) != shown[cluster]:
        st.session_state[key] = st.session_state[set_to] = shown[cluster]
    label, args = subtype_name(cluster), (run.id, cluster, shown)
    said = st.text_input(label, key=key, max_chars=60, on_change=_rename, args=args)
    same = _namesake(said or "", cluster, shown)
    if same is not None:
        st.error(f"{subtype_name(same)} has this name already. Choose another one.")


def _rename(run_id: str, cluster: int, shown: Sequence[str]) -> None:
    """Keep what was typed; only a person's change of the field comes here."""
    key = f"name_{run_id}_{cluster}"
    said = st.session_state[key]
    if _namesake(said, cluster, shown) is None:
        stored.rename_subtype(run_id, cluster, said)
        st.session_state.pop(f"_{key}", None)  # the field is set to what came of it


def _namesake(said: str, cluster: int, shown: Sequence[str]) -> int | None:
    """Another subtype that has this name."""
    others = (j for j, name in enumerate(shown) if j != cluster and _bare(name) == _bare(said))
    return next(others, None)


def _bare(name: str) -> str:
    return " ".join(name.split()).casefold()
