"""Figures, tables, script, notebook, model card and TRIPOD+AI: whole, and true to the run."""

import io
import json
import subprocess
import sys
import zipfile

import docx
import pytest

from cacviz.report import archives, script, sheets
from cacviz.report.documents import DOCUMENTS
from cacviz.report.material import gather
from cacviz.report.registry import SECTIONS, build
from cacviz.report.word import as_word
from cacviz.wording import documents
from cacviz.wording.sections import SECTION_TITLES
from cacviz.wording.tripod import ITEMS


@pytest.fixture
def material(with_kept):
    return gather(with_kept[1])


def names_in(data):
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def test_page_and_room_know_the_same_documents_and_sections():
    assert list(documents.DOCUMENTS) == list(DOCUMENTS)
    assert list(SECTION_TITLES) == list(SECTIONS)


@pytest.mark.heavy
def test_every_figure_comes_in_two_widths_and_two_forms_with_its_legend(material):
    report = build(material, ["cohort"])
    files = names_in(archives.figures_zip(report))
    stem = "figure_01_patients"
    forms = {f"{stem}_{w}.{f}" for w in ("single", "double") for f in ("svg", "png")}
    assert set(files) == forms | {"legends.txt"}
    assert "Where the patients went" in files["legends.txt"].decode()


def test_tables_cannot_start_a_formula(material):
    from dataclasses import replace

    report = build(material, ["cohort"])
    first = report.sections[0]
    grid = next(b for b in first.blocks if hasattr(b, "frame"))
    bad = replace(grid, frame=grid.frame.assign(**{"=x": "=cmd()|x", "n": -3}))
    files = names_in(
        archives.tables_zip(replace(report, sections=(replace(first, blocks=(bad,)),)))
    )
    text = next(d for n, d in files.items() if n.endswith(".csv")).decode("utf-8-sig")
    assert "'=x" in text
    assert "'=cmd()|x,-3" in text
    assert len(docx.Document(io.BytesIO(files["tables.docx"])).tables) == 1


@pytest.mark.heavy
def test_the_script_finds_the_same_subtypes_in_a_process_of_its_own(material, tmp_path):
    (tmp_path / "reproduce.py").write_text(script.script_of(material))
    command = [sys.executable, "-I", "reproduce.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "The patients are those of the run." in done.stdout, done.stderr
    assert done.stdout.strip().endswith("Reproduced.")


def test_the_notebook_holds_the_script_in_steps(material):
    book = json.loads(script.notebook_of(material))
    code = ["".join(c["source"]) for c in book["cells"] if c["cell_type"] == "code"]
    assert "\n\n".join(code) + "\n" == script.script_of(material)
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({c["id"] for c in book["cells"]}) == len(book["cells"])


def test_tripod_has_all_27_items_with_their_parts_and_an_answer_each(material):
    assert {int(item.number.rstrip("abcdefg")) for item in ITEMS} == set(range(1, 28))
    assert len(ITEMS) == len({item.number for item in ITEMS}) == 52
    assert {item.number for item in ITEMS if item.how == "software"} == set(sheets.ANSWERS)
    frame = next(b.frame for b in sheets.tripod_sheet(material).blocks() if hasattr(b, "frame"))
    assert frame["Answer"].str.len().min() > 10
    assert set(frame["By whom"]) == {"filled by cacviz", "for the authors", "not applicable"}
    assert not frame["Answer"].str.contains(r"\[\d").any()


def test_the_model_card_opens_in_word_and_says_what_it_is_not_for(material):
    card = docx.Document(io.BytesIO(as_word(sheets.model_card(material))))
    said = " ".join(p.text for p in card.paragraphs)
    assert "Not to decide about the care of a patient" in said
    assert len(card.tables) >= 4
