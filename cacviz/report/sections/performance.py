"""How well the run predicts, and whether clustering helps."""

from __future__ import annotations

import pandas as pd

from cacviz.engine.running.methods import METHODS
from cacviz.report.blocks import Block, Callout, Grid, Paragraph
from cacviz.report.material import Material
from cacviz.wording import captions
from cacviz.wording.controls import controls_frame
from cacviz.wording.methods import METRIC_TITLES
from cacviz.wording.reports import careful_verdict
from cacviz.wording.words import interval_text


def performance(m: Material) -> list[Block]:
    """The scores of the run on held-out patients."""
    rows = [
        {"Score": METRIC_TITLES[name], "Held-out patients (95% interval)": interval_text(scored)}
        for name, scored in m.summary.test.items()
        if name in METRIC_TITLES and not (name.endswith("positive") and len(m.summary.classes) > 2)
    ]
    n = sum(c.n_test for c in m.summary.clusters)
    caption = f"Scores of the run on {n:,} held-out patients; 95% bootstrap intervals."
    return [Grid("scores", caption, pd.DataFrame(rows))]


def helps(m: Material) -> list[Block]:
    """The verdict and the controls."""
    blocks: list[Block] = []
    if m.summary.verdict:
        *before, last = careful_verdict(m.summary.verdict, m.outcome, hide=m.hide)
        blocks += [Paragraph(text) for text in before]
        blocks.append(Callout(last))
    if m.summary.controls:
        n = sum(c.n_test for c in m.summary.clusters)
        frame = controls_frame(m.summary).rename(columns={"": "Model"})
        taught = METHODS[m.summary.config.method].learns_from_validation
        caption = f"Beside plain models. {captions.controls(n, taught=taught)}"
        blocks.append(Grid("controls", caption, frame))
    return blocks
