"""What the sections of a report are made from: a run with all that is stored of it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from cacviz.engine.cohorts.choosing import relabelled as with_labels
from cacviz.engine.cohorts.making import rechosen
from cacviz.engine.insights.described.small_cells import hide_small, without_small
from cacviz.engine.insights.registry import INSIGHTS
from cacviz.engine.insights.relabelling import relabelled
from cacviz.engine.types import Check, Cohort, RunSummary, Step
from cacviz.store import atomic, cohorts, insights, known, runs
from cacviz.store.records import from_plain
from cacviz.wording.words import subtype_name, subtype_title

MOST_NAMED = 4  # subtypes whose names have room at an axis


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """A run, its patients, and what is known of both; `hide` keeps small counts out of sight."""

    run: runs.StoredRun
    folder: Path
    cohort: Cohort
    names: tuple[str, ...]  # of the subtypes
    hide: bool = True
    checks: tuple[Check, ...] | None = None  # None where nobody has looked
    steps: tuple[Step, ...] = ()
    held: dict[str, Any] = field(default_factory=dict)

    @property
    def summary(self) -> RunSummary:
        return self.run.summary

    @property
    def titles(self) -> list[str]:
        return [subtype_title(j, name) for j, name in enumerate(self.names)]

    @property
    def heads(self) -> list[str]:
        """What stands at axes and over columns: of many subtypes the numbers alone."""
        if len(self.names) <= MOST_NAMED:
            return self.titles
        return [subtype_name(j) for j in range(len(self.names))]

    @property
    def outcome(self) -> str:
        name = self.summary.outcome.column
        return next((c.title for c in self.cohort.columns if c.name == name), name)

    def part(self, name: str) -> Any:
        """An insight of the run, its columns called what they are called today; or None."""
        if name not in self.held and name in INSIGHTS:
            found = insights.load_part(self.folder, name)
            found = None if found is None else relabelled(found, self.cohort.columns)
            if found is not None and self.hide and name == "described":
                found = _hidden(found)
            self.held[name] = found
        return self.held.get(name)

    def hidden_outcomes(self) -> np.ndarray:
        """Subtypes by classes: True where a held-out count is too small to be told."""
        counts = np.array([c.test_counts for c in self.summary.clusters])
        return hide_small(counts) if self.hide else np.zeros(counts.shape, dtype=bool)


def _hidden(described: Any) -> Any:
    return replace(described, profiles=without_small(described.profiles))


def gather(run: str | Path, *, hide: bool = True) -> Material:
    """All that is stored of a run, an id or a folder."""
    folder = runs.run_folder(run)
    stored = runs.load_run(folder)
    record = _record(stored.asked.cohort_id)
    cohort = _cohort(stored, record)
    return Material(
        run=stored,
        folder=folder,
        cohort=cohort,
        names=insights.subtype_names(folder, len(stored.summary.clusters)),
        hide=hide,
        checks=_checks(stored.asked.cohort_id, cohort) if record else None,
        steps=cohorts.steps_of(record) if record else (),
    )


def _record(cohort_id: str) -> cohorts.CohortRecord | None:
    with suppress(atomic.StoreError):
        return cohorts.describe_cohort(cohort_id).record
    return None


def _cohort(stored: runs.StoredRun, record: cohorts.CohortRecord | None) -> Cohort:
    """The patients as the run saw them, with today's labels; nobody where they are not here."""
    if record is None:
        return runs.cohort_of_run(replace(stored.asked, cohort_id=""))
    cohort = runs.cohort_of_run(stored.asked)
    return rechosen(cohort, with_labels(cohort.choices, record.choices))


def _checks(cohort_id: str, cohort: Cohort) -> tuple[Check, ...] | None:
    """What the page Cohort found of these very choices."""
    found = known.recall(known.of_cohort(cohort_id), "checks", known.check_key(cohort))
    return None if found is None else from_plain(tuple[Check, ...], found)
