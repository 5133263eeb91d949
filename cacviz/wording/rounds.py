"""How a clustering ended, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cacviz.wording.words import counted

STAGES = {  # that are scored epoch by epoch
    "cluster": "finding subtypes",
    "experts": "risk models",
    "hours": "risk models of the hours",
}
BEST_EPOCH = (
    "Each stage keeps the epoch that predicts best in patients from whom it does not learn: those to tune by, or, where risk models "
    "learn from them too, each fold by the models that lack it. The final score may therefore differ from the last one drawn."
)


def kept_words(rows: Sequence[Mapping[str, Any]]) -> str:
    """That the last epoch of the subtypes need not be the one that was kept; or empty."""
    found = [r for r in rows if r.get("phase") == "cluster"]
    scored = [r for r in found if r.get("validation_auprc") is not None and "silhouette" in r]
    return BEST_EPOCH if len(scored) > 1 else ""


def ending_words(rows: Sequence[Mapping[str, Any]], most: int) -> str:
    """Converged after 5 rounds, or stopped at the limit; empty for other methods."""
    rounds = [row for row in rows if row.get("round")]
    if not rounds or "moves" not in rounds[-1]:
        return ""
    n = rounds[-1]["round"]
    if rounds[-1]["moves"] == 0:
        return f"Converged after {counted(n, 'round')}."
    return f"Stopped at the limit of {counted(most, 'round')}, while patients still moved."
