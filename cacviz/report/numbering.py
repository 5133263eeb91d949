"""Tables and figures are numbered in the order in which they stand, alike in every format."""

from __future__ import annotations

from typing import Any

from cacviz.report.blocks import Grid, Picture, Report


def numbers_of(report: Report) -> dict[int, int]:
    """The number of each table and figure, by its identity."""
    found: dict[int, int] = {}
    for kind in (Grid, Picture):
        own = [block for block in report.blocks() if isinstance(block, kind)]
        found |= {id(block): place for place, block in enumerate(own, 1)}
    return found


def written(cell: Any) -> str:
    """A cell of a table as words: numbers with separators, nothing where nothing is known."""
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, bool) or not isinstance(cell, (int, float)):
        return str(cell)
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.4g}"


def is_number(cell: Any) -> bool:
    return isinstance(cell, (int, float)) and not isinstance(cell, bool)
