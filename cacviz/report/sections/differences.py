"""What differs between the subtypes: what may be tested, the ranked features, Table 1."""

from __future__ import annotations

import math

import pandas as pd

from cacviz.engine.scoring.effects import LARGEST
from cacviz.figures import profiles
from cacviz.report.blocks import Block, Grid, Heading, Paragraph, Picture, Points
from cacviz.report.material import Material
from cacviz.wording import captions, tables
from cacviz.wording.reports import missing_line
from cacviz.wording.words import numbers

SHOWN = 15


def differences(m: Material) -> list[Block]:
    """Tests on held-out patients, the paper's table, effect sizes and Table 1."""
    described = m.part("described")
    if described is None:
        return [Paragraph(missing_line(["what differs"]))]
    blocks: list[Block] = [Heading("Tested on held-out patients")]
    if described.tests:
        blocks.append(Points(tuple(tables.test_sentence(t) for t in described.tests[:6])))
        frame = tables.tests_table(described.tests)
        blocks.append(Grid("tests", captions.TESTED, frame.rename(columns={"": "In words"})))
    else:
        blocks.append(Paragraph("Too few held-out patients in the subtypes to test anything."))
    found = described.profiles
    blocks.append(Heading("Which features set them apart"))
    blocks.append(Paragraph(captions.DESCRIBES.format(top=found.top)))
    ranked = [f for f in found.features if f.role == "feature"][:SHOWN]
    caption = f"Effect sizes. {captions.EFFECTS.format(largest=LARGEST)}"
    blocks.append(Picture("effect_sizes", caption, profiles.effect_sizes(ranked)))
    why = f" {tables.WHY_HIDDEN}" if m.hide else ""
    table = tables.paper_table(found, numbers(m.titles))
    caption = f"Mean (or share) of each feature by subtype, the most distinguishing first.{why}"
    blocks.append(Grid("what_differs", caption, _rounded(table)))
    one = tables.table_one(found, numbers(m.titles)).rename(columns={"": "Variable"})
    blocks.append(Grid("table_1", f"Table 1 of the training patients.{why}", one))
    return blocks


def _rounded(frame: pd.DataFrame) -> pd.DataFrame:
    """Numbers as a paper prints them; a spreadsheet gets them whole, from `tables_of`."""
    return frame.map(lambda v: _number(v) if isinstance(v, float) else v)


def _number(value: float) -> str:
    return tables.HIDDEN if math.isnan(value) else f"{value:,.4g}"
