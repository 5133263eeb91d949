"""The door of the room: a document of a run in a format, as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cacviz.report.blocks import Report
from cacviz.report.html import as_html
from cacviz.report.material import gather
from cacviz.report.pdf import as_pdf
from cacviz.report.registry import build
from cacviz.report.word import as_word

FORMATS = ("html", "docx", "pdf")


def make_report(
    run: str | Path, form: str, *, sections: Sequence[str] = (), hide: bool = True
) -> bytes:
    """The report of a run, an id or a folder, as html, docx or pdf."""
    return written_as(build(gather(run, hide=hide), sections), form)


def written_as(report: Report, form: str, *, wide: bool = False) -> bytes:
    """A report in a format."""
    if form == "docx":
        return as_word(report, wide=wide)
    if form == "pdf":
        return as_pdf(as_html(report, interactive=False))
    return as_html(report).encode()
