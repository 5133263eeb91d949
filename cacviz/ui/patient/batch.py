"""A file of patients in, a table of subtypes, margins, risks and warnings out."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Note
from cacviz.jobs.reading import read_safely
from cacviz.store.risk_choices import read_choices
from cacviz.store.runs import StoredRun
from cacviz.ui.patient import asking
from cacviz.ui.shell.downloads import safe_csv
from cacviz.ui.shell.text import plain
from cacviz.wording.applied import patient_words, sentence
from cacviz.wording.patient import FILE_LEAD
from cacviz.wording.words import counted

FORMS = ["csv", "tsv", "txt", "xlsx", "parquet", "gz"]
SHOWN = 200  # rows on screen; the file has all


def show(run: StoredRun) -> None:
    """Upload, predict, look, save."""
    st.markdown(FILE_LEAD)
    file = st.file_uploader("Patients", type=FORMS, key=f"batch_{run.id}")
    if file is None:
        return
    asked = (file.file_id, run.id, read_choices(run.id).recalibrated)
    held = st.session_state.get("_batch")
    if not held or held[0] != asked:
        try:
            with st.spinner("Reading and predicting …"):
                held = (asked, *_predicted(run, file.getvalue(), file.name))
        except CohortError as error:
            st.error(plain(error))
            return
        st.session_state["_batch"] = held
    if read_choices(run.id).recalibrated:
        st.caption("Risks are recalibrated, as chosen on the page Performance.")
    _result(held[1], held[2])


def _predicted(run: StoredRun, data: bytes, name: str) -> tuple[pd.DataFrame, Sequence[Note]]:
    columns = run.asked.choices.columns
    codes = [f"{c.name}={code}" for c in columns for code in c.missing]
    frame = read_safely(data, name, missing=codes).frame
    found, notes, id_name = asking.batch(run.id, frame)
    ids = frame[id_name].to_numpy() if id_name else range(1, len(frame) + 1)
    risks = {f"risk_{c}": found[f"risk_{i}"] for i, c in enumerate(run.asked.classes)}
    said = [
        patient_words(r.cluster, r.second, r.margin, r.blank, _names(r.flagged), r.outside)
        for r in found.itertuples()
    ]
    made = {id_name or "row": ids, "subtype": found["cluster"] + 1, "margin": found["margin"]}
    return pd.DataFrame({**made, **risks, "warnings": said}), notes


def _names(flagged: str) -> list[str]:
    return flagged.split("\x1f") if flagged else []


def _result(table: pd.DataFrame, notes: Sequence[Note]) -> None:
    for note in notes:
        show_note = st.error if note.severity == "grave" else st.caption
        show_note(plain(sentence(note)))
    counts = table["subtype"].value_counts().sort_index()
    told = ", ".join(f"Subtype {j}: {n:,}" for j, n in counts.items())
    st.markdown(f"**{counted(len(table), 'patient')}** — {told}")
    st.dataframe(table.head(SHOWN), hide_index=True)
    if len(table) > SHOWN:
        st.caption(f"The first {SHOWN} of {len(table):,}; the file has all.")
    st.download_button(
        "Predictions as CSV",
        data=lambda: safe_csv(table),
        file_name="predicted.csv",
        mime="text/csv",
        icon=":material/download:",
        key="save_batch",
    )
