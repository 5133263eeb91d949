"""A file of hourly records: which column is what, the window, a table to join, and the reading."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, cast

import streamlit as st

from cacviz.engine.series.recognising import Looked
from cacviz.engine.series.windows import MAX_HOURS
from cacviz.engine.types import Layout, RecordForm, TimeUnit, Window
from cacviz.jobs.reading import PHASES, RecordsAsked
from cacviz.ui.shell.layout import beside
from cacviz.ui.shell.text import plain
from cacviz.wording.series import looked_sentence, phase_words

FORMS = {"long": "One measurement a row (long)", "wide": "One hour a row (wide)"}
UNITS = {"": "Told from the file", "hours": "Hours", "minutes": "Minutes", "days": "Days"}
UNITS["seconds"] = "Seconds"
WINDOWS = {24: "First 24 hours", 48: "First 48 hours", 0: "Another number of hours"}
TABLES = ["csv", "tsv", "txt", "xlsx", "parquet", "gz"]
Wanted = Literal["records", "table"]


class Chosen(NamedTuple):
    """What was pressed, and how the records shall be read."""

    what: Wanted
    asked: RecordsAsked


def offer(looked: Looked, place: str, missing: list[str]) -> Chosen | None:
    """Say what the file seems to be and ask how to read it; None until something is pressed."""
    mark = hashlib.sha256(place.encode()).hexdigest()[:8]
    with st.container(border=True):
        st.info(plain(looked_sentence(looked)), icon=":material/timeline:")
        layout = Layout() if looked.archive else _layout(looked, mark)
        hours = _window(mark)
        static, static_id = _static(mark)
        asked = RecordsAsked(
            layout,
            Window(hours),
            static.getvalue() if static else None,
            static.name if static else "",
            static_id,
            tuple(missing),
        )
        with st.container(horizontal=True):
            if st.button("Read the records", type="primary", key=f"records_read_{mark}"):
                return Chosen("records", asked)
            if not looked.archive and st.button(
                "Open as an ordinary table", key=f"records_table_{mark}"
            ):
                return Chosen("table", asked)
    return None


def _layout(looked: Looked, mark: str) -> Layout:
    """Which column is what, as the names tell it until somebody says otherwise."""
    told = looked.layout
    form = st.radio(
        "Rows",
        list(FORMS),
        list(FORMS).index("long" if told.form == "long" else "wide"),
        format_func=FORMS.__getitem__,
        horizontal=True,
        key=f"records_form_{mark}",
    )
    columns = beside("records", 4 if form == "long" else 2)
    held = {"Patient id": told.id, "Time": told.time}
    if form == "long":
        held |= {"Variable": told.variable, "Value": told.value}
    chosen = [
        _column(column, label, looked.header, name, mark)
        for column, (label, name) in zip(columns, held.items(), strict=True)
    ]
    unit = columns[1].selectbox(
        "Unit of plain numbers in it",
        list(UNITS),
        format_func=UNITS.__getitem__,
        help="Dates and clocks (07:30) need none. Without a word, the column's name tells it; else "
        "numbers are hours, and a note says so.",
        key=f"records_unit_{mark}",
    )
    patient, time, variable, value = [*chosen, "", ""][:4]
    return Layout(
        patient, time, variable, value, form=cast(RecordForm, form), unit=cast(TimeUnit, unit)
    )


def _column(place: Any, label: str, header: tuple[str, ...], told: str, mark: str) -> str:
    return (
        place.selectbox(
            label,
            header,
            header.index(told) if told in header else None,
            placeholder="Choose a column",
            format_func=lambda name: name,
            key=f"records_{label}_{mark}",
        )
        or ""
    )


def _window(mark: str) -> int:
    """Features come from these hours alone."""
    chosen = st.radio(
        "Window",
        list(WINDOWS),
        format_func=WINDOWS.__getitem__,
        horizontal=True,
        help="Features come from these hours alone. Whoever met the outcome within them, or has "
        "too few hours, is left out and counted.",
        key=f"records_window_{mark}",
    )
    if chosen:
        return int(chosen)
    return int(st.number_input("Hours", 1, MAX_HOURS, 12, key=f"records_hours_{mark}"))


def _static(mark: str) -> tuple[Any, str]:
    """A table with a row a patient, joined by id; it may hold the outcome."""
    static = st.file_uploader(
        "A table to join by patient id, one row a patient (it may hold the outcome); optional",
        type=TABLES,
        key=f"records_static_{mark}",
    )
    if static is None:
        return None, ""
    typed = st.text_input(
        "The column with the patient id in it",
        placeholder="found by its name",
        key=f"records_static_id_{mark}",
    )
    return static, typed.strip()


def progress(place: Any) -> Callable[[str], object]:
    """Shows how far a reading is; each call is a chance for the page to be interrupted."""

    def show(phase: str) -> None:
        step = PHASES.index(phase) if phase in PHASES else 0
        place.progress((step + 0.5) / len(PHASES), text=f"{phase_words(phase)} …")

    return show
