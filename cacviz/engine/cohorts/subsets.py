"""Subgroups of a cohort: patients who meet some conditions, such as age over 65 and septic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cacviz.engine.reading.kinds import as_numbers, as_words
from cacviz.engine.types import Condition


def mask_of(frame: pd.DataFrame, conditions: Sequence[Condition]) -> np.ndarray:
    """Who meets all conditions; a value that is missing meets none."""
    inside = np.ones(len(frame), dtype=bool)
    for condition in conditions:
        inside &= _meets(frame[condition.column], condition)
    return inside


def _meets(values: pd.Series, condition: Condition) -> np.ndarray:
    if condition.levels:
        return as_words(values).isin(condition.levels).to_numpy(dtype=bool)
    numbers = as_numbers(values)
    low = -np.inf if condition.low is None else condition.low
    high = np.inf if condition.high is None else condition.high
    return (numbers >= low) & (numbers <= high)
