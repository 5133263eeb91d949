"""What can be handed over of a run, in words: titles and what each is for."""

from __future__ import annotations

DOCUMENTS = {
    "html": ("Report to read (HTML)", "One file with figures that answer to the mouse; opens offline and prints."),
    "docx": ("Report to edit (Word)", "Real tables, numbered captions, figures."),
    "pdf": ("Report to send (PDF)", "The same pages, printed by the Chromium beside cacviz."),
    "figures": ("Figures for a paper", "Each as SVG and 300-dpi PNG, one and two columns wide, with legends."),
    "tables": ("Tables for a paper", "Each as CSV, and all in one Word file."),
    "script": ("Script", "Python that finds the same subtypes again with cacviz.engine."),
    "notebook": ("Notebook", "The script in steps."),
    "card": ("Model card", "What the model is, for whom, how well it does, what it cannot do."),
    "tripod": ("TRIPOD+AI sheet", "Every item: filled from the run, for the authors, or not applicable."),
    "run": ("The run as a file", "Opens in another cacviz, without any patient."),
    "run_patients": ("The run with its patients", "The table goes along: hand it on as you would the records."),
}  # fmt: skip
SMALL = "Hide counts below 5 in what is handed over"
EMPTY = "Choose at least one document."
MADE = "Ready to download"


def document_title(name: str) -> str:
    return DOCUMENTS[name][0] if name in DOCUMENTS else name


def document_help(name: str) -> str:
    return DOCUMENTS[name][1] if name in DOCUMENTS else ""
