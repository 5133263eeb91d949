"""Turns the outcome column into classes: as they are, cut at points, or cut at quantiles."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pandas as pd

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.answers import leaning
from cacviz.engine.reading.kinds import as_numbers, as_words, shorten, word
from cacviz.engine.types import Outcome

MAX_CLASSES = 10


def encode_outcome(values: pd.Series, outcome: Outcome) -> tuple[np.ndarray, tuple[str, ...]]:
    """Class codes (-1 where missing) and the names of the classes, the positive one last."""
    if values.isna().all():
        raise CohortError(
            f"The outcome '{shorten(outcome.column)}' is empty. Choose another column or check "
            "your export."
        )
    if outcome.cuts or outcome.quantiles:
        codes, classes = _encode_cut(values, outcome)
    else:
        codes, classes = _encode_as_is(values, outcome)
    return _positive_last(codes, classes, outcome)


def _encode_as_is(values: pd.Series, outcome: Outcome) -> tuple[np.ndarray, tuple[str, ...]]:
    name = shorten(outcome.column)
    if pd.api.types.is_datetime64_any_dtype(values):
        raise CohortError(f"The outcome '{name}' holds dates. Choose a column with classes.")
    codes, distinct = pd.factorize(values)
    if len(distinct) < 2:
        raise CohortError(
            f"The outcome '{name}' has one value only ({shorten(word(distinct[0]))}). Two or more "
            "are needed. Choose another column or check your export."
        )
    if len(distinct) > MAX_CLASSES:
        raise CohortError(_too_many(name, distinct))
    order = np.array(_ordered(distinct, np.bincount(codes[codes >= 0])))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    classes = tuple(shorten(word(distinct[i])) for i in order)
    return np.where(codes < 0, -1, place[codes]), classes


def _too_many(name: str, distinct: pd.Index) -> str:
    found = f"The outcome '{name}' has {len(distinct):,} different values"
    if pd.api.types.is_numeric_dtype(distinct):
        return f"{found}. Cut it into classes: type cut points, or choose a number of equal parts."
    return (
        f"{found}; up to {MAX_CLASSES} classes can be told apart. Choose another column, or merge "
        "values before the export."
    )


def _ordered(distinct: pd.Index, counts: np.ndarray) -> list[int]:
    """Numbers by value; words by letter, but those that say no first and events last.

    Of two classes whose words say neither, the rarer one is the event.
    """
    numbers = as_numbers(pd.Series(distinct))
    if not np.isnan(numbers).any():
        return [int(i) for i in np.argsort(numbers, kind="stable")]
    words = [str(w) for w in distinct]
    if len(words) == 2:
        keys = [(leaning(w), -n, w.casefold(), w) for w, n in zip(words, counts, strict=True)]
    else:
        keys = [(leaning(w) >= 0, 0, w.casefold(), w) for w in words]
    return sorted(range(len(keys)), key=keys.__getitem__)


def _encode_cut(values: pd.Series, outcome: Outcome) -> tuple[np.ndarray, tuple[str, ...]]:
    name, numbers = shorten(outcome.column), as_numbers(values)
    known = numbers[~np.isnan(numbers)]
    if not len(known) or not pd.api.types.is_numeric_dtype(values):
        example = shorten(as_words(values).dropna().iloc[0])
        raise CohortError(
            f"The outcome '{name}' cannot be cut: it holds words such as {example}. Use its "
            "classes as they are, or choose a column of numbers."
        )
    cuts = _typed_cuts(name, outcome.cuts) if outcome.cuts else _quantile_cuts(known, outcome)
    codes = np.where(np.isnan(numbers), -1, np.digitize(numbers, cuts, right=True))
    classes = _interval_names(cuts)
    counts = np.bincount(codes[codes >= 0], minlength=len(classes))
    if not counts.all():
        raise CohortError(
            f"No patient has '{name}' {classes[int(counts.argmin())]}: it runs from "
            f"{_number(known.min())} to {_number(known.max())}. Change the cut points."
        )
    return codes.astype(np.int64), classes


def _typed_cuts(name: str, cuts: tuple[float, ...]) -> np.ndarray:
    if not all(math.isfinite(c) for c in cuts):
        raise CohortError(f"A cut point of '{name}' is not a number. Type numbers such as 7, 13.")
    if len(set(cuts)) >= MAX_CLASSES:
        raise CohortError(
            f"{len(set(cuts))} cut points for '{name}' are too many: up to {MAX_CLASSES} classes "
            "can be told apart. Use fewer."
        )
    return np.array(sorted(set(cuts)), dtype=np.float64)


def _quantile_cuts(known: np.ndarray, outcome: Outcome) -> np.ndarray:
    name, parts = shorten(outcome.column), outcome.quantiles
    if not 2 <= parts <= MAX_CLASSES:
        raise CohortError(
            f"'{name}' can be cut into 2 to {MAX_CLASSES} equal parts; {parts} was asked for."
        )
    # a value that patients have, so that the class names are readable
    cuts = np.quantile(known, np.arange(1, parts) / parts, method="inverted_cdf")
    if len(np.unique(cuts)) < parts - 1 or cuts[-1] >= known.max():
        values, counts = np.unique(known, return_counts=True)
        common = counts.argmax()
        raise CohortError(
            f"'{name}' cannot be cut into {parts} equal parts: {counts[common] / len(known):.0%} "
            f"of patients have the value {_number(values[common])}. Use fewer parts or type cut "
            "points."
        )
    return cuts


def _interval_names(cuts: np.ndarray) -> tuple[str, ...]:
    points = [_number(c) for c in cuts]
    between = [f"> {a} to {b}" for a, b in pairwise(points)]
    return (f"≤ {points[0]}", *between, f"> {points[-1]}")


def _number(value: float) -> str:
    return f"{value:.6g}" if abs(value) < 1e15 and value != int(value) else word(float(value))


def _positive_last(
    codes: np.ndarray, classes: tuple[str, ...], outcome: Outcome
) -> tuple[np.ndarray, tuple[str, ...]]:
    if not outcome.positive:
        return codes, classes
    chosen = _find_class(classes, outcome.positive)
    if chosen is None:
        raise CohortError(
            f"The outcome '{shorten(outcome.column)}' has no class "
            f"{shorten(outcome.positive)}. It has: {', '.join(classes)}."
        )
    order = [i for i in range(len(classes)) if i != chosen] + [chosen]
    place = np.empty(len(order) + 1, dtype=np.int64)
    place[order] = np.arange(len(order))
    place[-1] = -1  # where code -1 looks itself up
    return place[codes], tuple(classes[i] for i in order)


def _find_class(classes: tuple[str, ...], wanted: str) -> int | None:
    if wanted in classes:
        return classes.index(wanted)
    try:
        return classes.index(word(float(wanted)))
    except (ValueError, OverflowError):
        return None
