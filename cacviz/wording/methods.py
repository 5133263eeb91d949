"""Methods and risk models as they are called on screen."""

from __future__ import annotations

from cacviz.engine.running.methods import METHODS

METRIC_TITLES = {
    "auprc_macro": "AUPRC (mean over classes)",
    "auprc_positive": "AUPRC (outcome)",
    "auc": "AUC",
    "f1_macro": "F1 (mean over classes)",
    "f1_positive": "F1 (outcome)",
}


def method_title(name: str) -> str:
    """A method's name as a sentence has it."""
    return METHODS[name].short or METHODS[name].title if name in METHODS else name
