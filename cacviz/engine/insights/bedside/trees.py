"""A tree of depth three on a few variables: at most three questions to a subtype."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from cacviz.engine.insights.bedside.types import Band, Leaf, Rule
from cacviz.engine.insights.bedside.variables import Variable, readable

DEPTH = 3
SMALLEST_LEAF = 5


def tree_rule(variables: Sequence[Variable], labels, rows, k, most) -> Rule:
    """The tree of at most `most` variables; the least important go until so few are left."""
    left = list(variables)
    while True:
        X, owners = _columns(left, rows)
        leaf = max(SMALLEST_LEAF, len(rows) // 100)
        tree = DecisionTreeClassifier(max_depth=DEPTH, min_samples_leaf=leaf, random_state=0)
        tree.fit(X, labels[rows])
        weight = np.bincount(
            [i for i, _ in owners], weights=tree.feature_importances_, minlength=len(left)
        )
        used = sorted(np.flatnonzero(weight > 0), key=lambda i: -weight[i])
        if len(used) <= most:
            break
        left = [left[i] for i in used[: max(most, len(used) - 1)]]
    leaves = _leaves(tree, left, owners, labels, rows)
    lines = tuple(
        left[i].line() for i in used if any(left[i].name in dict(x.bands) for x in leaves)
    )
    return Rule("tree", k, lines, leaves=leaves)


def _columns(variables: Sequence[Variable], rows):
    """A column a number, a column a level; whose each is, and of which level."""
    columns, owners = [], []
    for i, v in enumerate(variables):
        values = v.values[rows]
        if v.kind == "number":
            columns.append(values)
            owners.append((i, -1))
            continue
        for code in range(1 if len(v.levels) == 2 else 0, len(v.levels)):
            columns.append((values == code).astype(float))
            owners.append((i, code))
    return np.column_stack(columns), owners


def _leaves(tree, variables, owners, labels, rows) -> tuple[Leaf, ...]:
    """Leaves with readable cuts, each with the cluster that most of its patients have.

    Two leaves of one question that give the same cluster are one.
    """
    inside = np.ones(len(rows), dtype=bool)
    default = int(np.bincount(labels[rows]).argmax())
    return tuple(_grown(tree.tree_, 0, (), inside, variables, owners, labels, rows, default))


def _grown(nodes, node, path, inside, variables, owners, labels, rows, default) -> list[Leaf]:
    at = nodes.feature[node]
    own = labels[rows][inside]
    if at < 0:
        cluster = int(np.bincount(own).argmax()) if len(own) else default
        return [Leaf(_tightest(path), cluster, len(own))]
    place, code = owners[at]
    v = variables[place]
    values = v.values[rows]
    if v.kind == "number":
        cut = readable(float(nodes.threshold[node]), values)
        sides = [(Band(high=cut), values <= cut), (Band(low=cut), values > cut)]
    else:
        others = tuple(x for i, x in enumerate(v.levels) if i != code)
        sides = [
            (Band(levels=others), values != code),
            (Band(levels=(v.levels[code],)), values == code),
        ]
    children = (nodes.children_left[node], nodes.children_right[node])
    made = [
        _grown(
            nodes,
            child,
            (*path, (v.name, band)),
            inside & side,
            variables,
            owners,
            labels,
            rows,
            default,
        )
        for child, (band, side) in zip(children, sides, strict=True)
    ]
    flat = [leaf for side in made for leaf in side]
    if len({leaf.cluster for leaf in flat}) == 1:
        return [Leaf(_tightest(path), flat[0].cluster, int(inside.sum()))]
    return flat


def _tightest(path) -> tuple[tuple[str, Band], ...]:
    """Of several bands of one variable, what they have in common."""
    held: dict[str, Band] = {}
    for name, band in path:
        if name in held:
            old = held[name]
            common = tuple(x for x in old.levels if x in band.levels)
            band = Band(max(old.low, band.low), min(old.high, band.high), common)
        held[name] = band
    return tuple(held.items())
