"""The report: the pages' own sentences in every format, nothing from outside, no small counts."""

import io
import re
from dataclasses import replace

import docx
import pandas as pd
import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs

from cacviz.report import pdf
from cacviz.report.blocks import Callout, Grid, Paragraph, Picture, Points, Report, Section
from cacviz.report.html import as_html
from cacviz.report.material import gather
from cacviz.report.registry import SECTIONS, build
from cacviz.report.word import as_word
from cacviz.store import paths, runs
from cacviz.store.atomic import StoreError
from cacviz.store.bundles.opening import take_in
from cacviz.store.bundles.packing import pack_run
from cacviz.wording.verdicts import verdict_parts

NOT_MADE = ("choosing", "elsewhere", "bedside", "treatment")


@pytest.fixture(scope="session")
def report(kept_run):
    folder, _, run_id = kept_run
    with pytest.MonkeyPatch.context() as here:
        here.setenv(paths.DATA_DIR, str(folder))
        return build(gather(run_id))


def hostile():
    frame = pd.DataFrame({"<b>=x": ["<script>alert(1)</script>", 3, 0.12345]})
    figure = go.Figure(go.Bar(x=["</script><img src=x>"], y=[1], name="$a$"))
    blocks = (
        Paragraph("a <i>b</i> \x00 c"),
        Points(("one", "two"), numbered=True),
        Callout("mind <this>", "grave"),
        Grid("t", "caption", frame),
        Picture("f", 'its "legend" <b>', figure),
    )
    return Report("T <x>", ("line", "Research"), (Section("s", "S", blocks),))


def test_it_has_every_section_in_order_and_only_those_that_are_wanted(with_kept, report):
    wanted = [key for key in SECTIONS if key not in NOT_MADE]
    assert [s.key for s in report.sections] == wanted
    some = build(gather(with_kept[1]), ["limits", "short", "unknown"])
    assert [s.key for s in some.sections] == ["limits", "short"]


def test_its_sentences_are_those_of_the_pages(with_kept, report):
    summary = runs.load_run(with_kept[1]).summary
    said = " ".join(b.text for b in report.blocks() if isinstance(b, (Paragraph, Callout)))
    label = gather(with_kept[1]).outcome
    for sentence in verdict_parts(summary.verdict, label):
        assert sentence in said or summary.verdict.events < 5


def test_html_asks_nobody_for_anything_and_has_plotly_once(report):
    page, library = as_html(report), get_plotlyjs()
    assert page.count(library) == 1
    assert len(page) < 12e6
    page = page.replace(library, "")
    assert re.findall(r'(?:src|href)="(?!#)([^"]*)"', page) == []
    assert "default-src 'none'" in page
    assert page.count("Plotly.newPlot(") == sum(isinstance(b, Picture) for b in report.blocks())
    assert "Research use only" in page


def test_words_of_users_stay_words(report):
    page = as_html(hostile())
    assert "<script>alert(1)" not in page
    assert "</script><img" not in page
    assert "&lt;script&gt;alert(1)" in page
    drawn = as_html(hostile(), interactive=False)
    assert "<img" not in drawn
    assert "<svg" in drawn


@pytest.mark.heavy
def test_word_has_real_tables_captions_and_figures(report):
    document = docx.Document(io.BytesIO(as_word(report)))
    captions = [p.text for p in document.paragraphs if p.style.name == "Caption"]
    tables = [b for b in report.blocks() if isinstance(b, Grid)]
    pictures = [b for b in report.blocks() if isinstance(b, Picture)]
    assert len(document.tables) == len(tables)
    assert len(document.inline_shapes) == len(pictures)
    assert len(captions) == len(tables) + len(pictures)
    first = document.tables[0]
    assert [c.text for c in first.rows[0].cells] == list(map(str, tables[0].frame.columns))
    assert "SEQ Table" in document.element.xml
    assert docx.Document(io.BytesIO(as_word(hostile()))).tables[0].cell(1, 0).text.startswith("<s")


def test_small_counts_are_hidden_unless_they_are_wanted(with_kept):
    hidden, shown = gather(with_kept[1]), gather(with_kept[1], hide=False)
    few = tuple(
        replace(c, n_test=90, test_counts=(87, 3)) if c.cluster == 0 else c
        for c in hidden.summary.clusters
    )
    summary = replace(hidden.summary, clusters=few)
    for material, wanted in ((hidden, True), (shown, False)):
        changed = replace(material, run=replace(material.run, summary=summary))
        told = build(changed, ["subtypes"]).sections[0].blocks[0].frame
        column = next(c for c in told.columns if "held out" in c)
        assert (told[column] == "hidden").all() == wanted  # the other row would give it away


def test_a_run_without_its_patients_has_a_report_of_what_came_along(
    with_kept, tmp_path, monkeypatch
):
    (tmp_path / "run.zip").write_bytes(pack_run(with_kept[1]))
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path / "elsewhere"))
    found = build(gather(take_in(tmp_path / "run.zip").run_id))
    names = {b.name for b in found.blocks() if isinstance(b, (Grid, Picture))}
    assert {"subtypes", "table_1", "profile", "controls"} <= names
    assert not {"patients", "patient_map", "separation"} & names


def test_without_a_browser_pdf_says_what_to_do(monkeypatch):
    monkeypatch.setattr(pdf, "find_browser", lambda: None)
    with pytest.raises(StoreError, match="print it to PDF"):
        pdf.as_pdf("<p>x</p>")
