"""What is known of a run beyond its result: loaded once, waited for, named."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cacviz.runs import StoredRun
from cacviz.runs import insights as stored
from cacviz.ui.text import plain

COMING = {
    "described": "The profiles are being computed; a few seconds.",
    "silhouettes": "The separation scores are being computed; a few seconds.",
    "students": "The simplified explainers are being fitted; usually within half a minute.",
    "map": "The patient map is being drawn; the first one on a machine takes about a minute.",
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
    """The part; where it is not there, a word why and what can be done, and None."""
    found = part(run, name)
    if found is not None:
        return found
    state = stored.part_states(run.id)[name]
    if state == "coming":
        _wait(run.id, name)
    elif state == "failed":
        st.warning(plain(stored.failure(run.id, name)))
    elif state == "missing":
        st.info("This part was not computed: the worker was ended before it came to it.")
        if st.button("Compute it now", key=f"complete_{name}"):
            stored.complete(run.id)
            st.rerun()
    else:
        st.caption("With one subtype there is nothing to compare.")
    return None


@st.fragment(run_every=1.0)
def _wait(run_id: str, name: str) -> None:
    if stored.part_states(run_id)[name] != "coming":
        st.rerun(scope="app")
    st.info(COMING[name], icon=":material/hourglass_top:")


def names(run: StoredRun) -> list[str]:
    """What the subtypes of the run are called, everywhere."""
    described = part(run, "described")
    suggested = described.names if described else ()
    return list(stored.subtype_names(run.id, len(run.summary.clusters), suggested))


def edit_names(run: StoredRun) -> None:
    """One field a subtype; an empty one brings the suggestion back."""
    with st.expander("Name the subtypes"):
        st.caption("Suggested from what sets each apart most. Clear a field to get that back.")
        for cluster, name in enumerate(names(run)):
            key = f"name_{run.id}_{cluster}"
            said = st.text_input(f"Subtype {cluster + 1}", name, key=key, max_chars=60)
            if said != name:
                stored.rename_subtype(run.id, cluster, said)
                st.session_state.pop(key, None)
                st.rerun()
