"""Would a run's subtypes be found again, and is there more than one population: kept with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cacviz.engine.running.sweeps import plans
from cacviz.engine.running.sweeps.cells import association
from cacviz.engine.running.sweeps.evidence import Row, base_fits, evidence, twin_scores
from cacviz.engine.running.sweeps.plans import SweepPlan
from cacviz.engine.scoring.stability import FOUND_AGAIN, PATTERN, exceedance_p

Word = Literal["stable", "pattern", "not stable"]


@dataclass(frozen=True, slots=True)
class ClusterStability:
    """A cluster in resamples of the training patients."""

    cluster: int
    jaccard: float  # mean over resamples
    found_again: int  # resamples with a Jaccard of .75 or more
    resamples: int
    word: Word


@dataclass(frozen=True, slots=True)
class Reference:
    """A statistic beside what it is where there is nothing to find: p = (1 + # >=) / (n + 1)."""

    value: float
    mean: float
    n: int
    p: float


@dataclass(frozen=True, slots=True)
class Stability:
    """What was checked of a run: its clusters, halves and seeds, twins, permuted outcomes."""

    k: int
    method: str
    clusters: tuple[ClusterStability, ...]
    strength: float  # prediction strength between halves, NaN where patients are too few
    halves: float
    seeds: float
    structure: Reference  # separation score against twins with the cohort's own marginals
    smooth: Reference  # and with marginals of one hump
    outcome: Reference  # Cramér's V on held-out patients against permuted outcomes


def word_of(jaccard: float) -> Word:
    """Hennig's limits: from .75 a cluster is stable, from .6 there is a pattern."""
    if jaccard >= FOUND_AGAIN:
        return "stable"
    return "pattern" if jaccard >= PATTERN else "not stable"


def stability_of(plan: SweepPlan, rows: Sequence[Row]) -> Stability:
    """What a finished check of a run says."""
    k = plan.clusters[-1]
    at = evidence(plan, rows)[-1]
    first = base_fits(plan, rows, k)[0]
    clusters = tuple(
        ClusterStability(j, jaccard, again, at.resamples, word_of(jaccard))
        for j, (jaccard, again) in enumerate(zip(at.jaccards, at.recovered, strict=True))
    )
    found = {
        "structure": (first["in_features"], plans.OWN_TWIN),
        "smooth": (first["in_features"], plans.TWIN),
        "outcome": (association(first["held_out"]), plans.PERMUTED),
    }
    return Stability(
        k=k,
        method=plan.method,
        clusters=clusters,
        strength=at.strength,
        halves=at.halves,
        seeds=at.seeds,
        **{name: _reference(plan, rows, *each) for name, each in found.items()},
    )


def _reference(plan: SweepPlan, rows: Sequence[Row], value: float, kind: str) -> Reference:
    drawn = twin_scores(plan, rows, plan.clusters[-1], kind)
    mean = sum(drawn) / len(drawn) if drawn else float("nan")
    return Reference(float(value), mean, len(drawn), exceedance_p(value, drawn))
