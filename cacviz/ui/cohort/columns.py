"""Label, unit, kind and role of each column, to edit; and the same as a data dictionary."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from cacviz.engine.cohorts.choosing import with_kinds, with_labels, with_roles
from cacviz.engine.cohorts.describing import Facts, describe
from cacviz.engine.cohorts.dictionaries import Reading, read_dictionary, write_dictionary
from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import KINDS, ROLES, Choices, Cohort
from cacviz.jobs.reading import read_safely
from cacviz.ui.shell import state
from cacviz.ui.shell.text import plain
from cacviz.wording.cells import safe_csv
from cacviz.wording.choices import kind_words, role_words
from cacviz.wording.words import counted, some_of, verb

EDITED = ("label", "unit", "kind", "role")
FORMS = ["csv", "tsv", "xlsx", "parquet"]


def columns(cohort: Cohort) -> None:
    """The editor; an edit is stored at once, and the table keeps its place on screen."""
    row = state.row()
    if row is None:
        return
    table, key = _base(cohort, row.record.revision)
    st.data_editor(
        table,
        hide_index=True,
        disabled=[c for c in table.columns if c not in EDITED],
        column_config={
            "name": st.column_config.TextColumn("Column", pinned=True),
            "label": st.column_config.TextColumn("Label"),
            "unit": st.column_config.TextColumn("Unit"),
            "kind": st.column_config.SelectboxColumn(
                "Kind", options=KINDS, format_func=kind_words, required=True
            ),
            "role": st.column_config.SelectboxColumn(
                "Role", options=ROLES, format_func=role_words, required=True
            ),
            "missing": st.column_config.NumberColumn("Missing", format="percent"),
            "distinct": st.column_config.NumberColumn("Distinct values"),
            "values": st.column_config.TextColumn("Range or levels"),
        },
        key=key,
        on_change=_keep_edits,
        args=(key, list(table["name"])),
    )


def _base(cohort: Cohort, revision: int) -> tuple[pd.DataFrame, str]:
    """The table that the editor's edits lie upon: as it was when something else changed it last."""
    held = st.session_state.get("_editor")
    mine = st.session_state.get("_edited_to")
    if held is None or held[0] != state.cohort_id() or revision not in (held[1], mine):
        held = (state.cohort_id(), revision, describe(cohort, _facts()))
        st.session_state["_editor"] = held
    if revision == mine:
        return held[2], f"columns_{held[0]}_{held[1]}"
    return held[2], f"columns_{held[0]}_{held[1]}"


def _facts() -> Facts:
    """What was counted of the open cohort's columns in this session."""
    kept = st.session_state.get("_facts")
    if not kept or kept[0] != state.cohort_id():
        kept = (state.cohort_id(), {})
        st.session_state["_facts"] = kept
    return kept[1]


def _keep_edits(key: str, names: list[str]) -> None:
    """Store what was edited in the table: only what differs from what is stored."""
    edits: dict[int, dict[str, Any]] = st.session_state[key]["edited_rows"]
    wanted = {names[int(place)]: edit for place, edit in edits.items()}
    if state.change(lambda choices: _edited(choices, wanted)):
        row = state.row()
        st.session_state["_edited_to"] = row.record.revision if row else None
    else:
        st.session_state["_editor"] = None  # show again what is stored


def _edited(choices: Choices, wanted: dict[str, dict[str, Any]]) -> Choices:
    known = {c.name: c for c in choices.columns}
    labels = {
        n: (str(e.get("label", known[n].label) or ""), str(e.get("unit", known[n].unit) or ""))
        for n, e in wanted.items()
    }
    kinds = {n: e["kind"] for n, e in wanted.items() if "kind" in e and e["kind"] != known[n].kind}
    roles = {n: e["role"] for n, e in wanted.items() if "role" in e and e["role"] != known[n].role}
    choices = with_kinds(with_labels(choices, labels), kinds)
    return with_roles(choices, roles) if roles else choices


def dictionary(cohort: Cohort) -> None:
    """Read a data dictionary in, or write this cohort's out."""
    st.caption(
        "A table (CSV or Excel) with a row a column of the cohort: column, and any of label, unit, "
        "role, kind, levels (1 = male; 2 = female)."
    )
    left, right = st.columns(2, vertical_alignment="bottom")
    file = left.file_uploader("Read a data dictionary", type=FORMS, key="dictionary")
    right.download_button(
        "Write this cohort's dictionary",
        data=lambda: safe_csv(write_dictionary(cohort.choices)),
        file_name="dictionary.csv",
        mime="text/csv",
        on_click="ignore",
        key="write_dictionary",
    )
    if file is not None and st.session_state.get("_dictionary") != file.file_id:
        st.session_state["_dictionary"] = file.file_id
        _read(file.getvalue(), file.name, cohort)
    said = st.session_state.pop("_dictionary_said", None)
    if said:
        (st.success if said[0] else st.error)(plain(said[1]))


def _read(data: bytes, name: str, cohort: Cohort) -> None:
    try:
        found = read_dictionary(read_safely(data, name).frame, cohort.choices)
    except CohortError as error:
        st.session_state["_dictionary_said"] = (False, str(error))
        st.rerun()
    ok = state.change(lambda choices: found.choices)
    problem = "" if ok else state.take_problem()
    st.session_state["_dictionary_said"] = (ok, problem or _told(found))
    st.rerun()


def _told(found: Reading) -> str:
    n = len(found.known)
    words = f"{counted(n, 'column')} of this cohort {verb(n, 'is', 'are')} in the dictionary."
    if found.unknown:
        words += f" Not in the cohort: {some_of(found.unknown, 5)}."
    if found.odd:
        words += f" Not understood as a role: {some_of(found.odd, 5)}."
    return words
