"""The effect of an arm beside the reference: risk difference and odds ratio with intervals."""

from __future__ import annotations

import math

import numpy as np

from cacviz.engine.insights.treated.types import EVERYBODY, ArmEffect
from cacviz.engine.metrics import share_with_interval
from cacviz.engine.types import Scored

Z = 1.959964
NOT_KNOWN = Scored(math.nan, math.nan, math.nan)


def arm_effects(n: np.ndarray, events: np.ndarray, reference: int) -> tuple[ArmEffect, ...]:
    """Every arm but the reference: everybody first, then each subtype; n and events by both."""
    tables = [(EVERYBODY, n.sum(axis=0), events.sum(axis=0))]
    tables += [(j, n[j], events[j]) for j in range(len(n))]
    return tuple(
        _effect(cluster, arm, counts, met, reference)
        for arm in range(n.shape[1])
        if arm != reference
        for cluster, counts, met in tables
    )


def _effect(cluster, arm, n, events, reference) -> ArmEffect:
    four = (int(n[arm]), int(events[arm]), int(n[reference]), int(events[reference]))
    return ArmEffect(cluster, arm, *four, risk_difference(*four), odds_ratio(*four))


def risk_difference(n, events, n_reference, events_reference) -> Scored:
    """Difference of two risks with Newcombe's interval, which holds with few patients."""
    if not n or not n_reference:
        return NOT_KNOWN
    own, other = share_with_interval(events, n), share_with_interval(events_reference, n_reference)
    gap = own.value - other.value
    down = math.hypot(own.value - own.low, other.high - other.value)
    up = math.hypot(own.high - own.value, other.value - other.low)
    return Scored(gap, gap - down, gap + up)


def odds_ratio(n, events, n_reference, events_reference) -> Scored:
    """Odds ratio with Woolf's interval; half a patient is added where a cell is empty."""
    if not n or not n_reference:
        return NOT_KNOWN
    cells = np.array(
        [events, n - events, events_reference, n_reference - events_reference], dtype=float
    )
    if (cells == 0).any():
        cells += 0.5
    log = math.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    error = math.sqrt((1 / cells).sum())
    return Scored(math.exp(log), math.exp(log - Z * error), math.exp(log + Z * error))
