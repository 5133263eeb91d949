"""The small-cell rule: counts of so few patients that they point at somebody can be hidden."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cacviz.engine.insights.types import FEW, Cell, FeatureProfile, Profiles


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


def shown_counts(counts: np.ndarray, few: int = FEW) -> tuple[int | None, ...]:
    """Counts that add up to a known sum, None where hidden."""
    hidden = hide_small(np.asarray(counts), few)[0]
    return tuple(None if h else int(c) for c, h in zip(counts, hidden, strict=True))


def shown_count(n: int, few: int = FEW) -> int | None:
    """One count that stands alone."""
    return None if 0 < n < few else int(n)


def without_small(profiles: Profiles) -> Profiles:
    """The profiles with small counts and what would give them away hidden."""
    return replace(profiles, features=tuple(_hidden_feature(f) for f in profiles.features))


def _hidden_feature(feature: FeatureProfile) -> FeatureProfile:
    if feature.shape == "number":
        return replace(
            feature,
            cells=tuple(_hidden_number(c) for c in feature.cells),
            overall=_hidden_number(feature.overall),
        )
    if any(None in cell.counts for cell in (*feature.cells, feature.overall)):
        return feature  # hidden already, as in a run that came from elsewhere
    table = np.array([cell.counts for cell in feature.cells])
    small = hide_small(table)
    total = hide_small(np.array(feature.overall.counts))[0]
    cells = tuple(_hidden_levels(c, s) for c, s in zip(feature.cells, small, strict=True))
    return replace(feature, cells=cells, overall=_hidden_levels(feature.overall, total))


def _hidden_number(cell: Cell) -> Cell:
    return Cell(cell.n, cell.missing, hidden=True) if 0 < cell.n < FEW else cell


def _hidden_levels(cell: Cell, small: np.ndarray) -> Cell:
    counts = tuple(None if s else c for c, s in zip(cell.counts, small, strict=True))
    mean = float("nan") if small.any() else cell.mean
    return replace(cell, counts=counts, mean=mean, hidden=bool(small.any()))
