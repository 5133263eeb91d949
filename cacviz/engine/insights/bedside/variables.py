"""Features as a bedside has them: one value each, in its own unit, typical where not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cacviz.engine.insights.bedside.types import Line, VariableKind
from cacviz.engine.reading.answers import is_sex
from cacviz.engine.reading.kinds import as_words, as_yesno, shorten
from cacviz.engine.types import Column
from cacviz.engine.types.telling import short_number

MOST_LEVELS = 6  # of a category that fits on a card
MOST_GAPS = 0.25  # of the training patients: beyond, the card asks whether there is a value at all


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A feature of every patient: numbers, or places in `levels`; and its prepared columns."""

    name: str
    title: str
    unit: str
    kind: VariableKind
    levels: tuple[str, ...]
    values: np.ndarray
    typical: float
    places: tuple[int, ...]  # of its prepared columns
    always: bool = False  # known of everybody: whether something was measured

    def line(self) -> Line:
        """The variable as a card names it; nothing typical of what is always known."""
        number = self.kind == "number"
        said = short_number(self.typical) if number else self.levels[int(self.typical)]
        return Line(self.name, self.title, self.unit, self.kind, "" if self.always else said)


def variables_of(preparation, frame, columns: Sequence[Column], train):
    """The features that fit on a card, and the names of those that do not.

    Filled in by what is typical of training patients. Of a column with many gaps the card asks
    whether there is a value: a typical one would sort the patients without any by a cut beside it.
    """
    measured = preparation.measured(frame)
    places: dict[str, list[int]] = {}
    for i, p in enumerate(preparation.plan_):
        if p["kind"] != "gone":
            places.setdefault(p["source"], []).append(i)
    known = {c.name: c for c in columns}
    found, passed_over = [], []
    for name, own in places.items():
        levels = _levels(preparation, name, own)
        if len(levels) > MOST_LEVELS:
            passed_over.append(name)
            continue
        kind: VariableKind = preparation.plan_[own[0]]["kind"] if not levels else "category"
        values = _codes(measured[:, own], levels) if levels else measured[:, own[0]]
        gone = np.isnan(values)
        if gone[train].mean() > MOST_GAPS:
            found.append(_whether_known(name, known, gone, train, own))
            continue
        filled, typical = _filled(values, train, kind)
        said = _answers(frame[name], name) if kind == "yesno" else levels
        column = known.get(name, Column(name, "number"))
        variable = Variable(
            name, column.title, column.unit, kind, said, filled, typical, tuple(own)
        )
        found.append(variable)
    return found, tuple(passed_over)


def _whether_known(name, known, gone, train, own) -> Variable:
    title = known[name].title if name in known else name
    there = np.where(gone, 0.0, 1.0)
    usual = float(there[train].mean() >= 0.5)
    said = ("has no value", "has a value")
    return Variable(name, title, "", "yesno", said, there, usual, tuple(own), always=True)


def _levels(preparation, name, own) -> tuple[str, ...]:
    """The levels of a category in the order of their codes; none for numbers and yes/no."""
    if preparation.plan_[own[0]]["kind"] != "level":
        return ()
    held: Mapping = preparation.levels_[name]
    shown = [*held["kept"], "other"] if held["other"] else list(held["kept"])
    return tuple(shorten(word, 24) for word in shown)


def _answers(values: pd.Series, name: str) -> tuple[str, ...]:
    """No and yes; of a sex its own two words, as in every table."""
    own = sorted(as_words(values).dropna().unique()) if is_sex(name) else []
    if len(own) != 2:
        return "no", "yes"
    first, second = sorted(own, key=lambda word: as_yesno(pd.Series([word]))[0])
    return first, second


def _codes(columns, levels):
    """Each patient's level; of two levels one column tells, of more each has its own."""
    gone = np.isnan(columns).all(axis=1)
    if columns.shape[1] == 1:
        codes = columns[:, 0].copy()
    else:
        first = len(levels) - columns.shape[1]  # a level that never varied has no column
        codes = np.nan_to_num(columns).argmax(axis=1).astype(float) + first
    codes[gone] = np.nan
    return codes


def _filled(values, train, kind):
    known = values[train]
    known = known[~np.isnan(known)]
    if kind == "number":
        typical = float(np.median(known)) if len(known) else 0.0
    else:
        typical = float(np.bincount(known.astype(int)).argmax()) if len(known) else 0.0
    return np.where(np.isnan(values), typical, values), typical


def readable(at: float, values: np.ndarray) -> float:
    """A cut point as a person would write it, near enough not to matter.

    Whole numbers are cut at whole numbers; others to about an eighth of their spread.
    """
    spread = float(np.std(values))
    if not spread > 0:
        return float(at)
    scale = 10.0 ** np.floor(np.log10(spread / 8))
    step = max(s * scale for s in (1, 2, 5) if s * scale <= spread / 8 * 1.001)
    if np.all(values == np.round(values)):
        return float(np.floor(at) if step < 2 else np.floor(at / step) * step)
    return float(f"{round(at / step) * step:.6g}")
