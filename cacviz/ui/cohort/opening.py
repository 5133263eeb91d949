"""Opening cohorts: from an upload, a path on this machine, or a demo; nothing open is ever lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from cacviz.engine.cohorts.choosing import carried_over, first_choices
from cacviz.engine.cohorts.demo import DEMOS
from cacviz.engine.cohorts.making import cohort_of
from cacviz.engine.exceptions import CohortError
from cacviz.engine.series.recognising import Looked
from cacviz.engine.types import Choices, RunConfig, Table
from cacviz.jobs import queue, shipped
from cacviz.jobs.reading import look_safely, read_records_safely, read_safely
from cacviz.store import cohorts, runs
from cacviz.store.cohorts import CohortRow
from cacviz.store.wards import ward
from cacviz.ui.cohort import records
from cacviz.ui.shell import state
from cacviz.ui.shell.text import plain
from cacviz.wording.choices import used_words
from cacviz.wording.words import ago, counted

FORMS = ["csv", "tsv", "txt", "xlsx", "parquet", "gz", "zip"]
DEMO = "icu"
ALIKE = 0.8  # of a file's columns: then what was decided about another file is offered


def open_demo(name: str) -> None:
    """Open a demo cohort; it is made once, and keeps what was decided about it."""
    made = DEMOS[name].make()
    known = [r for r in cohorts.cohorts_of_table(made.table.digest) if r.name == made.name]
    if known:
        state.open_cohort(known[0].id)
    else:
        state.take_in(made)


def open_demo_run() -> None:
    """Open the newest run of the demo; where there is none the shipped one, or a fresh one."""
    open_demo(DEMO)
    cohort_id = state.cohort_id()
    assert cohort_id is not None
    rows = [r for r in runs.list_runs(cohort_id) if r.state in ("done", "running", "queued")]
    run_id = rows[0].id if rows else shipped.take_over(cohort_id)
    state.open_run(run_id or queue.start_run(cohort_id, RunConfig(), "Demo"))


def choose_source() -> None:
    """The three ways in; an error says what to do and leaves the open cohort as it is."""
    ways = {"Upload a file": _upload, "A path on this computer": _path, "An example": _examples}
    if ward() is not None:  # a path there may be another person's
        del ways["A path on this computer"]
    for tab, show in zip(st.tabs(list(ways)), ways.values(), strict=True):
        with tab:
            show()
    problem = st.session_state.pop("_unread", None)
    if problem:
        st.error(plain(problem))


def _examples() -> None:
    for name, item in DEMOS.items():
        left, right = st.columns([1, 4], vertical_alignment="center")
        if left.button("Open", key=f"demo_{name}", width="stretch"):
            open_demo(name)
            st.rerun()
        right.markdown(f"**{item.title}**  \n{item.description}")


def _missing_codes(key: str) -> list[str]:
    typed = st.text_input(
        "Codes for missing values, if your file has any",
        placeholder="for example -1, 999, Length_of_stay=-1",
        help="Empty cells, NA, N/A, NaN, null, ? and . always count as missing.",
        key=key,
    )
    return [code.strip() for code in typed.split(",") if code.strip()]


def _upload() -> None:
    missing = _missing_codes("missing_upload")
    file = st.file_uploader(
        "One row per patient or stay, or hourly records; up to 200 MB", type=FORMS, key="upload"
    )
    if file is None:
        return
    sheet = _chosen_sheet(file.file_id)
    asked = (file.file_id, tuple(missing), sheet)
    if st.session_state.get("_read") != asked:
        st.session_state["_read"] = asked
        _read(file.getvalue(), file.name, missing, sheet, file.file_id)
    _records(file.getvalue, file.name, missing, sheet, file.file_id)


def _path() -> None:
    missing = _missing_codes("missing_path")
    typed = st.text_input("Path", placeholder="a file or folder on this computer", key="path")
    path = _at_home(Path(typed))
    sheet = _chosen_sheet(str(path))
    if st.button("Open", key="open_path", disabled=not typed):
        _read(path, path.name, missing, sheet, str(path))
    if typed:
        _records(lambda: path, path.name, missing, sheet, str(path))


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
    """Open the file's cohort; of a file that seems to hold records, ask how to read it first."""
    try:
        with st.spinner("Reading the file …"):
            found = look_safely(source, name, missing=missing, sheet=sheet)
            seems = isinstance(found, Looked)
            st.session_state["_looked"] = (place, found) if seems else None
            if isinstance(found, Table):
                _opened(found, name, sheet, place)
    except CohortError as error:
        st.session_state["_unread"] = str(error)
        return
    st.rerun()


