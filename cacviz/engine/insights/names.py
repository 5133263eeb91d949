"""Names suggested for subtypes, from what sets each apart: "Older, high BUN, low GCS"."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count

from cacviz.engine.insights.types import FeatureProfile, Profiles
from cacviz.engine.kinds import shorten

WORTH_NAMING = 0.25  # standard deviations from everybody
MOST_WORDS, MOST_LETTERS = 3, 60
MOST_OF_IT = 0.7  # of a subtype: a level of fewer is named with the next
PLAIN = "Close to the average"
# what is measured several times a stay is named once
_WHEN = re.compile(
    r"[ _-]+(first|last|lowest|highest|median|mean|min|max|minimum|maximum|avg|sum|count|start|"
    r"duration|last8hour|not measured)$",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"^(first|last|lowest|highest|median|mean|min|max|minimum|maximum|worst)[ _-]+", re.IGNORECASE
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(Duration|Last8Hour|StartTime|Sum|Count)$")
_AGE = re.compile(r"age|age[ _(].*", re.IGNORECASE)


def suggest_names(profiles: Profiles, n_clusters: int) -> tuple[str, ...]:
    """A name for each subtype; all differ."""
    return tuple(told_apart(_name(profiles.features, j) for j in range(n_clusters)))


def told_apart(names: Iterable[str], taken: Collection[str] = ()) -> list[str]:
    """The names, with the place behind one that came before or is `taken` by something else."""
    found: list[str] = []
    for place, name in enumerate(names, start=1):
        numbered = (f"{shorten(name, 54)} ({number})" for number in count(place))
        free = (n for n in chain([name], numbered) if n not in found and n not in taken)
        found.append(next(free))
    return found


def _name(features: Sequence[FeatureProfile], cluster: int) -> str:
    said = [(f, *_say(f, cluster)) for f in features if f.role == "feature"]
    words: list[str] = []
    stems: set[str] = set()
    for feature, strength, word in sorted(said, key=lambda one: -one[1]):
        stem = _short(feature).casefold()
        if strength < WORTH_NAMING or len(words) == MOST_WORDS:
            break
        if stem not in stems and len(", ".join([*words, word])) <= MOST_LETTERS:
            stems.add(stem)
            words.append(word)
    name = ", ".join(words) or PLAIN
    return name[:1].upper() + name[1:]


def _say(feature: FeatureProfile, cluster: int) -> tuple[float, str]:
    """How far a feature sets the subtype apart from everybody, and in which words."""
    stem = _short(feature)
    if feature.shape == "category":
        return _say_levels(feature, cluster, stem)
    standing = feature.standing[cluster]
    if math.isnan(standing):
        return 0.0, ""
    high = standing > 0
    if feature.shape == "yesno":
        return abs(standing), stem if high else f"less often {stem}"
    if _AGE.fullmatch(stem):
        return abs(standing), "older" if high else "younger"
    return abs(standing), f"{'high' if high else 'low'} {stem}"


def _say_levels(feature: FeatureProfile, cluster: int, stem: str) -> tuple[float, str]:
    """The level, or the two, that most of the subtype has and others have less often."""
    own, all_ = feature.cells[cluster], feature.overall
    shares = [
        (c or 0) / max(1, own.n) if c is not None and t is not None else 0.0
        for c, t in zip(own.counts, all_.counts, strict=True)
    ]
    overall = [(t or 0) / max(1, all_.n) for t in all_.counts]
    gaps = [(s - t) / math.sqrt(t * (1 - t) or 1.0) for s, t in zip(shares, overall, strict=True)]
    ranked = sorted(range(len(gaps)), key=lambda i: -gaps[i])
    first = ranked[0]
    two = [i for i in ranked[:2] if gaps[i] >= WORTH_NAMING]
    both = shares[first] < MOST_OF_IT <= sum(shares[i] for i in two)
    level = [shorten(level, 16) for level in feature.levels]
    named = two if both else [first]
    often = "" if sum(shares[i] for i in named) >= 0.5 else "more often "
    return gaps[first], f"{often}{stem} {' or '.join(level[i] for i in named)}"


def _short(feature: FeatureProfile) -> str:
    return min(_stem(feature.title), _stem(feature.name), key=len)  # BUN, not Urea nitrogen


def _stem(title: str) -> str:
    while True:
        shorter = _CAMEL.sub("", _WHICH.sub("", _WHEN.sub("", title)))
        if shorter in (title, ""):
            return shorten(title, 24)
        title = shorter
