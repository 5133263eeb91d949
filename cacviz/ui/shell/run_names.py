"""What runs are called in lists: titles from `wording`, for rows of the store."""

from __future__ import annotations

from collections.abc import Sequence

from cacviz.store import runs
from cacviz.store.runs import RunRow
from cacviz.ui.shell.text import STATE_WORDS
from cacviz.wording.runs import Told, run_titles, told


def titles_of(rows: Sequence[RunRow]) -> dict[str, str]:
    """A title for each run, its own among those of its cohort; rows come newest first."""
    cohorts: dict[str, dict[str, Told]] = {}
    for row in reversed(rows):
        found = told(row.asked.config, row.asked.choices, row.asked.classes, row.card.name)
        cohorts.setdefault(row.asked.cohort_id, {})[row.id] = found
    titles = {id_: title for found in cohorts.values() for id_, title in run_titles(found).items()}
    return {row.id: _marked(row, titles[row.id]) for row in rows}


def title_of(row: RunRow) -> str:
    """What a run is called wherever it stands: its title among the runs of its cohort."""
    return titles_of(runs.list_runs(row.asked.cohort_id)).get(row.id, "This run")


def _marked(row: RunRow, title: str) -> str:
    star = "★ " if row.card.star else ""
    state = "" if row.state == "done" else f" ({STATE_WORDS[row.state]})"
    return f"{star}{title}{state}"
