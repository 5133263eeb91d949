"""Whom the risks serve worse: who is missed at a threshold, and whose risks are too low or high."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

from cacviz.engine.insights.judged.types import Calibration
from cacviz.engine.scoring.shares import difference, wilson
from cacviz.engine.types import Scored
from cacviz.wording.words import listed

ONE_THRESHOLD = "With one threshold for all, those of groups at lower risk are easily missed."


class Missed(NamedTuple):
    """A group and its events: how many of them are not flagged; `column` where it is sensitive."""

    title: str
    missed: int
    events: int
    column: str = ""


def more_missed(groups: Sequence[Missed], everybody: Missed, what: str) -> str:
    """The groups of whom clearly more events are missed than of everybody; or empty.

    Intervals allow for the number of groups (Šidák).
    """
    z = NormalDist().inv_cdf(0.5 + 0.95 ** (1 / max(1, len(groups))) / 2)
    usual = everybody.missed / max(1, everybody.events)
    found = [
        f"{_share(g)} in {g.title}"
        for g in groups
        if g.events and wilson(g.missed, g.events, z).low > usual
    ]
    if not found:
        return ""
    return (
        f"At this threshold {usual:.0%} of those with {what} are missed, but {listed(found)} (clear of chance, {len(groups)} "
        f"groups looked at). {ONE_THRESHOLD}"
    )


def unequal(groups: Sequence[Missed], what: str) -> list[str]:
    """For each sensitive column: in which of its groups more are missed, and how sure that is."""
    columns = dict.fromkeys(g.column for g in groups if g.column)
    return [said for c in columns if (said := _unequal([g for g in groups if g.column == c], what))]


def _unequal(groups: Sequence[Missed], what: str) -> str:
    if len(groups) < 2:
        return ""
    ordered = sorted(groups, key=lambda g: g.missed / g.events)
    less, more = ordered[0], ordered[-1]
    pairs = len(groups) * (len(groups) - 1) // 2
    gap = difference(more[1:3], less[1:3], pairs)
    beside = (
        f"of those with {what} {_share(more)} are missed in {more.title}, {_share(less)} in "
        f"{less.title}: {_points(gap)}"
    )
    if gap.low > 0:
        return f"By {more.column}: {beside}. {ONE_THRESHOLD}"
    return f"By {more.column}: no clear difference in who is missed ({beside})."


def _share(group: Missed) -> str:
    return f"{group.missed / group.events:.0%} ({group.missed:,} of {group.events:,})"


def _points(gap: Scored) -> str:
    value, low, high = (100 * v for v in (gap.value, gap.low, gap.high))
    return f"{value:.0f} points more (95% interval {low:.0f} to {high:.0f})"


def too_low_or_high(groups: Sequence[tuple[str, Calibration]]) -> str:
    """Groups whose risks are on the whole not right in size, by the interval of the intercept."""
    low = [title for title, found in groups if found.intercept.low > 0]
    high = [title for title, found in groups if found.intercept.high < 0]
    parts = [f"too low in {listed(low)}"] if low else []
    parts += [f"too high in {listed(high)}"] if high else []
    return (
        f"On the whole the risks are {' and '.join(parts)} (95% intervals, each by itself)."
        if parts
        else ""
    )
