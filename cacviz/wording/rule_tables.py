"""The bedside rule as tables: the card, its agreement by subtype, its price."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from cacviz.engine.insights.bedside.types import Bedside, Rule
from cacviz.wording.rules import band_words, leaf_order, leaf_words, variable_title
from cacviz.wording.tables import heads
from cacviz.wording.words import interval_text, share, subtype_name

PLACED = "Held-out patients by the rule"


def card_table(rule: Rule, titles: Sequence[str]) -> pd.DataFrame:
    """A line a band with its points, or a line a path with its subtype."""
    if rule.form == "tree":
        rows = [
            {"If": leaf_words(rule, place), "Then": titles[rule.leaves[place].cluster]}
            for place in leaf_order(rule)
        ]
        return pd.DataFrame(rows)
    columns = [subtype_name(j) for j in range(rule.n_clusters)]
    start = {"Variable": "Everybody", "Value": "", **dict(zip(columns, rule.start, strict=True))}
    lines = [start] if any(rule.start) else []
    for line in rule.lines:
        for place, band in enumerate(line.bands):
            named = variable_title(line) if place == 0 else ""
            points = dict(zip(columns, band.points, strict=True))
            lines.append({"Variable": named, "Value": band_words(line, band), **points})
    return pd.DataFrame(lines)


def agreement_table(bedside: Bedside, titles: Sequence[str]) -> pd.DataFrame:
    """How far rule and run agree on each subtype: sensitivity and PPV on held-out patients."""
    found = bedside.agreement
    return pd.DataFrame(
        {
            "Subtype": name,
            PLACED: bedside.sizes[j],
            "Found by the rule": share(found.sensitivity[j]),
            "Confirmed by the run": share(found.ppv[j]),
        }
        for j, name in enumerate(heads(titles))
    )


def price_table(bedside: Bedside) -> pd.DataFrame:
    """What each number of variables is worth: the curve's twin."""
    return pd.DataFrame(
        {
            "Variables": p.n_variables,
            "Form": p.form,
            "Kappa on held-out patients": interval_text(p.kappa, 2),
            "Kappa within training": round(p.learned, 3),
            "Which": ", ".join(p.variables),
        }
        for p in bedside.prices
    )
