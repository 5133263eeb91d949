"""How a clustering ended, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cacviz.wording.words import counted


def ending_words(rows: Sequence[Mapping[str, Any]], most: int) -> str:
    """Converged after 5 rounds, or stopped at the limit; empty for other methods."""
    rounds = [row for row in rows if row.get("round")]
    if not rounds or "moves" not in rounds[-1]:
        return ""
    n = rounds[-1]["round"]
    if rounds[-1]["moves"] == 0:
        return f"Converged after {counted(n, 'round')}."
    return f"Stopped at the limit of {counted(most, 'round')}, while patients still moved."
