"""Better, worse, or no clear difference: one rule for a single run and for many splits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cacviz.engine.scoring.resampling import ENOUGH_EVENTS, LEVEL
from cacviz.engine.scoring.tests import holm
from cacviz.engine.types import (
    ClusterSummary,
    Conclusion,
    Control,
    Place,
    Scored,
    Size,
    Standing,
    Verdict,
    Word,
)

WORTH = 0.1  # of what a control has beyond chance: less is "a little"
HEADLINE = "auprc_macro"
HELPS = ("helps", "helps, but")


def standing_of(
    control: str, difference: Scored, p: float, score: float, n_classes: int
) -> Standing:
    """A difference in words; `p` is adjusted, `score` the control's, chance is 1 / classes."""
    margin = WORTH * max(score - 1 / n_classes, 0.0)
    word = word_of(difference.value, p)
    return Standing(control, difference, p, word, _size(word, difference.value, margin), margin)


def word_of(value: float, p: float) -> Word:
    """What an adjusted p lets one say of a difference."""
    if math.isnan(p) or math.isnan(value):
        return "not known"
    if p >= LEVEL:
        return "no clear difference"
    return "better" if value > 0 else "worse"


def _size(word: Word, value: float, margin: float) -> Size:
    if word not in ("better", "worse"):
        return ""
    return "clearly" if abs(value) >= margin else "a little"


def conclude(standings: Sequence[Standing], *, clusters: bool, own: bool) -> Conclusion:
    """Whether clustering helps: its own k = 1 decides, plain models may overrule.

    `own`: whether the method can be had with one subtype, so that a gain can be told at all.
    """
    if not clusters:
        return "no subtypes"
    known = [s for s in standings if s.word != "not known"]
    plain = [s for s in known if s.control != "kmeans"]  # k-means has subtypes of its own
    one = next((s for s in known if s.control == "k=1"), None)
    if one is None:
        return "untested" if not own else "not shown"
    if one.word == "better":
        return "helps, but" if any(s.word == "worse" for s in plain) else "helps"
    if one.word == "worse":
        return "harms"
    if one.difference.high < one.margin:
        return "no help"
    return "method" if _gains(plain) else "not shown"


def _gains(plain: Sequence[Standing]) -> bool:
    words = [s.word for s in plain]
    return "better" in words and "worse" not in words


def _told(places: Sequence[Place], conclusion: Conclusion) -> tuple[Place, ...]:
    """Where subtypes help is said only where they do: each subtype is a further chance to err."""
    helps = conclusion in HELPS
    return tuple(p for p in places if helps or p.word != "better")


def run_verdict(
    controls: Sequence[Control],
    clusters: Sequence[ClusterSummary],
    classes: Sequence[str],
    *,
    method: str,
    score: float,
    own: bool,
    places: Sequence[Place] = (),
    held_out: Sequence[int] = (),
) -> Verdict:
    """What one split tells of a run beside its controls.

    `held_out` are held-out patients of each class where some have several rows.
    """
    held_out = list(held_out) or [
        sum(counts) for counts in zip(*(c.test_counts for c in clusters), strict=True)
    ]
    least = min(held_out)
    adjusted = holm([c.p for c in controls])
    standings = tuple(
        standing_of(c.key, c.difference, q, c.scores[HEADLINE].value, len(classes))
        for c, q in zip(controls, adjusted, strict=True)
    )
    told = least >= ENOUGH_EVENTS
    conclusion = conclude(standings, clusters=len(clusters) > 1, own=own) if told else "too few"
    return Verdict(
        conclusion=conclusion,
        standings=standings,
        places=_told(places, conclusion) if told else (),
        events=least,
        rarest=classes[held_out.index(least)],
        n_clusters=len(clusters),
        method=method,
        score=score,
    )
