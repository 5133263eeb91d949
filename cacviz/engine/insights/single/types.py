"""What a run says of one patient; plain values, ready to be sent to a page."""

from __future__ import annotations

from dataclasses import dataclass

from cacviz.engine.types import Scored


@dataclass(frozen=True, slots=True)
class Doubt:
    """A value far outside what training patients had, and the unit it may be in."""

    column: str
    low: float
    high: float
    units: str = ""  # "µmol/L instead of mg/dL"
    times: float = 1.0  # a slip of the decimal point, where no unit is known


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A patient of the cohort nearby, as the method sees patients."""

    row: int
    distance: float
    cluster: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """Subtype, margin and risks; `alike` is what happened to held-out patients of like risk."""

    cluster: int
    second: int
    margin: float
    risks: tuple[float, ...]
    alike: tuple[Scored, ...]  # a class each
    n_alike: int
    blank: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    outside: bool
    neighbours: tuple[Neighbour, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Why:
    """What moves this patient's risk in the subtype's simplified explainer, in log-odds."""

    cluster: int
    code: int
    base: float
    total: float
    parts: tuple[tuple[str, float], ...]  # column and contribution, the largest first


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Risk and subtype as one value changes and all others stay."""

    column: str
    values: tuple[float, ...]
    words: tuple[str, ...]  # of levels, in place of values
    risks: tuple[tuple[float, ...], ...]  # a row a value
    clusters: tuple[int, ...]
