"""How a subtype's risk moves with one feature, all else as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cacviz.engine.insights.types import Effect
from cacviz.engine.reading.answers import is_sex
from cacviz.engine.types import Column

N_STEPS = 15


class Held(NamedTuple):
    """Columns of a matrix that one feature became: where they are, their kinds and names."""

    places: list[int]
    kinds: list[str]
    names: list[str]


def one_feature_effect(X, held: Held, column: Column, risk) -> Effect | None:
    """Mean risk of these patients as the feature takes each of its values in turn.

    None where it cannot be varied.
    """
    settings, values, words = _settings(X, held, column)
    if len(settings) < 2:
        return None
    means = []
    for setting in settings:
        changed = X.copy()
        changed[:, held.places] = setting
        means.append(float(risk(changed).mean()))
    return Effect(column.name, column.title, column.unit, values, words, tuple(means))


def _settings(
    X, held: Held, column: Column
) -> tuple[list[np.ndarray], tuple[float, ...], tuple[str, ...]]:
    """What the feature's columns hold at each of its values, the values, and words for them."""
    first = held.kinds[0]
    if first == "number":
        grid = _grid(X[:, held.places[0]])
        return [_at(held, 0, v) for v in grid], tuple(grid.tolist()), ()
    if first == "level":
        return _levels(held)
    words = ("0", "1") if is_sex(column.name) else ("no", "yes")  # nobody is a sex or is none
    words = ("measured", "not measured") if first == "gone" else words
    return [_at(held, 0, v) for v in (0.0, 1.0)], (0.0, 1.0), words


def _levels(held: Held):
    """A level in turn; of two levels one column says it all, and 0 is the other."""
    levels = [i for i, kind in enumerate(held.kinds) if kind == "level"]
    words = [held.names[i].split(" = ", 1)[-1] for i in levels]
    settings = [_at(held, i, 1.0) for i in levels]
    if len(levels) == 1:
        settings, words = [_at(held, levels[0], 0.0), *settings], [f"not {words[0]}", *words]
    return settings, tuple(float(i) for i in range(len(words))), tuple(words)


def _at(held: Held, place: int, value: float) -> np.ndarray:
    """The value in one column, 0 in the others: no other level, and it is measured now."""
    setting = np.zeros(len(held.places))
    setting[place] = value
    return setting


def _grid(values) -> np.ndarray:
    """Values from the 2nd to the 98th percentile, so that few patients bend no end."""
    known = values[~np.isnan(values)]
    if len(known) < 10:
        return np.empty(0)
    return np.unique(np.quantile(known, np.linspace(0.02, 0.98, N_STEPS)))


def spoken_of(held: Held, strengths: Sequence[float]) -> int:
    """Which column stands for the feature in a picture: its number, or its strongest level."""
    if held.kinds[0] != "level":
        return 0
    return int(
        np.argmax([s if k == "level" else -1 for s, k in zip(strengths, held.kinds, strict=True)])
    )
