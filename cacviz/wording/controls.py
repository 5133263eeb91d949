"""The run beside its controls, as a table that pages and reports share."""

from __future__ import annotations

import pandas as pd

from cacviz.engine.types import RunSummary
from cacviz.wording.methods import METRIC_TITLES
from cacviz.wording.studies import standing_words
from cacviz.wording.verdicts import control_title, is_nothing
from cacviz.wording.words import interval_text, signed_text

SAME = "the same risks"
WORDS, DIFFERENCE = "In words", "This run minus control (AUPRC)"
SHORT = {"k=1": "the same with one subtype (k = 1)"}  # where a column has no room for more


def controls_frame(summary: RunSummary) -> pd.DataFrame:
    """The run and its controls on the same held-out patients, with intervals and words."""
    metrics = (
        ("auprc_macro", "auc")
        if len(summary.classes) > 2
        else ("auprc_macro", "auprc_positive", "auc")
    )
    own = {METRIC_TITLES[m]: interval_text(summary.test[m]) for m in metrics}
    rows = [{"": "This run", WORDS: "", DIFFERENCE: "", **own}]
    standings = {s.control: s for s in summary.verdict.standings} if summary.verdict else {}
    told = summary.verdict is not None and summary.verdict.conclusion != "too few"
    for control in summary.controls:
        title = SHORT.get(control.key, control_title(control.key))
        standing = standings.get(control.key)
        words = standing_words(standing) if standing and told else "too few to tell"
        words = SAME if is_nothing(control.difference) else words
        row = {"": title[0].upper() + title[1:], WORDS: words}
        row[DIFFERENCE] = signed_text(control.difference)
        rows.append(row | {METRIC_TITLES[m]: interval_text(control.scores[m]) for m in metrics})
    return pd.DataFrame(rows).fillna("")
