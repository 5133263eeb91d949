"""The verdict on a run in another cohort: three questions, each with its rule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cacviz.engine.insights.elsewhere.types import Answer, Pair, PairState, Verdict, Word
from cacviz.engine.scoring.tests import holm
from cacviz.engine.types import ClusterSummary, Note, Scored

FEWEST_EVENTS = 10
MOST_LOST = 0.25  # of the columns absent or in another unit: then nothing can be told
FOUND, PARTLY = 0.65, 0.35  # of the adjusted Rand index (Steinley 2004: moderate from .65)
CHANCE = 0.55  # an AUC that lies below it with its whole interval ranks nobody
DROP = 0.05  # of the AUC that is no clear loss
NEAR = (0.8, 1.25)  # a calibration slope, or events met over expected, that does no harm
LEVEL = 0.05
Z = 1.959964


def pairs_of(clusters: Sequence[ClusterSummary], counts: np.ndarray) -> tuple[Pair, ...]:
    """Pairs of subtypes whose held-out rates clearly differed at home (Holm), and there.

    `counts`: patients there by subtype and class.
    """
    k, n_classes = counts.shape
    home = np.array([c.test_counts for c in clusters])
    codes = [n_classes - 1] if n_classes == 2 else list(range(n_classes))
    every = [(i, j, c) for i in range(k) for j in range(i + 1, k) for c in codes]
    every = [e for e in every if min(home[e[0]].sum(), home[e[1]].sum()) >= FEWEST_EVENTS]
    gaps = [_gap(home, *e) for e in every]
    clear = [p < LEVEL for p in holm([p for _, p in gaps])]
    claims = [(e, g) for e, (g, _), sure in zip(every, gaps, clear, strict=True) if sure]
    there = [_gap(counts, *e) for e, _ in claims]
    adjusted = holm([p for _, p in there])
    return tuple(
        Pair(*e, g, now, _state(g, now, p))
        for (e, g), (now, _), p in zip(claims, there, adjusted, strict=True)
    )


def _gap(counts, first, second, code) -> tuple[Scored, float]:
    """Difference of two rates with Newcombe's interval, and p of the two-proportion test."""
    n = counts[[first, second]].sum(axis=1).astype(float)
    if (n == 0).any():
        return Scored(*[float("nan")] * 3), float("nan")
    met = counts[[first, second], code]
    rate = met / n
    pooled = met.sum() / n.sum()
    error = math.sqrt(pooled * (1 - pooled) * (1 / n).sum())
    gap = float(rate[0] - rate[1])
    low, high = _newcombe(rate, n)
    p = math.erfc(abs(gap) / error / math.sqrt(2)) if error > 0 else 1.0
    return Scored(gap, gap - low, gap + high), p


