"""Every document that can be handed over, by name: its file, its title, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cacviz.report import archives, script, sheets
from cacviz.report.blocks import Report
from cacviz.report.making import written_as
from cacviz.report.material import Material
from cacviz.report.registry import build
from cacviz.store.bundles.packing import pack_run

Maker = Callable[[Material, Report], bytes]


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    file: str
    make: Maker


def _as(form: str) -> Maker:
    return lambda m, report: written_as(report, form)


DOCUMENTS: dict[str, Document] = {
    d.name: d
    for d in (
        Document("html", "report.html", _as("html")),
        Document("docx", "report.docx", _as("docx")),
        Document("pdf", "report.pdf", _as("pdf")),
        Document("figures", "figures.zip", lambda m, r: archives.figures_zip(r)),
        Document("tables", "tables.zip", lambda m, r: archives.tables_zip(r)),
        Document("script", "reproduce.py", lambda m, r: script.script_of(m).encode()),
        Document("notebook", "reproduce.ipynb", lambda m, r: script.notebook_of(m).encode()),
        Document("card", "model_card.docx", lambda m, r: written_as(sheets.model_card(m), "docx")),
        Document(
            "tripod",
            "tripod_ai.docx",
            lambda m, r: written_as(sheets.tripod_sheet(m), "docx", wide=True),
        ),
        Document("run", "run.zip", lambda m, r: pack_run(m.folder)),
        Document("run_patients", "run.zip", lambda m, r: pack_run(m.folder, with_patients=True)),
    )
}


def make_documents(
    m: Material,
    wanted: Sequence[str],
    sections: Sequence[str] = (),
    on_step: Callable[[int, str], None] = lambda place, name: None,
) -> dict[str, bytes]:
    """The documents of a run by the names of their files."""
    report = build(m, sections)
    files: dict[str, bytes] = {}
    for place, name in enumerate(n for n in wanted if n in DOCUMENTS):
        on_step(place + 1, name)
        files[DOCUMENTS[name].file] = DOCUMENTS[name].make(m, report)
    return files
