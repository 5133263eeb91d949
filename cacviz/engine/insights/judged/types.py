"""How good the risks are on held-out patients: over all, by subtype, by sensitive group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from cacviz.engine.types import Scored

ENOUGH = 10  # events, and patients without: below, words stand in place of numbers
GroupKind = Literal["all", "subtype", "sensitive"]


@dataclass(frozen=True, slots=True)
class Group:
    """Held-out patients who are judged together.

    `level` is of a sensitive column; `cluster` of a subtype; rows are found again by `members`.
    """

    kind: GroupKind
    cluster: int = -1
    column: str = ""
    level: str = ""
    low: float = float("nan")  # of a number: from, up to and with
    high: float = float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """ROC, precision and recall, and net benefit, each patients' value with a 95% band."""

    roc: np.ndarray  # 3 × grid: value, low, high
    precision: np.ndarray
    benefit: np.ndarray
    one: np.ndarray  # net benefit of one model for all
    after: np.ndarray  # net benefit once recalibrated, or of the risks as they are


@dataclass(frozen=True, slots=True)
class Calibration:
    """Whether risks mean what they say; `bins` are (n, mean risk, events)."""

    intercept: Scored
    slope: Scored
    brier: Scored
    brier_chance: float  # of saying the prevalence to everybody
    bins: tuple[tuple[int, float, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One group and one class: how many, how often, and how well it is foretold.

    Where there are fewer than `ENOUGH` events, or others, nothing but counts is told.
    """

    group: Group
    n: int
    events: int
    rate: Scored
    auc: Scored | None = None
    auprc: Scored | None = None
    curves: Curves | None = None
    calibration: Calibration | None = None
    after: Calibration | None = None  # once recalibrated on validation patients

    @property
    def told(self) -> bool:
        return self.auc is not None


@dataclass(frozen=True, slots=True)
class Remedy:
    """Recalibration learned from validation patients: softmax(slope · log risk + shift)."""

    slope: float
    shifts: tuple[float, ...]
    n: int


@dataclass(frozen=True, slots=True, eq=False)
class ClassView:
    """All groups for the risk of one class."""

    code: int
    judged: tuple[Judged, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Performance:
    """How good a run is on held-out patients, and for whom."""

    views: tuple[ClassView, ...]
    grid: np.ndarray  # of false-positive rate, and of recall
    thresholds: np.ndarray
    remedy: Remedy | None
    beside: str  # the one model for all of the decision curve: k=1 or lr
    n_boot: int
    one_proba: np.ndarray  # of held-out patients × classes
