"""Opening cohorts: from an upload, a path on this machine, or a demo; nothing open is ever lost."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from cacviz import runs
from cacviz.engine.cohorts import first_columns, make_cohort
from cacviz.engine.demo import DEMOS
from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading import Table
from cacviz.engine.types import RunConfig
from cacviz.runs import shipped
from cacviz.runs.intake import read_safely
from cacviz.ui import state
from cacviz.ui.text import plain

FORMS = ["csv", "tsv", "txt", "xlsx", "parquet", "gz"]
DEMO = "icu"


def open_demo(name: str) -> None:
    """Make a demo cohort and open it."""
    state.take_in(DEMOS[name].make())


def open_demo_run() -> None:
    """Open the newest run of the demo; where there is none the shipped one, or a fresh one."""
    open_demo(DEMO)
    cohort_id = state.current_cohort_id()
    assert cohort_id is not None
    rows = [r for r in runs.list_runs(cohort_id) if r.state in ("done", "running", "queued")]
    run_id = rows[0].id if rows else shipped.take_over(cohort_id)
    state.open_run(run_id or runs.start_run(cohort_id, RunConfig(), "Demo"))


def choose_source() -> None:
    """The three ways in; an error says what to do and leaves the open cohort as it is."""
    upload, path, demo = st.tabs(["Upload a file", "A path on this computer", "An example"])
    with upload:
        _upload()
    with path:
        _path()
    with demo:
        for name, item in DEMOS.items():
            left, right = st.columns([1, 4], vertical_alignment="center")
            if left.button("Open", key=f"demo_{name}", width="stretch"):
                open_demo(name)
                st.rerun()
            right.markdown(f"**{item.title}**  \n{item.description}")
    problem = st.session_state.pop("_problem", None)
    if problem:
        st.error(plain(problem))


def _missing_codes(key: str) -> list[str]:
    typed = st.text_input(
        "Codes for missing values in your file",
        placeholder="for example -1, 999, Length_of_stay=-1",
        help="Empty cells, NA, N/A, NaN, null, ? and . always count as missing.",
        key=key,
    )
    return [code.strip() for code in typed.split(",") if code.strip()]


def _upload() -> None:
    missing = _missing_codes("missing_upload")
    file = st.file_uploader("One row per patient or stay; up to 200 MB", type=FORMS, key="upload")
    if file is None:
        return
    sheet = _chosen_sheet(file.file_id)
    asked = (file.file_id, tuple(missing), sheet)
    if st.session_state.get("_read") != asked:
        st.session_state["_read"] = asked
        _read(file.getvalue(), file.name, missing, sheet, file.file_id)


def _path() -> None:
    missing = _missing_codes("missing_path")
    typed = st.text_input("Path", placeholder="a file on this computer", key="path")
    path = _at_home(Path(typed))
    sheet = _chosen_sheet(str(path))
    if st.button("Open", key="open_path", disabled=not typed):
        _read(path, path.name, missing, sheet, str(path))


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:  # the home of somebody who is not known here: no such file
        return path


def _chosen_sheet(place: str) -> str:
    """The sheet to read of a spreadsheet that has several; empty for the one read by itself."""
    held, sheets = st.session_state.get("_sheets", ("", ()))
    if held != place or len(sheets) < 2:
        return ""
    chosen = st.selectbox("Sheet", sheets, key=f"sheet_{place}")
    return "" if chosen == sheets[0] else chosen


def _read(source: Path | bytes, name: str, missing: list[str], sheet: str, place: str) -> None:
    try:
        with st.spinner("Reading the file …"):
            table = read_safely(source, name, missing=missing, sheet=sheet)
            if not sheet:
                st.session_state["_sheets"] = (place, table.sheets)
            _keep(table, name)
    except CohortError as error:
        st.session_state["_problem"] = str(error)
        return
    st.rerun()


def _keep(table: Table, name: str) -> None:
    cohort = make_cohort(name, table.frame, first_columns(table), None)
    state.take_in(cohort, table.notes)
