"""Finds the row of column names where a title stands above it."""

from __future__ import annotations

from collections.abc import Sequence

from cacviz.engine.reading.kinds import shorten

DEEP = 20  # rows in which the column names must appear


def header_row(rows: Sequence[Sequence[str]]) -> int:
    """The place of the column names: below rows of a title, which fill a cell or two.

    A row of names is nearly full and mostly words, and has numbers below it; else it is the first.
    """
    filled = [sum(bool(cell.strip()) for cell in row) for row in rows]
    width = max(filled[: 2 * DEEP], default=0)
    place = 0
    while place < min(len(rows) - 1, DEEP) and _is_title(filled[place], width):
        place += 1
    if place == 0 or filled[place] < 0.8 * width:
        return 0
    return place if _names_columns(rows[place], rows[place + 1 : place + DEEP]) else 0


def title_note(rows: Sequence[Sequence[str]], n_skipped: int) -> str:
    """What was skipped, in the words of the file."""
    words = next((c.strip() for row in rows for c in row if c.strip()), "")
    what = (
        "The first row is a title" if n_skipped == 1 else f"The first {n_skipped} rows are titles"
    )
    return f"{what} ({shorten(words)}); the column names were taken from the row below."


def _is_title(n_filled: int, width: int) -> bool:
    return n_filled < 0.5 * width and n_filled <= 2 and width > 2


def _names_columns(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    cells = [cell for cell in row if cell.strip()]
    words = [cell for cell in cells if not _is_number(cell)]
    return len(words) > 0.5 * len(cells) and any(_is_number(c) for r in below for c in r)


def _is_number(cell: str) -> bool:
    try:
        float(cell.strip().replace(",", "."))
    except ValueError:
        return False
    return True
