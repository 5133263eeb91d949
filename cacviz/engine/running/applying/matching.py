"""Another table's columns as a run uses them: matched by name, read as the run read its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.making import named_levels, without_code
from cacviz.engine.preparation.preparing import Preparation
from cacviz.engine.reading.kinds import as_numbers, as_words, as_yesno
from cacviz.engine.running.applying.types import FINE, Match, Matched
from cacviz.engine.running.applying.units import column_conversion, flagged, ranges_of
from cacviz.engine.types import Column


def match_table(
    frame: pd.DataFrame, columns: Sequence[Column], preparation: Preparation
) -> Matched:
    """The columns that the run uses, in its own reading; those that are not there are empty."""
    used = set(preparation.sources_)
    ranges = ranges_of(preparation)
    names = names_in(frame, [c.name for c in columns if c.name in used])
    made, matches, flags = {}, [], {}
    for column in (c for c in columns if c.name in used):
        found = names[column.name]
        if found is None:
            made[column.name] = pd.Series(np.full(len(frame), np.nan), index=frame.index)
            matches.append(Match(column, None, range=ranges.get(column.name)))
            continue
        values, kept = read_as(frame[found], column)
        match = _judged(Match(column, found, range=ranges.get(column.name)), kept, preparation)
        made[column.name] = values
        if match.range is not None:
            numbers = as_numbers(values)
            flags[column.name] = flagged(numbers, column, match.range)
            match = _ranged(match, numbers, flags[column.name])
        matches.append(match)
    return Matched(pd.DataFrame(made, index=frame.index), tuple(matches), flags)


def names_in(frame: pd.DataFrame, wanted: Sequence[str]) -> dict[str, str | None]:
    """Each wanted column's name in the table: the same, or the same but for case and signs."""
    there = set(frame.columns)
    alike: dict[str, list[str]] = {}
    for name in frame.columns:
        alike.setdefault(_bare(name), []).append(name)
    taken = there & set(wanted)
    names: dict[str, str | None] = {}
    for name in wanted:
        others = [n for n in alike.get(_bare(name), []) if n not in taken]
        names[name] = name if name in there else others[0] if len(others) == 1 else None
    return names


def _bare(name: str) -> str:
    return re.sub(r"[\W_]+", "", str(name)).casefold()


def read_as(values: pd.Series, column: Column) -> tuple[pd.Series, pd.Series]:
    """The values as the run reads this column, and what was there before it was read so."""
    for code in column.missing:
        values = without_code(values, code)
    if column.levels:
        named = named_levels(values, dict(column.levels))
        return named, named
    if column.kind == "number":
        return pd.Series(as_numbers(values), index=values.index, name=column.name), values
    if column.kind == "yesno":
        return values, values
    return as_words(values), values


def _judged(match: Match, values: pd.Series, preparation: Preparation) -> Match:
    """How much of a column could be used, and how many levels training never saw."""
    name, there = match.column.name, values.notna().to_numpy()
    if name in preparation.levels_:
        learned = preparation.levels_[name]
        new = there & ~as_words(values).isin(learned["kept"]).to_numpy(dtype=bool)
        unknown, n = int(new.sum()), int(there.sum())
        if learned["other"]:
            return replace(match, known=n, pooled=unknown)
        return replace(match, known=n - unknown, unknown=unknown)
    as_read = as_yesno if match.column.kind == "yesno" else as_numbers
    lost = int((there & np.isnan(as_read(values))).sum())
    return replace(match, known=int(there.sum()) - lost, unreadable=lost)


def _ranged(match: Match, numbers: np.ndarray, flags: np.ndarray) -> Match:
    assert match.range is not None
    conversion = column_conversion(numbers, match.column, match.range)
    return replace(match, far=int((flags != FINE).sum()), conversion=conversion)
