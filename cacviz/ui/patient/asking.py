"""Questions about patients to the helper process; answers stay in this window."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from cacviz.engine.insights.single.types import Prediction, WhatIf, Why
from cacviz.engine.types import Note, Table
from cacviz.jobs.patients import HOURS
from cacviz.store import atomic, paths
from cacviz.store.records import from_plain
from cacviz.store.risk_choices import read_choices
from cacviz.store.series import pack_series
from cacviz.ui.shell.quick import helper

Values = dict[str, Any]


def warm(run_id: str) -> None:
    """Have the run loaded while the form is filled in."""
    if st.session_state.get("_warm") != run_id:
        st.session_state["_warm"] = run_id
        helper().ask_later("warm", run_id=run_id)


def _ask(kind: str, run_id: str, values: Values, **more: Any) -> Any:
    """The last answer of a kind, asked for anew where the question is another."""
    recalibrated = read_choices(run_id).recalibrated
    key = json.dumps([run_id, recalibrated, values, more], sort_keys=True)
    held = st.session_state.get(f"_answer_{kind}")
    if held is None or held[0] != key:
        held = (key, helper().ask(kind, run_id=run_id, values=values, **more))
        st.session_state[f"_answer_{kind}"] = held
    return held[1]


def predict(run_id: str, values: Values, row: int | None = None) -> Prediction:
    """`row` is of a patient of the cohort, for runs that read its hours."""
    about = {} if row is None else {"row": row}
    return from_plain(Prediction, _ask("patient", run_id, values, **about))


def why(run_id: str, values: Values, cluster: int, code: int) -> Why | None:
    found = _ask("why", run_id, values, cluster=cluster, code=code)
    return None if found is None else from_plain(Why, found)


def what_if(run_id: str, values: Values, column: str) -> WhatIf:
    return from_plain(WhatIf, _ask("what_if", run_id, values, column=column))


def batch(run_id: str, table: Table) -> tuple[pd.DataFrame, tuple[Note, ...], str | None]:
    """Predictions of a table, what to know of it, and its id column; nothing is left on disk."""
    with atomic.scratch(paths.data_dir()) as folder:
        source, target = folder / "patients", folder / "predicted"
        table.frame.to_feather(source)
        if table.series is not None:
            Path(f"{source}{HOURS}").write_bytes(pack_series(table.series))
        said = helper().ask("batch", run_id=run_id, source=str(source), target=str(target))
        found = pd.read_feather(target)
    return found, from_plain(tuple[Note, ...], said["notes"]), said["id"]
