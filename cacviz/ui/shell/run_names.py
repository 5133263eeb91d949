"""What runs are called in lists: titles from `wording`, for rows of the store."""

from __future__ import annotations

from collections.abc import Sequence

from cacviz.store.runs import RunRow
from cacviz.ui.shell.text import STATE_WORDS
from cacviz.wording.runs import run_titles, told


def titles_of(rows: Sequence[RunRow]) -> dict[str, str]:
    """A title of its own for each run; rows come newest first."""
    oldest_first = list(reversed(rows))
    found = {
        row.id: told(row.asked.config, row.asked.choices, row.asked.classes, row.card.name)
        for row in oldest_first
    }
    titles = run_titles(found)
    return {row.id: _marked(row, titles[row.id]) for row in rows}


def _marked(row: RunRow, title: str) -> str:
    star = "★ " if row.card.star else ""
    state = "" if row.state == "done" else f" ({STATE_WORDS[row.state]})"
    return f"{star}{title}{state}"
