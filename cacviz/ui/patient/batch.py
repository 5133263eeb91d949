"""A file of patients in, a table of subtypes, margins, risks and warnings out."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import Cohort, Note, Series, Table, Window
from cacviz.jobs.reading import RecordsAsked, look_safely, read_records_safely, read_safely
from cacviz.store.risk_choices import read_choices
from cacviz.store.runs import StoredRun
from cacviz.ui.patient import asking
from cacviz.ui.shell.downloads import safe_csv
from cacviz.ui.shell.text import machine, plain
from cacviz.wording.applied import patient_words, sentence
from cacviz.wording.patient import FILE_LEAD, RECORDS_LEAD
from cacviz.wording.series import flow_sentences, record_sentence
from cacviz.wording.words import counted

FORMS = ["csv", "tsv", "txt", "xlsx", "parquet", "gz"]
SHOWN = 200  # rows on screen; the file has all


def show(run: StoredRun, cohort: Cohort) -> None:
    """Upload, predict, look, save."""
    hours = cohort.series is not None
    st.markdown((RECORDS_LEAD if hours else FILE_LEAD).format(machine=machine()))
    forms = [*FORMS, "zip"] if hours else FORMS
    file = st.file_uploader("Patients", type=forms, key=f"batch_{run.id}")
    if file is None:
        return
    asked = (file.file_id, run.id, read_choices(run.id).recalibrated)
    held = st.session_state.get("_batch")
    if not held or held[0] != asked:
        try:
            with st.spinner("Reading and predicting …"):
                held = (asked, *_predicted(run, cohort, file.getvalue(), file.name))
        except CohortError as error:
            st.error(plain(error))
            return
        st.session_state["_batch"] = held
    if read_choices(run.id).recalibrated:
        st.caption("Risks are recalibrated, as chosen on the page Performance.")
    _result(*held[1:])


def _read(run: StoredRun, series: Series | None, data: bytes, name: str) -> Table:
    """A row a patient; or, where the run's patients have them too, records of the same window."""
    columns = run.asked.choices.columns
    codes = tuple(f"{c.name}={code}" for c in columns for code in c.missing)
    if series is None:
        return read_safely(data, name, missing=codes)
    looked = look_safely(data, name, missing=codes)
    if isinstance(looked, Table):
        return looked
    window, variables = Window(series.n_hours), series.variables
    asked = RecordsAsked(looked.layout, window, variables=variables)
    return read_records_safely(data, name, asked)


def _predicted(
    run: StoredRun, cohort: Cohort, data: bytes, name: str
) -> tuple[pd.DataFrame, Sequence[str], Sequence[Note]]:
    table = _read(run, cohort.series, data, name)
    frame, flow = table.frame, table.flow
    found, notes, id_name = asking.batch(run.id, table)
    ids = frame[id_name].to_numpy() if id_name else range(1, len(frame) + 1)
    risks = {f"risk_{c}": found[f"risk_{i}"] for i, c in enumerate(run.asked.classes)}
    said = [
        patient_words(r.cluster, r.second, r.margin, r.blank, _names(r.flagged), r.outside)
        for r in found.itertuples()
    ]
    made = {id_name or "row": ids, "subtype": found["cluster"] + 1, "margin": found["margin"]}
    read = () if flow is None else (*flow_sentences(flow), *map(record_sentence, flow.notes))
    return pd.DataFrame({**made, **risks, "warnings": said}), read, notes


def _names(flagged: str) -> list[str]:
    return flagged.split("\x1f") if flagged else []


def _result(table: pd.DataFrame, read: Sequence[str], notes: Sequence[Note]) -> None:
    for told in read:
        st.caption(plain(told))
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
        on_click="ignore",
        key="save_batch",
    )
