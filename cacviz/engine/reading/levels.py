"""Levels of a category: the order in which they are shown, and those spelled in two ways."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pandas as pd

_ROMAN = re.compile(r"(?P<before>.*?)\b(?P<number>[IVX]+)(?P<after>[a-dA-D]?)")
_NUMBER = re.compile(r"(?P<before>\D*?)(?P<number>-?\d+(?:\.\d+)?)(?P<after>.*)")
_DIGITS = {"I": 1, "V": 5, "X": 10}
MOST_SPELLED = 200  # different levels; more are names or free text


def ordered_levels(counts: Mapping[str, int]) -> list[str]:
    """By the number that all carry (I to IV, Stage 1 to 3), else the most frequent first."""
    for pattern, value in ((_ROMAN, _roman), (_NUMBER, float)):
        found = {level: pattern.fullmatch(level) for level in counts}
        matches = [m for m in found.values() if m]
        if len(matches) == len(counts) and len({m["before"] for m in matches}) == 1:
            keys = {w: (value(m["number"]), m["after"]) for w, m in found.items() if m}
            return sorted(counts, key=keys.__getitem__)
    return sorted(counts, key=lambda level: (-counts[level], level))


def _roman(text: str) -> float:
    digits = [_DIGITS[c] for c in text]
    return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))


def spellings(values: pd.Series) -> dict[str, str]:
    """Levels that differ in capitals or blanks alone (m and M): each rarer with the commonest."""
    if pd.api.types.is_numeric_dtype(values):
        return {}
    counts = values.value_counts()
    if len(counts) > MOST_SPELLED:
        return {}
    first: dict[str, str] = {}
    variants = {}
    for word in map(str, counts.index):  # the commonest first
        usual = first.setdefault(" ".join(word.casefold().split()), word)
        if usual != word:
            variants[word] = usual
    return variants
