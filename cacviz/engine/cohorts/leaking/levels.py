"""Levels that tell the outcome: having one, or having none at all, excludes or implies a class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from cacviz.engine.reading.kinds import as_numbers, as_words, word

MOST_CODES = 40  # different numbers up to which each is looked at by itself
SPIKE = 0.05  # of the known values: one number that so many share
MISSING = ""  # in place of a level
# A level excludes an outcome that its patients should have met so often by chance, or implies it.
EXPECTED = 20.0  # patients with the outcome that it should have
NEVER = 0.02  # of the outcome's rate: as good as never
ALWAYS = 0.98
NEARLY_ALL = 0.95  # of the patients with the outcome, in one level
RARER = 0.05  # of the rate in that level: outside it the outcome is so much rarer
SURPRISE = 18.0  # natural logarithm of the odds against chance


def telling_level(values: pd.Series, kind: str, y: np.ndarray) -> dict[str, Any] | None:
    """A level, or the being missing of a column, that excludes or implies a class.

    Of numbers, a value counts that stands out from its neighbours: that the lowest or highest
    values have no events is what a good risk factor does.
    """
    codes, levels, ordered = _levels(values, kind)
    n_classes, n_levels = int(y.max()) + 1, len(levels)
    table = np.bincount(codes * n_classes + y, minlength=n_levels * n_classes)
    table = table.reshape(n_levels, n_classes).astype(float)
    best: tuple[float, dict[str, Any]] | None = None
    for c in range(1 if n_classes == 2 else 0, n_classes):
        for place, how, weight in _telling(table, c):
            if ordered and place and not _stands_out(table, c, place, how):
                continue
            said = {"level": levels[place], "class": c, "how": how, "n": int(table[place].sum())}
            if best is None or weight > best[0]:
                best = weight, said
    return best[1] if best else None


def _telling(table: np.ndarray, c: int) -> Iterator[tuple[int, str, float]]:
    """Levels (by place) that tell of class c, how, and how many patients that concerns."""
    hits, n = table[:, c], table.sum(axis=1)
    total, everyone = hits.sum(), n.sum()
    rate = total / everyone
    needed = SURPRISE + np.log(len(n))  # the more levels, the more must be against chance
    for place in np.flatnonzero(n >= 10).tolist():
        own, outside = hits[place] / n[place], everyone - n[place]
        beyond = (total - hits[place]) / max(outside, 1)
        against = _surprise(hits[place], n[place], rate)
        if own >= ALWAYS and against > needed:
            yield place, "implies", hits[place]
        elif own <= NEVER * rate and n[place] * rate >= EXPECTED and against > needed:
            yield place, "excludes", n[place]
        elif _holds(hits[place], total, outside * rate) and beyond <= RARER * own:
            yield place, "holds", hits[place]


def _holds(hits: float, total: float, expected_outside: float) -> bool:
    """Whether a level has nearly all patients with the outcome, though many are outside it."""
    return hits >= NEARLY_ALL * total and expected_outside >= EXPECTED


def _stands_out(table: np.ndarray, c: int, place: int, how: str) -> bool:
    """Whether a value's rate of class c is unlike that of both values beside it.

    Values in a row that all imply the class are one: codes 1 to 4 of a cause beside 0 for none.
    """
    n = table.sum(axis=1)
    rates = table[:, c] / np.maximum(n, 1)
    first = last = place
    if how == "implies":
        first, last = _run(rates, n, place)
    beside = [p for p in (first - 1, last + 1) if 0 < p < len(n) and n[p] > 0]
    gaps = [abs(rates[p] - rates[place]) for p in beside]
    usual = table[:, c].sum() / n.sum()
    return bool(gaps) and min(gaps) >= 0.5 * abs(usual - rates[place])


def _run(rates: np.ndarray, n: np.ndarray, place: int) -> tuple[int, int]:
    """The first and the last of the neighbouring values that all imply the class."""
    first = last = place
    while first > 1 and n[first - 1] > 0 and rates[first - 1] >= ALWAYS:
        first -= 1
    while last + 1 < len(n) and n[last + 1] > 0 and rates[last + 1] >= ALWAYS:
        last += 1
    return first, last


def _surprise(hits: float, n: float, rate: float) -> float:
    """n times the divergence of the level's rate from everybody's: minus log of the chance."""
    own = hits / n
    parts = [
        part * np.log(part / whole)
        for part, whole in ((own, rate), (1 - own, 1 - rate))
        if part > 0 and whole > 0
    ]
    return float(n * sum(parts))


def _levels(values: pd.Series, kind: str) -> tuple[np.ndarray, list[str], bool]:
    """Codes and names of a column's levels (0 is missing), and whether they have an order.

    Of many different numbers, only whether they were measured, and values that many share.
    """
    if kind not in ("number", "date"):
        codes, distinct = pd.factorize(as_words(values))
        return codes + 1, [MISSING, *map(str, distinct)], False
    numbers = as_scale(values, kind)
    known = ~np.isnan(numbers)
    distinct, places, counts = np.unique(numbers[known], return_inverse=True, return_counts=True)
    if len(distinct) > MOST_CODES:  # the rest of a measured scale is one level beside its spikes
        spikes = np.flatnonzero(counts >= SPIKE * known.sum())
        lookup = np.full(len(distinct), len(spikes) + 1)
        lookup[spikes] = np.arange(1, len(spikes) + 1)
        names = [MISSING, *(word(float(distinct[i])) for i in spikes), "any other value"]
        ordered = False
    else:
        lookup = np.arange(1, len(distinct) + 1)
        names, ordered = [MISSING, *(word(float(v)) for v in distinct)], True
    codes = np.zeros(len(numbers), dtype=int)
    codes[known] = lookup[places]
    return codes, names, ordered


def as_scale(values: pd.Series, kind: str) -> np.ndarray:
    if kind != "date":
        return as_numbers(values)
    numbers = values.astype("datetime64[s]").to_numpy().astype("int64").astype(float)
    numbers[values.isna().to_numpy()] = np.nan
    return numbers
