"""Names suggested for subtypes, from what sets each apart: "Older, high BUN last"."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count

from cacviz.engine.insights.types import FeatureProfile, Profiles
from cacviz.engine.reading.kinds import shorten

WORTH_NAMING = 1 / 3  # of a standard deviation from everybody
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


def _name(features: Sequence[FeatureProfile], cluster: int) -> str:
    named = [f for f in features if f.role == "feature"]
    gone = max(((f, *_say_gone(f, cluster)) for f in named), key=lambda one: one[1], default=None)
    said = [(f, *_say(f, cluster)) for f in named] + ([gone] if gone else [])
    words: list[str] = []
    stems: set[str] = set()
    for feature, strength, word in sorted(said, key=lambda one: -one[1]):
        stem = stem_of(feature.name).casefold()
        if strength < WORTH_NAMING or len(words) == MOST_WORDS:
            break
        if stem not in stems and len(", ".join([*words, word])) <= MOST_LETTERS:
            stems.add(stem)
            words.append(word)
    name = ", ".join(words) or PLAIN
    return name[:1].upper() + name[1:]


def _say(feature: FeatureProfile, cluster: int) -> tuple[float, str]:
    """How far a feature sets the subtype apart from everybody, and in which words."""
    own = feature.cells[cluster]
    if own.n < MEASURED * (own.n + own.missing):
        return 0.0, ""
    if feature.shape != "number":
        return _say_level(feature, cluster)
    standing, title = feature.standing[cluster], _title(feature)
    if math.isnan(standing):
        return 0.0, ""
    if _AGE.fullmatch(feature.title) or _AGE.fullmatch(feature.name):
        return abs(standing), "older" if standing > 0 else "younger"
    return abs(standing), f"{'high' if standing > 0 else 'low'} {title}"


def _say_gone(feature: FeatureProfile, cluster: int) -> tuple[float, str]:
    """That next to nobody of the subtype has it measured, where more of the others have."""
    own, everybody = feature.cells[cluster], feature.overall
    size, total = own.n + own.missing, everybody.n + everybody.missing
    if not size or own.missing < NEARLY_ALL * size:
        return 0.0, ""
    usual = everybody.missing / total
    gap = (own.missing / size - usual) / math.sqrt(usual * (1 - usual) or 1.0)
    return max(gap, 0.0), f"{_title(feature)} not measured"


def _say_level(feature: FeatureProfile, cluster: int) -> tuple[float, str]:
    """The level that most of the subtype has, and others have less often; with its share."""
    own, everybody = feature.cells[cluster], feature.overall
    if not own.n or not everybody.n:
        return 0.0, ""
    shares = [(c or 0) / own.n for c in own.counts]
    overall = [(c or 0) / everybody.n for c in everybody.counts]
    level = max(range(len(shares)), key=lambda i: shares[i])
    usual = overall[level]
    gap = (shares[level] - usual) / math.sqrt(usual * (1 - usual) or 1.0)
    if shares[level] < TYPICAL or gap <= 0:
        return 0.0, ""
    return gap, _with_share(shares[level], _level_words(feature, level))


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
