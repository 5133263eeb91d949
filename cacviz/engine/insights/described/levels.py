"""A category in a profile: every level of it, where there are few, instead of the strongest."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from cacviz.engine.insights.types import FEW, FeatureProfile

MOST = 5  # levels that have a row each


def every_level(features: Iterable[FeatureProfile]) -> list[FeatureProfile]:
    """The features, a category of few levels once for each; `standing` speaks of that level.

    A category whose counts are hidden stays as it is.
    """
    return [row for feature in features for row in _rows(feature)]


def _rows(feature: FeatureProfile) -> list[FeatureProfile]:
    cells = (*feature.cells, feature.overall)
    told = all(None not in cell.counts for cell in cells)
    if feature.shape != "category" or not 2 < len(feature.levels) <= MOST or not told:
        return [feature]
    return [
        replace(feature, standing=_standing(feature, place), standing_level=level)
        for place, level in enumerate(feature.levels)
    ]


def _standing(feature: FeatureProfile, level: int) -> tuple[float, ...]:
    """How far the level's share in each subtype is from everybody's, in standard deviations."""
    overall = _share(feature.overall, level)
    spread = math.sqrt(overall * (1 - overall))
    return tuple(
        math.nan
        if cell.n < FEW
        else (_share(cell, level) - overall) / spread
        if spread > 0
        else 0.0
        for cell in feature.cells
    )


def _share(cell, level: int) -> float:
    return (cell.counts[level] or 0) / max(1, sum(cell.counts))
