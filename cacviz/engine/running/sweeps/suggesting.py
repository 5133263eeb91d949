"""How many? A suggestion with its reasons and doubts, as findings; one is an answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cacviz.engine.running.findings import FEW_EVENTS, SMALL_SHARE
from cacviz.engine.running.sweeps.evidence import AtK
from cacviz.engine.scoring.stability import FOUND_AGAIN, PATTERN
from cacviz.engine.types import Note

STRENGTH = 0.8  # prediction strength from which clusters count as found again (Tibshirani, Walther)
BEYOND = 2.0  # sd of the twins' separation scores, beside being above all of them
NEAR_BEST = 0.85  # of the largest excess over the twins: with as much, more subtypes say more
DOUBTFUL = 0.9  # of a neighbour's prediction strength: nearly as good


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A number of clusters, why, and what speaks against it."""

    k: int
    reasons: tuple[Note, ...] = ()
    doubts: tuple[Note, ...] = ()
    known: bool = True  # False while too little was looked at to tell


def suggest(found: Sequence[AtK]) -> Suggestion:
    """The k whose clusters lie furthest beyond what one population would show, among those that
    the other half of the patients finds again; one where there is none.
    """
    several = [a for a in found if a.k > 1]
    looked = [a for a in several if not math.isnan(a.strength)]
    if not looked:
        return Suggestion(1, (Note("not looked", "hint"),), known=False)
    standing = [a for a in looked if _again(a) and _may_stand(a)]
    if not standing:
        return Suggestion(1, _why_one(looked), _doubts_of_one(looked))
    highest = max(map(_excess, standing))
    best = max((a for a in standing if _excess(a) >= NEAR_BEST * highest), key=lambda a: a.k)
    return Suggestion(best.k, _why(best, looked), _doubts(best, found))


def _excess(at: AtK) -> float:
    """How far the separation score lies above that of twins; the score itself without any."""
    return at.silhouette - (at.twins if at.n_twins else 0.0)


def _again(at: AtK) -> bool:
    return at.strength >= STRENGTH


def beyond(at: AtK) -> bool:
    """Whether the clusters lie further apart than those of any twin; none is no evidence."""
    return at.n_twins > 0 and at.apart >= BEYOND and at.p_twins <= 1 / (at.n_twins + 1) + 1e-9


def _may_stand(at: AtK) -> bool:
    """Beyond one population, or not compared with one: that is then said as a doubt."""
    return at.n_twins == 0 or beyond(at)


def _values(at: AtK) -> dict[str, Any]:
    return {
        "k": at.k,
        "strength": at.strength,
        "silhouette": at.silhouette,
        "twins": at.twins,
        "p": at.p_twins,
        "n": at.n_twins,
    }


def _why_one(looked: Sequence[AtK]) -> tuple[Note, ...]:
    again = [a for a in looked if _again(a)]
    apart = [a for a in looked if beyond(a)]
    best = max(looked, key=lambda a: a.strength)
    notes = []
    if not again:
        notes.append(Note("none found again", "hint", _values(best) | {"limit": STRENGTH}))
    if again:
        most = max(again, key=lambda a: (a.apart, a.k))
        notes.append(Note("as one population", "hint", _values(most)))
    if apart and not again:
        most = max(apart, key=lambda a: a.apart)
        notes.append(Note("apart but not again", "hint", _values(most)))
    return tuple(notes)


def _doubts_of_one(looked: Sequence[AtK]) -> tuple[Note, ...]:
    near = [a for a in looked if beyond(a) and a.strength >= DOUBTFUL * STRENGTH]
    notes = [Note("nearly", "hint", _values(a)) for a in near[-1:]]
    return (*notes, Note("not proof of one", "hint"))


def _why(best: AtK, looked: Sequence[AtK]) -> tuple[Note, ...]:
    notes = [Note("found again", "hint", _values(best) | {"limit": STRENGTH})]
    if best.n_twins:
        notes.append(Note("beyond one population", "hint", _values(best)))
    more = [a for a in looked if a.k > best.k]
    if more:
        following = min(more, key=lambda a: a.k)
        if not _again(following):
            notes.append(Note("more not found again", "hint", _values(following)))
        elif following.n_twins:
            notes.append(Note("more less apart", "hint", _values(following)))
    return tuple(notes)


def _doubts(best: AtK, found: Sequence[AtK]) -> tuple[Note, ...]:
    total = sum(best.sizes)
    notes = []
    if not best.n_twins:
        notes.append(Note("not compared", "warning"))
    if best.k == max(a.k for a in found):
        notes.append(Note("largest looked at", "warning", {"k": best.k}))
    if best.events < FEW_EVENTS:
        notes.append(Note("sweep few events", "warning", {"k": best.k, "n": best.events}))
    if total and min(best.sizes) < SMALL_SHARE * total:
        share = min(best.sizes) / total
        notes.append(Note("sweep small", "warning", {"k": best.k, "share": share}))
    if best.seeds < FOUND_AGAIN:
        notes.append(Note("seeds differ", "warning", {"k": best.k, "ari": best.seeds}))
    if best.jaccards and min(best.jaccards) < PATTERN:
        weak = best.jaccards.index(min(best.jaccards))
        told = {"cluster": weak, "jaccard": min(best.jaccards)}
        notes.append(Note("a cluster not again", "warning", told))
    rivals = [a for a in found if a.k not in (1, best.k) and _again(a) and _may_stand(a)]
    if rivals:
        others = {"k": best.k, "others": [a.k for a in rivals]}
        notes.append(Note("others as well", "hint", others))
    notes += _prediction(best, found)
    return tuple(notes)


def _prediction(best: AtK, found: Sequence[AtK]) -> list[Note]:
    """More subtypes need not predict better; a sweep tells this roughly, Compare tells it."""
    one = next((a for a in found if a.k == 1), None)
    if one is None or math.isnan(one.auprc):
        return []
    values = {"k": best.k, "auprc": best.auprc, "one": one.auprc, "fits": best.fits}
    code = "predicts no better" if best.auprc <= one.auprc else "predicts better"
    return [Note(code, "hint", values)]
