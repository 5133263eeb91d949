"""Times of a file, in whatever form they are written, become hours."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import as_numbers, shorten
from cacviz.engine.reading.tables import type_column
from cacviz.engine.types import TimeUnit

HOURS: dict[TimeUnit, float] = {"seconds": 1 / 3600, "minutes": 1 / 60, "hours": 1, "days": 24}
_CLOCK = re.compile(r"(\d{1,5}):([0-5]\d)(?::([0-5]\d))?$")
_UNITS: tuple[tuple[TimeUnit, set[str]], ...] = (
    ("seconds", {"sec", "secs", "second", "seconds"}),
    ("minutes", {"min", "mins", "minute", "minutes"}),
    ("hours", {"h", "hr", "hrs", "hour", "hours", "iculos"}),
    ("days", {"day", "days"}),
)


class Clock(NamedTuple):
    """Hours of each row, and how they were read: dated ones have no zero in common."""

    hours: np.ndarray
    dated: bool = False
    unit: TimeUnit | None = None  # of plain numbers


def as_hours(column: str, values: pa.Array, unit: TimeUnit | None, name: str) -> Clock:
    """Numbers in their unit, clocks (47:30) since the start, or dates, as hours a row."""
    kind = values.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        stamps = values.cast(pa.timestamp("us"), safe=False)
        return Clock(_checked(_of_stamps(stamps.to_pandas()), column, values, name), dated=True)
    if pa.types.is_duration(kind):
        micros = values.cast(pa.duration("us"), safe=False).to_pandas()
        hours = (micros / pd.Timedelta(hours=1)).to_numpy(np.float64)
        return Clock(_checked(hours, column, values, name))
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        numbers = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        return _of_numbers(_checked(numbers, column, values, name), unit or unit_of(column))
    return _of_words(column, values, unit, name)


def unit_of(column: str) -> TimeUnit | None:
    """The unit that a column's name tells: minutes, time_h, ICULOS."""
    words = set(re.split(r"[^a-z]+", column.casefold()))
    return next((unit for unit, names in _UNITS if words & names), None)


def _of_words(column: str, values: pa.Array, unit: TimeUnit | None, name: str) -> Clock:
    """Told from the distinct words, so that a million rows cost little more than a thousand."""
    typed = type_column(column, values, [], False).values
    if pd.api.types.is_datetime64_any_dtype(typed):
        return Clock(_checked(_of_stamps(typed), column, values, name), dated=True)
    if pd.api.types.is_numeric_dtype(typed):
        numbers = as_numbers(typed)
        return _of_numbers(_checked(numbers, column, values, name), unit or unit_of(column))
    encoded = typed.astype("category").cat
    words = encoded.categories.to_series()
    places = encoded.codes.to_numpy()
    numbers = as_numbers(words)  # 00, 01, … are codes elsewhere, but hours here
    if not np.isnan(numbers).any():
        hours = np.append(numbers, np.nan)[places]
        return _of_numbers(_checked(hours, column, values, name), unit or unit_of(column))
    clocks = np.append([clock_hours(w) for w in words], np.nan)
    return Clock(_checked(clocks[places], column, values, name))


def clock_hours(text: str) -> float:
    """47:30 as 47.5; NaN where it is no clock."""
    found = _CLOCK.match(text.strip())
    if not found:
        return np.nan
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return hours + minutes / 60 + seconds / 3600


def _of_numbers(numbers: np.ndarray, unit: TimeUnit | None) -> Clock:
    return Clock(numbers * HOURS[unit or "hours"], unit=unit or "hours")


def _of_stamps(stamps: pd.Series) -> np.ndarray:
    since = stamps - stamps.min()
    return (since / pd.Timedelta(hours=1)).to_numpy(np.float64)


def _checked(hours: np.ndarray, column: str, values: pa.Array, name: str) -> np.ndarray:
    """Every row needs a time: one without it belongs nowhere."""
    wrong = ~np.isfinite(hours)
    if not wrong.any():
        return hours
    row = int(np.flatnonzero(wrong)[0])
    found = shorten(pc.cast(values.slice(row, 1), pa.string())[0].as_py() or "")
    more = f" So it is in {int(wrong.sum()):,} rows." if wrong.sum() > 1 else ""
    raise CohortError(
        f"Row {row + 2:,} of {name}: the time {f'{found!r} ' if found else ''}in column "
        f"'{shorten(column)}' is {'no number, clock (07:30) or date' if found else 'missing'}."
        f"{more} Correct it, leave the row out, or say which column holds the time."
    )
