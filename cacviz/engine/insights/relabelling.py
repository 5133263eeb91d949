"""Insights with the labels and units of today: they were made with those of their day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from cacviz.engine.types import Column


def relabelled(part: Any, columns: Sequence[Column]) -> Any:
    """The part with every feature in it titled as its column is titled today."""
    return _walk(part, {c.name: c for c in columns})


def _walk(value: Any, known: dict[str, Column]) -> Any:
    if isinstance(value, tuple):
        return tuple(_walk(item, known) for item in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    names = {f.name for f in fields(value)}
    changes = {n: new for n in names if (new := _walk(old := getattr(value, n), known)) is not old}
    column = known.get(getattr(value, "name", "")) if "title" in names else None
    # a log-rank test is titled by its event and not by the column of its name
    if column is not None and getattr(value, "test", "") != "log-rank":
        changes |= _today(value, names, column)
    return replace(value, **changes) if changes else value


def _today(value: Any, names: set[str], column: Column) -> dict[str, str]:
    changes = {"title": column.title}
    if "unit" in names:
        changes["unit"] = column.unit
    if "of" in names and value.of.startswith(value.title):  # Sex = F, Lactate not measured
        changes["of"] = column.title + value.of.removeprefix(value.title)
    return changes
