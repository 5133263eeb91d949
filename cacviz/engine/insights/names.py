"""Names suggested for subtypes, from what sets each apart: "Older, high BUN, low GCS"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count

from cacviz.engine.insights.types import FeatureProfile, Profiles
from cacviz.engine.kinds import shorten

WORTH_NAMING = 0.25  # standard deviations from everybody
MOST_WORDS = 3
PLAIN = "Close to the average"
# what is measured several times a stay is named once
_WHEN = re.compile(
    r"[ _-]+(first|last|lowest|highest|median|mean|min|max|minimum|maximum|avg|sum|count|start|"
    r"duration|last8hour|not measured)$",
    re.IGNORECASE,
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
    used = [f for f in features if f.role == "feature"]
    strongest = sorted(used, key=lambda f: -abs(f.standing[cluster]))
    words: list[str] = []
    stems: set[str] = set()
    for feature in strongest:
        stem = min(_stem(feature.title), _stem(feature.name), key=len)  # BUN, not Urea nitrogen
        if abs(feature.standing[cluster]) < WORTH_NAMING or len(words) == MOST_WORDS:
            break
        if stem.casefold() not in stems:
            stems.add(stem.casefold())
            words.append(_words(feature, stem, high=feature.standing[cluster] > 0))
    name = ", ".join(words) or PLAIN
    return shorten(name[:1].upper() + name[1:], 60)


def _stem(title: str) -> str:
    while True:
        shorter = _CAMEL.sub("", _WHEN.sub("", title))
        if shorter in (title, ""):
            return shorten(title, 24)
        title = shorter


def _words(feature: FeatureProfile, stem: str, *, high: bool) -> str:
    if feature.shape == "number":
        if _AGE.fullmatch(stem):
            return "older" if high else "younger"
        return f"{'high' if high else 'low'} {stem}"
    if feature.shape == "yesno":
        return stem if high else f"less often {stem}"
    level = shorten(feature.standing_level, 16)
    return f"{stem} {level}" if high else f"{stem} not {level}"
