"""The small-cell rule: counts of so few patients that they point at somebody are not shown."""

from __future__ import annotations

import numpy as np

from cacviz.engine.insights.types import FEW


def hide_small(counts: np.ndarray, few: int = FEW) -> np.ndarray:
    """True where a count must not be shown: 1 to few - 1, and what would give it away.

    A row's and a column's sums are known, so a lone hidden cell could be computed: the smallest
    other count in its row or column is hidden with it.
    """
    counts = np.atleast_2d(counts)
    hidden = (counts > 0) & (counts < few)
    while True:
        before = hidden.sum()
        for side, shown in ((hidden, counts), (hidden.T, counts.T)):
            _hide_companions(side, shown)
        if hidden.sum() == before:
            return hidden


def _hide_companions(hidden: np.ndarray, counts: np.ndarray) -> None:
    for row in np.flatnonzero(hidden.sum(axis=1) == 1):
        open_cells = np.flatnonzero(~hidden[row] & (counts[row] > 0))
        if len(open_cells):
            hidden[row, open_cells[counts[row, open_cells].argmin()]] = True


def shown(counts: np.ndarray, hidden: np.ndarray) -> tuple[int | None, ...]:
    """The counts of a row, None where hidden."""
    return tuple(None if h else int(c) for c, h in zip(counts, hidden, strict=True))


def shown_count(n: int, few: int = FEW) -> int | None:
    """One count that stands alone."""
    return None if 0 < n < few else int(n)
