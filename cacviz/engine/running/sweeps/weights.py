"""Which α, which β: mean scores at each point of a sweep, and what they recommend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cacviz.engine.running.sweeps import plans
from cacviz.engine.running.sweeps.evidence import Row, own_weight, rows_at
from cacviz.engine.running.sweeps.plans import SweepPlan


@dataclass(frozen=True, slots=True)
class AtWeights:
    """Means over seeds of one k at one α and β; NaN where nothing was fitted."""

    alpha: float | None
    beta: float | None
    scores: tuple[tuple[str, float], ...]
    sd: float  # of the headline score
    fits: int


@dataclass(frozen=True, slots=True)
class Recommended:
    """The weights to take: the method's own (or middle) ones unless others are clearly better."""

    alpha: float | None
    beta: float | None
    auprc: float
    own_auprc: float
    changed: bool
    points: int


@dataclass(frozen=True, slots=True)
class Ablation:
    """Scores with one term left out, means over seeds; `term` is None where nothing is."""

    term: Term | None
    scores: tuple[tuple[str, float], ...]
    fits: int


NAMES = ("auprc_macro", "auc", "silhouette")
Term = Literal["alpha", "beta", "margin"]


def at_weights(plan: SweepPlan, rows: Sequence[Row], k: int) -> list[AtWeights]:
    """Every point of a k, α by α."""
    return [_at(plan, rows, k, a, b) for a in plan.alphas for b in plan.betas]


def _at(
    plan: SweepPlan, rows: Sequence[Row], k: int, alpha: float | None, beta: float | None
) -> AtWeights:
    point = plan.point(k, alpha, beta)
    fits = [r for r in rows_at(rows, plans.FIT, k) if (k, r["alpha"], r["beta"]) == point]
    sd = float(np.std([r["auprc_macro"] for r in fits], ddof=1)) if len(fits) > 1 else float("nan")
    shown = own_weight(plan, "alpha", alpha), own_weight(plan, "beta", beta)
    return AtWeights(*shown, _means(fits), sd, len(fits))


def _means(fits: Sequence[Row]) -> tuple[tuple[str, float], ...]:
    return tuple((n, float(np.mean([r[n] for r in fits])) if fits else np.nan) for n in NAMES)


def ablations(plan: SweepPlan, rows: Sequence[Row], k: int) -> list[Ablation]:
    """The base weights, then each term left out that was: α or β is 0, the margin is."""
    alpha, beta = plan.base()
    points: list[tuple[Term | None, float | None, float | None]] = [(None, alpha, beta)]
    if 0.0 in plan.alphas and alpha != 0:
        points.append(("alpha", 0.0, beta))
    if 0.0 in plan.betas and beta != 0:
        points.append(("beta", alpha, 0.0))
    at = [(term, _at(plan, rows, k, a, b)) for term, a, b in points]
    found = [Ablation(term, point.scores, point.fits) for term, point in at]
    if without := rows_at(rows, plans.NO_MARGIN, k):
        found.append(Ablation("margin", _means(without), len(without)))
    return [each for each in found if each.fits]


def recommended(plan: SweepPlan, rows: Sequence[Row], k: int) -> Recommended | None:
    """The base weights, unless the best lie above them by more than seeds differ."""
    points = [p for p in at_weights(plan, rows, k) if p.fits]
    base = tuple(
        own_weight(plan, n, v) for n, v in zip(("alpha", "beta"), plan.base(), strict=True)
    )
    own = next((p for p in points if (p.alpha, p.beta) == base), None)
    if own is None or len(points) < 2:
        return None
    best = max(points, key=lambda p: dict(p.scores)["auprc_macro"])
    here, there = dict(own.scores)["auprc_macro"], dict(best.scores)["auprc_macro"]
    noise = np.max([own.sd, best.sd])  # NaN where a point has one fit: nothing is above it
    changed = best is not own and there - here > noise
    taken = best if changed else own
    score = dict(taken.scores)["auprc_macro"]
    return Recommended(taken.alpha, taken.beta, score, here, bool(changed), len(points))


def critical_of(rows: Sequence[Row], k: int) -> float | None:
    """The critical α of a k, the smallest over fits; None where the method has none."""
    found = [r["critical"] for r in rows_at(rows, plans.FIT, k) if r["critical"] is not None]
    return min(found) if found else None
