"""Which features a profile shows: those that tell every subtype, one of each measurement."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cacviz.engine.insights.names import stem_of
from cacviz.engine.insights.types import FeatureProfile


def telling_features(features: Sequence[FeatureProfile], most: int) -> list[FeatureProfile]:
    """At most so many features, in their order: each subtype has a say in turn.

    Of the same measurement, such as the first and the last, the strongest stands for all while
    there are others: five rows of urea would tell one subtype and hide what tells the others.
    """
    own = [f for f in features if f.role == "feature"]
    firsts, seen = [], set()
    for feature in own:
        if (stem := stem_of(feature.name).casefold()) not in seen:
            seen.add(stem)
            firsts.append(feature)
    taken = _in_turn(firsts, most)
    taken += [f for f in own if f not in taken][: max(0, most - len(taken))]
    return [f for f in own if f in taken]


def _in_turn(features: Sequence[FeatureProfile], most: int) -> list[FeatureProfile]:
    k = len(features[0].standing) if features else 0
    queues = [_strongest(features, j) for j in range(k)]
    taken: list[FeatureProfile] = []
    for place in range(len(features)):
        for queue in queues:
            if len(taken) < most and queue[place] not in taken:
                taken.append(queue[place])
    return taken


def _strongest(features: Sequence[FeatureProfile], cluster: int) -> list[FeatureProfile]:
    return sorted(features, key=lambda f: -_size(f.standing[cluster]))


def _size(standing: float) -> float:
    return 0.0 if math.isnan(standing) else abs(standing)
