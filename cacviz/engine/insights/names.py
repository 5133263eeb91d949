"""Names suggested for subtypes, from what sets each apart: "Older, high BUN last"."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count
from typing import NamedTuple

from cacviz.engine.insights.types import FeatureProfile, Profiles
from cacviz.engine.reading.kinds import shorten

WORTH_NAMING = 1 / 3  # of a standard deviation from everybody
OWN = 0.15  # of a standard deviation from the next subtype on the same side: less is shared
MOST_WORDS, MOST_LETTERS = 3, 60
TYPICAL = 0.5  # of a subtype: a level of fewer names nobody
MEASURED = 0.5  # of a subtype: what fewer of it have measured does not name it
NEARLY_ALL = 0.9  # of a subtype: a level of fewer is named with its share
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


def suggest_names(
    profiles: Profiles, n_clusters: int, without: Collection[str] = ()
) -> tuple[str, ...]:
    """A name for each subtype; all differ. `without` columns whose high and low mean nothing."""
    features = [f for f in profiles.features if f.name not in without]
    return tuple(told_apart(_name(features, j) for j in range(n_clusters)))


def told_apart(names: Iterable[str], taken: Collection[str] = ()) -> list[str]:
    """The names, with the place behind one that came before or is `taken` by something else."""
    found: list[str] = []
    for place, name in enumerate(names, start=1):
        numbered = (f"{shorten(name, 54)} ({number})" for number in count(place))
        free = (n for n in chain([name], numbered) if not n or (n not in found and n not in taken))
        found.append(next(free))
    return found


class Phrase(NamedTuple):
    """What may name a subtype: how far it is from everybody in this, and from the next subtype."""

    feature: FeatureProfile
    strength: float = 0.0
    ahead: float = 0.0
    words: str = ""


def _name(features: Sequence[FeatureProfile], cluster: int) -> str:
    """What the subtype alone has; only where there is nothing, what it has with another."""
    named = [f for f in features if f.role == "feature"]
    gone = max((_say_gone(f, cluster) for f in named), key=lambda p: p.strength, default=None)
    said = [_say(f, cluster) for f in named] + ([gone] if gone else [])
    worth = [p for p in said if p.strength >= WORTH_NAMING]
    own = [p for p in worth if p.ahead >= OWN]
    name = ", ".join(_chosen(own or worth)) or PLAIN
    return name[:1].upper() + name[1:]


def _chosen(phrases: Sequence[Phrase]) -> list[str]:
    """The strongest, one of each measurement, as many as a name holds."""
    words: list[str] = []
    stems: set[str] = set()
    for phrase in sorted(phrases, key=lambda p: -p.strength):
        stem = stem_of(phrase.feature.name).casefold()
        fits = len(words) < MOST_WORDS and len(", ".join([*words, phrase.words])) <= MOST_LETTERS
        if stem not in stems and fits:
            stems.add(stem)
            words.append(phrase.words)
    return words


def _say(feature: FeatureProfile, cluster: int) -> Phrase:
    """How far a feature sets the subtype apart from everybody, and in which words."""
    own = feature.cells[cluster]
    if own.n < MEASURED * (own.n + own.missing):
        return Phrase(feature)
    if feature.shape != "number":
        return _say_level(feature, cluster)
    standing, title = feature.standing[cluster], _title(feature)
    if math.isnan(standing):
        return Phrase(feature)
    side = 1 if standing > 0 else -1
    others = [side * v for j, v in enumerate(feature.standing) if j != cluster and v == v]
    words = f"{'high' if side > 0 else 'low'} {title}"
    if _AGE.fullmatch(feature.title) or _AGE.fullmatch(feature.name):
        words = "older" if side > 0 else "younger"
    return Phrase(feature, abs(standing), abs(standing) - max(others, default=0.0), words)


def _say_gone(feature: FeatureProfile, cluster: int) -> Phrase:
    """That next to nobody of the subtype has it measured, where more of the others have."""
    sizes = [c.n + c.missing for c in feature.cells]
    gone = [c.missing / size if size else 0.0 for c, size in zip(feature.cells, sizes, strict=True)]
    if gone[cluster] < NEARLY_ALL:
        return Phrase(feature)
    everybody = feature.overall
    usual = everybody.missing / (everybody.n + everybody.missing)
    gap, ahead = _apart(gone, usual, cluster)
    return Phrase(feature, gap, ahead, f"{_title(feature)} not measured")


def _say_level(feature: FeatureProfile, cluster: int) -> Phrase:
    """The level that most of the subtype has, and others have less often; with its share."""
    own, everybody = feature.cells[cluster], feature.overall
    if not own.n or not everybody.n:
        return Phrase(feature)
    shares = [[(n or 0) / c.n if c.n else 0.0 for n in c.counts] for c in feature.cells]
    level = max(range(len(own.counts)), key=lambda i: shares[cluster][i])
    usual = (everybody.counts[level] or 0) / everybody.n
    gap, ahead = _apart([s[level] for s in shares], usual, cluster)
    share = shares[cluster][level]
    if share < TYPICAL or gap <= 0:
        return Phrase(feature)
    return Phrase(feature, gap, ahead, _with_share(share, _level_words(feature, level)))


def _apart(shares: Sequence[float], usual: float, cluster: int) -> tuple[float, float]:
    """How far a subtype's share is above everybody's and the next subtype's, in deviations."""
    spread = math.sqrt(usual * (1 - usual) or 1.0)
    next_one = max((s for j, s in enumerate(shares) if j != cluster), default=usual)
    return (shares[cluster] - usual) / spread, (shares[cluster] - next_one) / spread


def _level_words(feature: FeatureProfile, level: int) -> str:
    title = _title(feature)
    if feature.shape == "yesno":
        return title if level == 1 else f"{title}: no"
    return f"{title} {shorten(feature.levels[level], 16)}"


def _with_share(share: float, words: str) -> str:
    return words if share >= NEARLY_ALL else f"{share:.0%} {words}"


def _title(feature: FeatureProfile) -> str:
    """The whole title of a column: its label as in every chart and table, else its name."""
    return shorten(feature.title.replace("_", " "), 28)


def stem_of(title: str) -> str:
    """What is measured, without when and how: BUN of BUN_first, BUN last and lowest BUN."""
    while True:
        shorter = _CAMEL.sub("", _WHICH.sub("", _WHEN.sub("", title)))
        if shorter in (title, ""):
            return title
        title = shorter
