"""Figures and tables of a report for a paper, each kind as one zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import replace

from cacviz.report.blocks import Grid, Picture, Report, Section
from cacviz.report.numbering import numbers_of
from cacviz.report.printing.drawing import DOUBLE, SINGLE, as_png, as_svg
from cacviz.report.word import as_word
from cacviz.wording.cells import safe_csv

WIDTHS = {"single": SINGLE, "double": DOUBLE}
ABOUT = (
    "Each figure as SVG (words can be edited) and as PNG of 300 dpi, {single:g} mm (one column) "
    "and {double:g} mm (two columns) wide. Legends: legends.txt.\n"
)


def figures_zip(report: Report) -> bytes:
    """Every figure as SVG and PNG at journal widths, with its legend."""
    numbers, files, legends = numbers_of(report), {}, [ABOUT.format(single=SINGLE, double=DOUBLE)]
    for picture in (b for b in report.blocks() if isinstance(b, Picture)):
        name = f"figure_{numbers[id(picture)]:02}_{picture.name}"
        legends.append(f"Figure {numbers[id(picture)]} ({name}). {picture.caption}\n")
        for word, width in WIDTHS.items():
            files[f"{name}_{word}.svg"] = as_svg(picture.figure, width)
            files[f"{name}_{word}.png"] = as_png(picture.figure, width)
    legends.append(report.lines[-1])
    return zipped({"legends.txt": "\n".join(legends).encode(), **files})


def tables_zip(report: Report) -> bytes:
    """Every table as CSV, in which nothing starts a formula, and all of them in one Word file."""
    numbers, files = numbers_of(report), {}
    for grid in (b for b in report.blocks() if isinstance(b, Grid)):
        files[f"table_{numbers[id(grid)]:02}_{grid.name}.csv"] = safe_csv(grid.frame)
    return zipped({"tables.docx": as_word(_tables_alone(report)), **files})


def _tables_alone(report: Report) -> Report:
    """The same sections with nothing but their tables."""
    sections = (_only(section) for section in report.sections)
    return replace(report, sections=tuple(s for s in sections if s.blocks))


def _only(section: Section) -> Section:
    return replace(section, blocks=tuple(b for b in section.blocks if isinstance(b, Grid)))


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip without dates: the same run gives the same file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return buffer.getvalue()
