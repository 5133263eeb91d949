"""The outcome of another cohort in the classes of a run."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.engine.reading.answers import leaning
from cacviz.engine.reading.kinds import as_numbers, as_words, shorten, word
from cacviz.engine.types import Outcome

FEWEST_KNOWN = 0.8  # of the values that must be classes of the run


def classes_of(values: pd.Series, outcome: Outcome, classes: tuple[str, ...]) -> np.ndarray:
    """Class codes of the run, -1 where there is none."""
    if outcome.quantiles:
        raise ConfigError(
            "The run's outcome was cut into equal parts of its own cohort, which another cohort "
            "cannot repeat. Run it with cut points (--cut) instead."
        )
    if outcome.cuts:
        return _cut(values, outcome, classes)
    words = as_words(values)
    place = {_key(name): i for i, name in enumerate(classes)}
    codes = words.map(lambda w: place.get(_key(str(w)), -1), na_action="ignore")
    codes = codes.fillna(-1).to_numpy(dtype=np.int64)
    known = words.notna().to_numpy()
    if known.any() and (codes[known] >= 0).mean() < FEWEST_KNOWN:
        codes = _by_leaning(words, classes, values.name)
    return codes


def _key(text: str) -> str:
    """0, 0.0 and "0" are one class."""
    try:
        return word(float(text))
    except (ValueError, OverflowError):
        return text.casefold().strip()


def _by_leaning(words: pd.Series, classes: tuple[str, ...], name: object) -> np.ndarray:
    """Two classes in other words: yes and no, dead and alive, 1 and 0."""
    sides = {w: _side(str(w)) for w in words.dropna().unique()}
    told = [_side(c) for c in classes]
    if len(classes) != 2 or sorted(told) != [0, 1] or not set(sides.values()) <= {0, 1}:
        found = ", ".join(shorten(str(w)) for w in list(sides)[:6])
        raise CohortError(
            f"The outcome '{shorten(str(name))}' has other values ({found}) than the run's classes "
            f"({', '.join(classes)}). Name the column that holds them, or recode it."
        )
    found_codes = words.map(lambda w: told.index(sides[w]), na_action="ignore")
    return found_codes.fillna(-1).to_numpy(dtype=np.int64)


def _side(text: str) -> int:
    """1 for what says yes or an event, 0 for what says no, -1 for neither."""
    if _key(text) in ("0", "1"):
        return int(_key(text))
    lean = leaning(text)
    return 1 if lean > 0 else 0 if lean < 0 else -1


def _cut(values: pd.Series, outcome: Outcome, classes: tuple[str, ...]) -> np.ndarray:
    numbers = as_numbers(values)
    if np.isnan(numbers).all():
        raise CohortError(
            f"The outcome '{shorten(str(values.name))}' holds no numbers, and the run's was cut at "
            f"{', '.join(f'{c:g}' for c in outcome.cuts)}. Name another column."
        )
    codes = np.digitize(numbers, sorted(set(outcome.cuts)), right=True)
    codes = np.where(np.isnan(numbers), -1, np.minimum(codes, len(classes) - 1))
    return codes.astype(np.int64)
