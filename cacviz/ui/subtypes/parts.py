"""What is known of a run beyond its result: loaded once, waited for, named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from cacviz.engine.insights.relabelling import relabelled
from cacviz.engine.types import Cohort
from cacviz.jobs import queue
from cacviz.store import insights
from cacviz.store.runs import StoredRun
from cacviz.ui.shell.layout import line
from cacviz.ui.shell.state import still_there
from cacviz.ui.shell.text import plain
from cacviz.wording.bundles import NO_PATIENTS
from cacviz.wording.words import subtype_name, subtype_title

MOST_NAMED = 4  # subtypes whose names have room at an axis
PARTS = {
    "described": "the profiles",
    "performance": "how good the risks are",
    "silhouettes": "the separation scores",
    "students": "the simplified explainers",
    "bedside": "the bedside rule",
    "theorems": "the bounds of the theorems",
    "treatment": "the treatment effects",
    "map": "the patient map",
}


def part(run: StoredRun, name: str, cohort: Cohort | None = None) -> Any:
    """One part of the run's insights, or None where it is not there; read once a session.

    With `cohort`, columns are called what they are called today.
    """
    held = st.session_state.setdefault("_insights", {})
    if held.get("run") != run.id:
        held.clear()
        held["run"] = run.id
    if name not in held:
        found = insights.load_part(run.id, name)
        if found is None:
            return None
        held[name] = found
    return held[name] if cohort is None else relabelled(held[name], cohort.columns)


def forget(name: str) -> None:
    """Read this part anew: it was made again."""
    st.session_state.get("_insights", {}).pop(name, None)


def part_or_word(run: StoredRun, name: str, cohort: Cohort | None = None) -> Any:
    """The part; where it is not there, a word, and None. `status` says why, once a page."""
    found = part(run, name, cohort)
    if found is None and run.without_patients:
        st.caption(f"Not without the patients: {PARTS.get(name, name)}.")
    elif found is None:
        ready = insights.part_states(run.id)[name] == "ready"
        st.caption(
            "With one subtype there is nothing to compare."
            if ready
            else f"Here will be {PARTS.get(name, name)}."
        )
    return found


def status(run: StoredRun) -> None:
    """What of the run's insights is still coming, failed or missing, and what can be done."""
    if run.without_patients:
        st.info(NO_PATIENTS, icon=":material/person_off:")
        return
    states = insights.part_states(run.id)
    for name, state in states.items():
        if state == "failed":
            st.warning(plain(insights.failure(run.id, name)))
    if "coming" in states.values():
        silent = () if run.asked.choices.names("treatment") else ("treatment",)
        _wait(run.id, states, silent)
        return
    gone = [PARTS.get(name, name) for name, state in states.items() if state != "ready"]
    if gone:
        words, button = line("complete", [5, 1])
        words.info(f"Not computed for this run: {', '.join(gone)}.", icon=":material/info:")
        if button.button("Compute now", key="complete", width="stretch"):
            queue.complete(run.id)
            st.rerun()


@st.fragment(run_every=1.0)
def _wait(run_id: str, before: Mapping[str, str], silent: Sequence[str]) -> None:
    """What is still coming; of `silent` parts nobody waits, for they have nothing to show."""
    queue.tend()
    states = still_there(insights.part_states, run_id)
    if states != before:
        st.rerun(scope="app")
    awaited = {name: state for name, state in states.items() if name not in silent}
    coming = [PARTS.get(name, name) for name, state in awaited.items() if state == "coming"]
    if not coming:
        return
    words = f"Still to come: {', '.join(coming)}. The first map on a machine takes about a minute."
    st.info(words, icon=":material/hourglass_top:")


def names(run: StoredRun) -> list[str]:
    """What the subtypes of the run are called, beside their numbers."""
    described = part(run, "described")
    suggested = described.names if described else ()
    return list(insights.subtype_names(run.id, len(run.summary.clusters), suggested))


def titles(run: StoredRun) -> list[str]:
    """Number and name of each subtype, alike in every chart, legend and table."""
    return [subtype_title(j, name) for j, name in enumerate(names(run))]


def axis_titles(titles: Sequence[str], shown: Sequence[int]) -> list[str]:
    """What stands at an axis: of many subtypes the numbers alone, for names would overlap.

    The strip above the charts has number, colour and name of each.
    """
    if len(shown) <= MOST_NAMED:
        return list(titles)
    return [subtype_name(j) for j in range(len(titles))]


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
        insights.rename_subtype(run_id, cluster, said)
        st.session_state.pop(f"_{key}", None)  # the field is set to what came of it


def _namesake(said: str, cluster: int, shown: Sequence[str]) -> int | None:
    """Another subtype that has this name."""
    wanted = _bare(said)
    others = (j for j, name in enumerate(shown) if j != cluster and _bare(name) == wanted)
    return next(others, None) if wanted else None


def _bare(name: str) -> str:
    return " ".join(name.split()).casefold()
