"""The parts of the page Report: what goes into it, how far it is, and the files."""

from __future__ import annotations

from functools import partial

import streamlit as st

from cacviz.jobs import handover, queue
from cacviz.store import atomic, reports
from cacviz.store.paths import kept_here
from cacviz.store.preferences import change_preferences, read_preferences
from cacviz.store.reports import Handover
from cacviz.store.runs import StoredRun
from cacviz.store.states import Progress
from cacviz.ui.shell import bound
from cacviz.ui.shell.downloads import HIDE_HELP
from cacviz.ui.shell.state import still_there
from cacviz.ui.shell.text import PHASE_WORDS, plain
from cacviz.wording import bundles, documents
from cacviz.wording.bundles import size_words
from cacviz.wording.sections import SECTION_TITLES

FIRST = ("html", "docx")
MIMES = {
    "html": "text/html",
    "pdf": "application/pdf",
    "zip": "application/zip",
    "py": "text/x-python",
    "ipynb": "application/x-ipynb+json",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


def choose(run: StoredRun) -> Handover | None:
    """Documents, sections and their order, and whether small counts show; kept in the store."""
    wanted = _documents(run)
    sections = _sections()
    hide = read_preferences().hide_in_files
    bound.toggle(
        st,
        documents.SMALL,
        hide,
        lambda _, said: change_preferences(hide_in_files=said),
        "report_hide",
        help=HIDE_HELP,
    )
    if "run_patients" in wanted:
        st.warning(bundles.WITH, icon=":material/person_alert:")
    if not wanted:
        st.caption(documents.EMPTY)
        return None
    return Handover(tuple(wanted), tuple(sections), hide)


def _documents(run: StoredRun) -> list[str]:
    """What was asked for last, unless something else is picked; kept with the run."""
    options = [n for n in documents.DOCUMENTS if not (run.without_patients and n == "run_patients")]
    stored = reports.read_wanted(run.id) or FIRST
    bound.multiselect(
        st,
        "Documents",
        options,
        stored,
        lambda _, said: reports.change_wanted(run.id, said),
        f"report_documents_{run.id}",
        format_func=documents.document_title,
    )
    picked: list[str] = st.session_state[f"report_documents_{run.id}"]
    for name in picked:
        st.caption(f"**{documents.document_title(name)}.** {documents.document_help(name)}")
    if {"run", "run_patients"} <= set(picked):
        return [n for n in picked if n != "run"]
    return picked


def _sections() -> list[str]:
    stored = reports.read_sections() or tuple(SECTION_TITLES)
    with st.expander(f"Sections of the report ({len(stored)} of {len(SECTION_TITLES)})"):
        st.caption(
            "They stand in the order shown. Take one out and pick it again to move it to the end."
        )
        bound.multiselect(
            st,
            "Sections",
            list(SECTION_TITLES),
            stored,
            lambda _, said: reports.change_sections(said),
            "report_sections",
            format_func=SECTION_TITLES.__getitem__,
        )
        st.button("All, in the usual order", on_click=reports.change_sections, args=((),))
    return list(stored)


def make(run: StoredRun, wanted: Handover | None) -> None:
    """The button, or how far the job is; nothing of it lives in the page."""
    now = handover.report_progress(run.id)
    if not now.over and reports.is_asked(run.id):
        _wait(run.id)
        return
    if now.state == "failed":
        st.error(plain(now.message), icon=":material/error:")
    label = "Make them" if wanted is None or len(wanted.documents) > 1 else "Make it"
    if st.button(label, type="primary", key="make_report", disabled=wanted is None):
        assert wanted is not None
        try:
            handover.start_report(run.id, wanted)
        except atomic.StoreError as error:
            st.error(plain(error))
            return
        st.rerun()


@st.fragment(run_every=0.5)
def _wait(run_id: str) -> None:
    queue.tend()
    now: Progress = still_there(handover.report_progress, run_id)
    if now.over:
        st.rerun(scope="app")
    done = (now.step or 1) - 1 if now.of else 0
    name = documents.document_title(str(now.row.get("document", ""))) if now.of else ""
    words = PHASE_WORDS.get(now.phase, "Waiting" if now.state == "queued" else "Starting")
    st.progress(done / now.of if now.of else 0.0, f"{words} {name}".strip())
    if st.button("Stop", key="stop_report"):
        handover.stop_report(run_id)
        st.rerun(scope="app")


def downloads(run: StoredRun) -> None:
    """The files that were made last, to be taken."""
    files = reports.made_files(run.id)
    if not files:
        return
    st.subheader(documents.MADE)
    with st.container(horizontal=True):  # wraps where the window is narrow
        for name, size in files.items():
            st.download_button(
                f"{name} ({size_words(size)})",
                data=kept_here(partial(reports.read_made, run.id, name)),
                file_name=name,
                mime=MIMES.get(name.rpartition(".")[2], "application/octet-stream"),
                icon=":material/download:",
                on_click="ignore",
                key=f"take_{name}",
            )
    st.caption("Made of the run as it was then; make them anew after a change of names or labels.")
