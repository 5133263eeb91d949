"""How good the risks are on held-out patients, and for whom; the rule for the bedside."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from cacviz.engine.insights.judged.types import Judged, Performance
from cacviz.engine.scoring.shares import wilson
from cacviz.figures import performance as figures
from cacviz.report.blocks import Block, Grid, Heading, Paragraph, Picture, Points, paragraphs
from cacviz.report.material import Material
from cacviz.store import risk_choices
from cacviz.wording import performance as words
from cacviz.wording import rule_tables, rules
from cacviz.wording.factors import risk_of
from cacviz.wording.reports import FEW
from cacviz.wording.words import interval_text

TOO_FEW = "Too few events for curves and calibration."


def judged(m: Material) -> list[Block]:
    """Curves and calibration of everybody, and all groups side by side, for each class."""
    made: Performance | None = m.part("performance")
    if made is None:
        return []
    blocks: list[Block] = []
    for view in made.views:
        what = risk_of(m.cohort, view.code)
        if len(made.views) > 1:
            blocks.append(Heading(f"Risk of {what}"))
        everybody = next(j for j in view.judged if j.group.kind == "all")
        blocks += _everybody(made, everybody, what, view.code)
        if everybody.after is not None and risk_choices.remedy_of(m.folder) is not None:
            blocks.append(Paragraph(words.recalibrated_sentence(everybody.after)))
        frame = pd.DataFrame(_row(m, j) for j in view.judged)
        caption = f"Risk of {what}, group by group, on held-out patients (95% intervals)."
        blocks.append(Grid(f"groups_{view.code}", caption, frame))
    return blocks


def _everybody(made: Performance, found: Judged, what: str, code: int) -> list[Block]:
    if not found.told or found.curves is None or found.calibration is None:
        return paragraphs(TOO_FEW)  # type: ignore[return-value]
    bands = f"Bands: 95% of {made.n_boot} bootstrap samples of held-out patients."
    rate, curves, calibration = found.rate.value, found.curves, found.calibration
    limits = [(w.low, w.high) for n, _, events in calibration.bins if (w := wilson(events, n))]
    drawn = {
        "precision_recall": (
            f"Precision and recall, {what}. {bands}",
            figures.precision_curve(made.grid, curves.precision, rate),
        ),
        "roc": (f"ROC curve, {what}. {bands}", figures.roc_curve(made.grid, curves.roc)),
        "calibration": (
            f"Calibration, {what}. {words.calibration_sentence(calibration)}",
            figures.calibration_curve(calibration.bins, limits, name="this run"),
        ),
    }
    pictures = [Picture(f"{n}_{code}", c, untold(f)) for n, (c, f) in drawn.items()]
    n_classes = max(2, len(made.views))
    said = (words.summary_sentence(found, what, n_classes), words.brier_sentence(calibration))
    return [*(Paragraph(text) for text in said), *pictures]


def untold(figure: go.Figure) -> go.Figure:
    """The figure without the counts that hovering tells."""
    return figure.update_traces(customdata=None, hovertemplate=None)


def _row(m: Material, found: Judged) -> dict[str, str]:
    few = m.hide and (0 < found.events < FEW or 0 < found.n - found.events < FEW)
    slope = found.calibration.slope if found.calibration else None
    return {
        "Group": words.group_title(found.group, m.titles, m.cohort),
        "Patients": f"fewer than {FEW}" if m.hide and 0 < found.n < FEW else f"{found.n:,}",
        "Events": "hidden" if few else f"{found.events:,}",
        "AUC": interval_text(found.auc, 2) if found.auc else "too few events",
        "AUPRC": interval_text(found.auprc, 2) if found.auprc else "",
        "Calibration slope": interval_text(slope, 2) if slope else "",
    }


def bedside(m: Material) -> list[Block]:
    """The rule of a few values, how far it agrees, and what fewer or more would give."""
    found = m.part("bedside")
    if found is None:
        return []
    return [
        Points(tuple(rules.agreement_parts(found))),
        Grid("bedside_rule", "The rule.", rule_tables.card_table(found.rule, m.titles)),
        Paragraph(rules.typical_sentence(found.rule)),
        Grid(
            "bedside_agreement",
            "The rule beside the run, held-out patients.",
            rule_tables.agreement_table(found, m.titles),
        ),
        Grid("bedside_price", "What each number of variables is worth.", _prices(found)),
    ]


def _prices(found: object) -> pd.DataFrame:
    frame = rule_tables.price_table(found)  # type: ignore[arg-type]
    return frame.map(lambda v: f"{v:.3f}" if isinstance(v, float) else v)