def _opened(table: Table, name: str, sheet: str, place: str) -> None:
    if not sheet:
        st.session_state["_sheets"] = (place, table.sheets)
    _take_in(table, name)


def _records(
    source: Callable[[], Path | bytes], name: str, missing: list[str], sheet: str, place: str
) -> None:
    """Ask how a file of records shall be read, and read it; a press on Stop ends that."""
    held = st.session_state.get("_looked")
    if not held or held[0] != place:
        return
    chosen = records.offer(held[1], place, missing)
    if chosen is None:
        return
    shown = st.empty()
    st.button("Stop", key="stop_reading")  # any press interrupts, and the child ends with us
    try:
        if chosen.what == "table":
            with shown, st.spinner("Reading the file …"):
                table = read_safely(source(), name, missing=missing, sheet=sheet)
        else:
            table = read_records_safely(source(), name, chosen.asked, records.progress(shown))
        _opened(table, name, sheet, place)
    except CohortError as error:
        st.session_state["_unread"] = str(error)
        return
    st.rerun()


def _take_in(table: Table, name: str) -> None:
    """Open the cohort that was made of this very file before, or a new one."""
    same = [r for r in cohorts.cohorts_of_table(table.digest) if not r.choices.subset]
    if same:
        state.open_cohort(same[0].id)
        st.session_state["_again"] = (same[0].id, table, name)
        return
    st.session_state["_again"] = None
    state.take_in(cohort_of(name, table, first_choices(table.columns)))
    st.session_state["_alike"] = state.cohort_id()


def offer_again() -> None:
    """The same file once more: its cohort is open with all that was decided; or start afresh."""
    again = st.session_state.get("_again")
    if not again or again[0] != state.cohort_id():
        return
    row = state.row()
    if row is None:
        return
    n = len(runs.list_runs(row.id))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(
            f"You opened this file before ({ago(row.created)}, {counted(n, 'run')}). What you "
            "decided then stands.",
            icon=":material/history:",
        )
        if st.button("Start afresh with this file", key="afresh"):
            _, table, name = again
            st.session_state["_again"] = None
            state.take_in(cohort_of(name, table, first_choices(table.columns)))
            st.rerun()


def offer_alike() -> None:
    """A new file with the columns of an earlier one: take over what was decided about that."""
    row = state.row()
    if row is None or st.session_state.get("_alike") != row.id or row.record.steps:
        return
    other = _alike(row)
    if other is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(
            f"{plain(other.name)} has nearly the same columns. There you decided: "
            f"{plain(used_words(other.choices, other.classes))}.",
            icon=":material/content_copy:",
        )
        if st.button("Decide the same here", key="carry_over"):
            earlier: Choices = other.choices
            state.change(lambda choices: carried_over(choices, earlier))
            st.rerun()


def _alike(row: CohortRow) -> CohortRow | None:
    names = {c.name for c in row.choices.columns}
    for other in cohorts.list_cohorts():
        theirs = {c.name for c in other.choices.columns}
        shared = len(names & theirs) / max(len(names | theirs), 1)
        if other.id != row.id and other.outcome is not None and shared >= ALIKE:
            return other
    return None
