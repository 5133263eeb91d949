"""The rule as a file to print: one page, nothing fetched, every name escaped."""

from __future__ import annotations

import html
from collections.abc import Sequence

import pandas as pd

from cacviz.engine.insights.bedside.types import Bedside
from cacviz.figures.theme import subtype_color
from cacviz.wording.rule_tables import card_table
from cacviz.wording.rules import NOT_A_DEVICE, TIE, agreement_parts, typical_sentence

STYLE = """
@page {size: A5 landscape; margin: 10mm}
body {font: 11pt/1.35 sans-serif; color: #1b2733; max-width: 190mm; margin: 8mm auto}
h1 {font-size: 14pt; margin: 0 0 2mm} p {margin: 1.5mm 0; font-size: 9.5pt}
table {border-collapse: collapse; width: 100%; margin: 2mm 0}
td, th {border-bottom: .3pt solid #8a8f98; padding: .8mm 2mm; text-align: left; vertical-align: top}
td.n, th.n {text-align: center; width: 14mm}
.dot {display: inline-block; width: 3mm; height: 3mm; border-radius: 50%; margin-right: 1.5mm}
"""


def card_html(bedside: Bedside, titles: Sequence[str], outcome: str, cohort: str) -> str:
    """The card as a whole HTML file."""
    rule = bedside.rule
    table = _table(card_table(rule, titles))
    how = f"<p>Add up the points; the most points win. {TIE}</p>" if rule.form == "points" else ""
    names = "".join(
        f"<p><span class=dot style='background:{subtype_color(j)}'></span>{_safe(title)}</p>"
        for j, title in enumerate(titles)
    )
    said = "".join(
        f"<p>{_safe(sentence)}</p>"
        for sentence in (typical_sentence(rule), *agreement_parts(bedside), NOT_A_DEVICE)
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        f"<title>Bedside rule</title><style>{STYLE}</style>"
        f"<h1>Which subtype? {_safe(cohort)}, outcome {_safe(outcome)}</h1>"
        f"{names}{how}{table}{said}</html>"
    )


def _table(frame: pd.DataFrame) -> str:
    numbers = [str(c).startswith("Subtype") for c in frame.columns]
    head = "".join(_cell("th", c, n) for c, n in zip(frame.columns, numbers, strict=True))
    rows = "".join(
        f"<tr>{''.join(_cell('td', v, n) for v, n in zip(row, numbers, strict=True))}</tr>"
        for row in frame.itertuples(index=False)
    )
    return f"<table><tr>{head}</tr>{rows}</table>"


def _cell(tag: str, value: object, number: bool) -> str:
    kind = " class=n" if number else ""
    return f"<{tag}{kind}>{_safe(value)}</{tag}>"


def _safe(value: object) -> str:
    return html.escape(str(value))
