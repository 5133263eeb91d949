"""What was decided about a run's risks: whether they are recalibrated, and the threshold.

runs/01J…/risks.json    the user's own, as the card is
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cacviz.store import atomic, insights, paths, runs, unix
from cacviz.store.records import from_plain, to_plain

FILE = "risks.json"


@dataclass(frozen=True, slots=True)
class RiskChoices:
    """`thresholds` has a share of 1 by class code; classes without one take their own default.

    `slope` and `shifts` are how risks are recalibrated where that was chosen: softmax(slope · log
    risk + shift). They stand here, and not with the insight alone, so that they travel.
    """

    recalibrated: bool = False
    thresholds: Mapping[str, float] = field(default_factory=dict)
    slope: float = 1.0
    shifts: tuple[float, ...] = ()


def read_choices(run: str | Path) -> RiskChoices:
    """As kept with the run; a damaged file means the defaults."""
    try:
        return from_plain(RiskChoices, atomic.read_json(runs.run_folder(run) / FILE) or {})
    except ValueError:
        return RiskChoices()


def remedy_of(run: str | Path) -> tuple[float, tuple[float, ...]] | None:
    """How risks are recalibrated, where that was chosen for the run."""
    chosen = read_choices(run)
    if not chosen.recalibrated:
        return None
    if chosen.shifts:
        return chosen.slope, chosen.shifts
    made = insights.load_part(run, "performance")  # chosen before it was kept with the choice
    found = made.remedy if made is not None else None
    return None if found is None else (found.slope, found.shifts)


def checked(data: bytes, n_classes: int) -> RiskChoices:
    """Choices that came from elsewhere; a ValueError where they are none."""
    said = from_plain(RiskChoices, json.loads(data))
    numbers = (said.slope, *said.shifts, *said.thresholds.values())
    if not all(math.isfinite(n) for n in numbers) or said.slope <= 0:
        raise ValueError("a number that is none")
    if said.shifts and len(said.shifts) != n_classes:
        raise ValueError("another number of classes")
    return said


@atomic.explained()
def change_choices(run: str | Path, **changes: Any) -> RiskChoices:
    """Keep another decision with the run."""
    folder = runs.run_folder(run)
    with unix.locked(paths.lock_file()):
        wanted = replace(read_choices(run), **changes)
        atomic.write_json(folder / FILE, to_plain(wanted))
    return wanted
