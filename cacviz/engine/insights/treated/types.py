"""The effect of a treatment in each subtype, and whether it differs between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cacviz.engine.insights.types import Survival
from cacviz.engine.types import Scored

EVERYBODY = -1  # in place of a cluster: all held-out patients
How = Literal["chi-square", "exact", "bootstrap"]  # the last in older runs


@dataclass(frozen=True, slots=True)
class ArmEffect:
    """One arm beside the reference in one subtype, held-out patients."""

    cluster: int  # EVERYBODY for all
    arm: int
    n: int
    events: int
    n_reference: int
    events_reference: int
    difference: Scored  # of the risks
    odds_ratio: Scored


@dataclass(frozen=True, slots=True)
class Interaction:
    """Whether odds ratios differ between subtypes beyond chance; runs of before have no power."""

    p: float
    statistic: float
    freedom: int
    n: int
    how: How
    factor: float = float("nan")  # between odds ratios, that 80 of 100 such studies would find
    power: float = float("nan")  # to find odds ratios that differ by a factor of two
    tests: int = 1  # outcome classes tested, for which p is adjusted (Holm)


@dataclass(frozen=True, slots=True)
class TreatmentView:
    """Effects on the risk of one class."""

    code: int
    effects: tuple[ArmEffect, ...]
    interaction: Interaction | None  # None where too few patients are left to test


@dataclass(frozen=True, slots=True)
class Imbalance:
    """A feature that differs between the arms before treatment."""

    name: str
    title: str
    difference: float  # largest standardised mean difference between two arms


@dataclass(frozen=True, slots=True)
class Treatment:
    """A treatment's arms, effects by subtype, survival by arm, and how alike the arms were."""

    name: str
    title: str
    arms: tuple[str, ...]
    reference: int
    counts: tuple[tuple[int, ...], ...]  # held-out patients by subtype and arm
    views: tuple[TreatmentView, ...]
    survival: tuple[Survival | None, ...]  # of each subtype, a curve an arm
    imbalances: tuple[Imbalance, ...]  # the largest first
    n_features: int
    n_imbalanced: int  # with a difference of a tenth of a standard deviation or more
