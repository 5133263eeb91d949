"""The report as a Word file: real headings, tables with repeated heads, numbered captions."""

from __future__ import annotations

import io
from typing import Any

from docx import Document
from docx.document import Document as Doc
from docx.enum.section import WD_ORIENT
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor

from cacviz.report.blocks import Block, Callout, Grid, Heading, Paragraph, Picture, Points, Report
from cacviz.report.numbering import is_number, written
from cacviz.report.printing.drawing import as_png

PAGE = (210, 297)  # mm
MARGIN = 20
INK = RGBColor(0x33, 0x47, 0x5B)
FILLS = {"grave": "FBF0F1", "warning": "FDF7EC", "hint": "F5F7F9"}
BAD = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF])  # not allowed in XML


def as_word(report: Report, *, wide: bool = False) -> bytes:
    """The report as .docx; `wide` lays the pages across, for documents that are one table."""
    document = _document(report, wide)
    document.add_heading(_text(report.title), 0)
    for line in report.lines:
        document.add_paragraph(_text(line), style="Subtitle")
    for section in report.sections:
        document.add_heading(_text(section.title), 1)
        for block in section.blocks:
            _add(document, block)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _document(report: Report, wide: bool) -> Doc:
    document = Document()
    page = document.sections[0]
    size = PAGE[::-1] if wide else PAGE
    page.orientation = WD_ORIENT.LANDSCAPE if wide else WD_ORIENT.PORTRAIT
    page.page_width, page.page_height = Mm(size[0]), Mm(size[1])
    page.left_margin = page.right_margin = page.top_margin = page.bottom_margin = Mm(MARGIN)
    styles: Any = document.styles
    styles["Normal"].font.name, styles["Normal"].font.size = "Calibri", Pt(10.5)
    for name, points in (("Title", 20), ("Heading 1", 15), ("Heading 2", 12), ("Subtitle", 10)):
        font = styles[name].font
        font.name, font.size, font.color.rgb = "Calibri", Pt(points), INK
        styles[name].element.rPr.rFonts.set(qn("w:asciiTheme"), "minorHAnsi")
    styles["Caption"].font.size, styles["Caption"].font.color.rgb = Pt(9), INK
    document.core_properties.title = _text(report.title)[:250]
    document.core_properties.author = "cacviz"
    document.core_properties.comments = _text(report.lines[-1])
    footer = page.footer.paragraphs[0]
    footer.text = _text(f"{report.lines[-1]}  ")
    _field(footer, "PAGE", "1")
    footer.runs[0].font.size = Pt(8)
    return document


def _add(document: Doc, block: Block) -> None:
    if isinstance(block, Paragraph):
        document.add_paragraph(_text(block.text))
    elif isinstance(block, Heading):
        document.add_heading(_text(block.text), 2)
    elif isinstance(block, Points):
        for item in block.items:
            style = "List Number" if block.numbered else "List Bullet"
            document.add_paragraph(_text(item), style=style)
    elif isinstance(block, Callout):
        _shaded(document.add_paragraph(), block)
    elif isinstance(block, Grid):
        _caption(document, "Table", block.caption, keep=True)
        _table(document, block)
    else:
        _picture(document, block)


def _shaded(paragraph: Any, block: Callout) -> None:
    paragraph.add_run(_text(block.text)).bold = True
    shade = OxmlElement("w:shd")
    for name, value in (("val", "clear"), ("color", "auto"), ("fill", FILLS[block.tone])):
        shade.set(qn(f"w:{name}"), value)
    paragraph._p.get_or_add_pPr().append(shade)


def _caption(document: Doc, word: str, text: str, *, keep: bool) -> None:
    """Table 1. …, with Word's own counter, so that lists of tables and figures can be made."""
    paragraph = document.add_paragraph(style="Caption")
    paragraph.paragraph_format.keep_with_next = keep
    paragraph.add_run(f"{word} ").bold = True
    counter = document.part.__dict__.setdefault("cacviz_numbers", {})
    counter[word] = counter.get(word, 0) + 1
    _field(paragraph, f"SEQ {word} \\* ARABIC", str(counter[word]))
    paragraph.add_run(f". {_text(text)}").bold = False