def _newcombe(rate, n) -> tuple[float, float]:
    middle = (rate + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * np.sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    low, high = middle - half, middle + half
    down = math.hypot(rate[0] - low[0], high[1] - rate[1])
    up = math.hypot(high[0] - rate[0], rate[1] - low[1])
    return down, up


def _state(home: Scored, there: Scored, p: float) -> PairState:
    if math.isnan(p):
        return "unclear"
    same = home.value * there.value > 0
    if p < LEVEL:
        return "held" if same else "reversed"
    inside = there.low <= home.value <= there.high
    return "unclear" if inside else "weaker"


def groups_answer(ari: float) -> Answer:
    """Are the groups found again where they are looked for anew?"""
    if math.isnan(ari):
        return "unknown"
    return "yes" if ari >= FOUND else "partly" if ari >= PARTLY else "no"


def outcome_answer(pairs: Sequence[Pair]) -> Answer:
    """Do outcome rates differ as they did at home? Unknown where they did not, or too few came."""
    states = [p.state for p in pairs]
    if not states or set(states) == {"unclear"}:
        return "unknown"
    if "reversed" in states or "held" not in states:
        return "no"
    return "yes" if set(states) == {"held"} else "partly"


def risk_answer(home: Scored, there: Scored) -> Answer:
    """Are patients still ranked by their risk? No only where the whole interval is near chance."""
    if math.isnan(there.value) or math.isnan(there.low):
        return "unknown"
    if there.high < CHANCE:
        return "no"
    if there.low <= 0.5:
        return "unknown"
    return "partly" if _least_loss(home, there) > DROP else "yes"


def _least_loss(home: Scored, there: Scored) -> float:
    """The lower end of the interval of what the AUC lost, from the intervals of both."""
    away = math.hypot(home.value - home.low, there.high - there.value)
    return home.value - there.value - away


def calibration_answer(slope: Scored, observed: Scored) -> Answer:
    """Do risks mean there what they say? No where either figure is clearly and far from 1.

    Yes only where both intervals are near 1 as a whole; what lies between is not known.
    """
    if any(_off(found) for found in (slope, observed)):
        return "no"
    near = [NEAR[0] <= found.low and found.high <= NEAR[1] for found in (slope, observed)]
    return "yes" if all(near) else "unknown"


def _off(found: Scored) -> bool:
    clear = found.low > 1 or found.high < 1
    return clear and not NEAR[0] <= found.value <= NEAR[1]


class Risks(NamedTuple):
    """How well the risks do: at home and there."""

    home_auc: Scored
    auc: Scored
    slope: Scored
    observed: Scored


def decide(
    *,
    events: int,
    lost: float,
    ari: float,
    pairs: Sequence[Pair],
    risks: Risks,
    structure: float = math.nan,
) -> Verdict:
    """The word that follows from the answers, with the reasons in their order.

    `structure`: p of the check at home that there is more than one cloud; NaN where none was made.
    """
    groups, outcome = groups_answer(ari), outcome_answer(pairs)
    risk = risk_answer(risks.home_auc, risks.auc)
    held = sum(p.state == "held" for p in pairs)
    reasons = [
        Note("groups", "hint", {"answer": groups, "ari": ari}),
        Note("outcome", "hint", {"answer": outcome, "held": held, "pairs": len(pairs)}),
        _risk_note(risk, risks),
        _calibration_note(risks),
    ]
    if groups == "yes" and not _borne_out(pairs, structure):
        reasons.insert(1, Note("cut only", "warning", {"p": structure, "pairs": len(pairs)}))
    if lost > MOST_LOST:
        reasons.insert(0, Note("columns lost", "grave", {"share": lost}))
    if events < FEWEST_EVENTS:
        reasons.insert(0, Note("few events", "grave", {"events": events}))
    grave = reasons[0].severity == "grave"
    borne_out = _borne_out(pairs, structure)
    word: Word = "cannot be told" if grave else _word(groups, outcome, risk, pairs, borne_out)
    calibration = calibration_answer(risks.slope, risks.observed)
    return Verdict(word, groups, outcome, risk, tuple(reasons), calibration)


def _risk_note(answer: Answer, risks: Risks) -> Note:
    auc = risks.auc
    values = {"answer": answer, "auc": auc.value, "home": risks.home_auc.value}
    return Note("risk", "hint", values | {"low": auc.low, "high": auc.high, "limit": CHANCE})


def _calibration_note(risks: Risks) -> Note:
    slope, observed = risks.slope, risks.observed
    answer = calibration_answer(slope, observed)
    values = {"answer": answer, "slope": slope.value, "low": slope.low, "high": slope.high}
    values |= {"observed": observed.value, "slope_off": _off(slope), "level_off": _off(observed)}
    values |= {"observed_low": observed.low, "observed_high": observed.high}
    values |= {"near_low": NEAR[0], "near_high": NEAR[1]}
    return Note("calibration", "warning" if answer == "no" else "hint", values)


def _borne_out(pairs: Sequence[Pair], structure: float) -> bool:
    """More than a cut: one cloud cut in two is cut the same way in any sample of it."""
    return any(p.state == "held" for p in pairs) or structure <= LEVEL


def _word(groups: Answer, outcome: Answer, risk: Answer, pairs: Sequence[Pair], borne_out) -> Word:
    if groups == "no" or (outcome == "no" and risk in ("no", "unknown")):
        return "not replicated"
    if groups == "unknown":
        return "cannot be told"
    nothing_to_hold = outcome == "unknown" and not pairs
    as_before = risk == "yes" and (outcome == "yes" or nothing_to_hold)
    if groups == "yes" and borne_out and as_before:
        return "replicated"
    return "in part"
