"""Points: each variable in a few bands, each band some points a subtype, the most points win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from cacviz.engine.insights.bedside.applying import within
from cacviz.engine.insights.bedside.types import Band, Line, Rule
from cacviz.engine.insights.bedside.variables import Variable, readable
from cacviz.engine.scoring.agreement import cohens_kappa, crossing

BANDS = 4  # of a number
SMALLEST = 0.05  # of training patients in a band
LARGEST = (3, 5, 8)  # points that one band may give
SPARE = 0.01  # of kappa that smaller numbers may cost


def points_rule(variables: Sequence[Variable], labels, rows, k) -> Rule:
    """The points that a multinomial logistic regression on the bands gives, in whole numbers."""
    bands = [_bands(v, labels, rows) for v in variables]
    flags = [within(v, b)[rows] for v, own in zip(variables, bands, strict=True) for b in own]
    X = np.column_stack(flags).astype(float)
    weights, start = _weights(X, labels[rows], k)
    made = [_rounded(weights, start, largest) for largest in LARGEST]
    scores = [_kappa(X, labels[rows], *one) for one in made]
    points, start = next(
        one for one, s in zip(made, scores, strict=True) if s >= max(scores) - SPARE
    )
    lines, place = [], 0
    for v, own in zip(variables, bands, strict=True):
        given = points[place : place + len(own)]
        lines.append(replace(v.line(), bands=_merged(v, own, given)))
        place += len(own)
    return Rule("points", k, tuple(lines), start=tuple(int(p) for p in start))


def _bands(v: Variable, labels, rows) -> list[Band]:
    """A number cut where the labels change most; of any other a band a level."""
    if v.kind != "number":
        return [Band(levels=(level,)) for level in v.levels]
    values = v.values[rows]
    tree = DecisionTreeClassifier(max_leaf_nodes=BANDS, min_samples_leaf=SMALLEST, random_state=0)
    tree.fit(values[:, None], labels[rows])
    cuts = tree.tree_.threshold[tree.tree_.feature >= 0]
    ends = [-np.inf, *sorted({readable(c, values) for c in cuts}), np.inf]
    return [Band(float(low), float(high)) for low, high in pairwise(ends)]


def _weights(X, y, k):
    """Log-odds of each band for each cluster; a cluster without patients never wins."""
    weights, start = np.zeros((X.shape[1], k)), np.full(k, -1e3)
    present = np.unique(y)
    if len(present) == 1:
        start[present] = 0.0
        return weights, start
    model = LogisticRegression(C=1.0, max_iter=500).fit(X, y)
    coefficients, intercept = model.coef_, model.intercept_
    if len(present) == 2:  # scikit-learn has one line for two
        coefficients, intercept = np.vstack([-coefficients, coefficients]) / 2, [-1, 1] * intercept
        intercept = np.asarray(intercept) / 2
    weights[:, present], start[present] = coefficients.T, intercept
    return weights, start


def _rounded(weights, start, largest):
    """Whole numbers: the least of a band is 0, the largest of all `largest`."""
    points = weights - weights.min(axis=1, keepdims=True)
    known = start > -1e2
    scale = largest / max(points.max(), 1e-9)
    first = np.where(known, start - start[known].min(), 0.0)
    first = np.round(first * scale)
    first[~known] = -99  # no patient to learn it from
    return np.round(points * scale).astype(int), first.astype(int)


def _kappa(X, y, points, start) -> float:
    k = points.shape[1]
    found = (X.astype(int) @ points + start).argmax(axis=1)
    return float(cohens_kappa(crossing(y, found, k, k)))


def _merged(v: Variable, bands: Sequence[Band], points) -> tuple[Band, ...]:
    """Neighbours that give the same points are one band; levels need not be neighbours."""
    made: list[Band] = []
    for band, given in zip(bands, points, strict=True):
        own = replace(band, points=tuple(int(p) for p in given))
        same = [i for i, b in enumerate(made) if b.points == own.points]
        if v.kind == "number" and made and same and same[-1] == len(made) - 1:
            made[-1] = replace(made[-1], high=own.high)
        elif v.kind != "number" and same:
            made[same[0]] = replace(made[same[0]], levels=made[same[0]].levels + own.levels)
        else:
            made.append(own)
    return tuple(made)


def without_idle(rule: Rule) -> Rule:
    """The rule without variables whose bands all give the same: they decide nothing."""
    lines: tuple[Line, ...] = tuple(line for line in rule.lines if len(line.bands) > 1)
    idle = [line.bands[0].points for line in rule.lines if len(line.bands) == 1]
    start = np.sum([rule.start, *idle], axis=0)
    return replace(rule, lines=lines, start=tuple(int(p) for p in start))
