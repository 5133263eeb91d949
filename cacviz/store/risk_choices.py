"""What was decided about a run's risks: whether they are recalibrated, and the threshold.

runs/01J…/risks.json    the user's own, as the card is
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cacviz.store import atomic, paths, runs, unix
from cacviz.store.records import from_plain, to_plain

FILE = "risks.json"


@dataclass(frozen=True, slots=True)
class RiskChoices:
    """`thresholds` has a share of 1 by class code; classes without one take their own default."""

    recalibrated: bool = False
    thresholds: Mapping[str, float] = field(default_factory=dict)


def read_choices(run: str | Path) -> RiskChoices:
    """As kept with the run; a damaged file means the defaults."""
    try:
        return from_plain(RiskChoices, atomic.read_json(runs.run_folder(run) / FILE) or {})
    except ValueError:
        return RiskChoices()


@atomic.explained()
def change_choices(run: str | Path, **changes: Any) -> RiskChoices:
    """Keep another decision with the run."""
    folder = runs.run_folder(run)
    with unix.locked(paths.lock_file()):
        wanted = replace(read_choices(run), **changes)
        atomic.write_json(folder / FILE, to_plain(wanted))
    return wanted