def _field(paragraph: Any, code: str, shown: str) -> None:
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), code)
    run, text = OxmlElement("w:r"), OxmlElement("w:t")
    text.text = shown
    run.append(text)
    field.append(run)
    paragraph._p.append(field)


def _table(document: Doc, block: Grid) -> None:
    frame = block.frame
    n, k = frame.shape
    table = document.add_table(rows=n + 1, cols=k)
    table.alignment, table.autofit = WD_TABLE_ALIGNMENT.CENTER, False
    _rules(table)
    size = Pt(9 if k <= 5 else 8 if k <= 7 else 6.5)
    cells = table._cells  # read once: each look at a row walks through the whole table
    page = document.sections[0]
    for column, share in enumerate(_shares(block)):
        width = int(share * (page.page_width - 2 * Mm(MARGIN)))  # type: ignore[operator]
        table.columns[column].width = width
        for row in range(n + 1):
            cells[row * k + column].width = width
    for column, name in enumerate(frame.columns):
        _write(cells[column], str(name), size, head=True)
    for row, values in enumerate(frame.astype(object).to_numpy().tolist(), 1):
        for column, value in enumerate(values):
            _write(cells[row * k + column], written(value), size, right=is_number(value))
    head = OxmlElement("w:tblHeader")
    head.set(qn("w:val"), "true")
    table.rows[0]._tr.get_or_add_trPr().append(head)
    for line in table._tbl.tr_lst:
        whole = OxmlElement("w:cantSplit")
        line.get_or_add_trPr().append(whole)
    document.add_paragraph()


def _rules(table: Any) -> None:
    """Thin lines between rows and none between columns, as papers have them."""
    borders = OxmlElement("w:tblBorders")
    for side, color in (("top", "33475B"), ("bottom", "33475B"), ("insideH", "D5DDE5")):
        line = OxmlElement(f"w:{side}")
        for name, value in (("val", "single"), ("sz", "4"), ("space", "0"), ("color", color)):
            line.set(qn(f"w:{name}"), value)
        borders.append(line)
    table._tbl.tblPr.append(borders)


def _shares(block: Grid) -> list[float]:
    """Of the page's width for each column: by its words, longer ones with less than their due."""
    frame = block.frame
    longest = [
        max(
            [max(map(len, str(name).split() or [""])), len(str(name)) / 3]
            + [len(written(v)) for v in frame.iloc[:, i].head(60)]
        )
        for i, name in enumerate(frame.columns)
    ]
    wanted = [min(max(float(n), 9.0), 45.0) ** 0.75 for n in longest]
    return [w / sum(wanted) for w in wanted]


def _write(cell: Any, text: str, size: Pt, *, head: bool = False, right: bool = False) -> None:
    paragraph = cell.paragraphs[0]
    run = paragraph.add_run(_text(text))
    run.font.size, run.bold = size, head
    paragraph.paragraph_format.space_after = Pt(1)
    if right:
        paragraph.alignment = 2
    if head:
        shade = OxmlElement("w:shd")
        for name, value in (("val", "clear"), ("color", "auto"), ("fill", "E8EDF2")):
            shade.set(qn(f"w:{name}"), value)
        cell._tc.get_or_add_tcPr().append(shade)


def _picture(document: Doc, block: Picture) -> None:
    image = io.BytesIO(as_png(block.figure, dpi=200))
    document.add_picture(image, width=Mm(PAGE[0] - 2 * MARGIN))
    paragraph = document.paragraphs[-1]
    paragraph.paragraph_format.keep_with_next = True
    for drawing in paragraph._p.iter(qn("wp:docPr")):
        drawing.set("descr", _text(block.caption)[:500])
    _caption(document, "Figure", block.caption, keep=False)


def _text(text: str) -> str:
    """Text that XML can hold."""
    return " ".join(str(text).translate(BAD).split())
