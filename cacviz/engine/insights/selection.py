"""A set of patients picked on the map: who they are, how they differ, and a rule that finds them.

The app asks its helper for both: they need scipy and scikit-learn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cacviz.engine.insights.contrasts import Contrast, Features, contrasts
from cacviz.engine.insights.described.measured import measure
from cacviz.engine.insights.types import FEW
from cacviz.engine.reading.kinds import shorten
from cacviz.engine.types import Cohort
from cacviz.engine.types.telling import short_number

MOST_DIFFERENCES = 10
DEPTH = 3
LIFT = 1.3  # times the share of the set among all: a rule that finds less finds nothing
SPARE = 0.01  # of F1 that a simpler sentence may cost


@dataclass(frozen=True, slots=True)
class Selected:
    """A set of patients beside another."""

    n: int
    n_other: int
    by_cluster: tuple[int, ...]
    by_class: tuple[int, ...]
    differences: tuple[Contrast, ...]  # the largest first


@dataclass(frozen=True, slots=True)
class Rule:
    """A set restated in words, and how well the words find it."""

    text: str  # empty where no short rule finds the set
    n: int
    precision: float
    recall: float


NO_RULE = Rule("", 0, float("nan"), float("nan"))


def describe_selection(
    features: Features, clusters, n_clusters, rows, others=None, *, most=MOST_DIFFERENCES
) -> Selected:
    """The patients in `rows` beside `others`, or beside the rest."""
    rows = np.asarray(rows, dtype=int)
    cohort, others = features.cohort, None if others is None else np.setdiff1d(others, rows)
    n_other = cohort.n_patients - len(rows) if others is None else len(others)
    known = cohort.y[rows][cohort.y[rows] >= 0]
    enough = min(len(rows), n_other) >= FEW
    return Selected(
        n=len(rows),
        n_other=n_other,
        by_cluster=_counts(clusters[rows], n_clusters),
        by_class=_counts(known, len(cohort.classes)),
        differences=contrasts(features, rows, others, most) if enough else (),
    )


def _counts(codes, n) -> tuple[int, ...]:
    return tuple(int(n) for n in np.bincount(codes, minlength=n))


def as_rule(cohort: Cohort, rows, others=None, *, depth=DEPTH) -> Rule:
    """A shallow tree over the features, read as a short sentence, with its precision and recall.

    Leaves and conditions that change next to nothing are left out of the sentence.
    """
    from sklearn.tree import DecisionTreeClassifier  # slow to import; only where it is asked for

    groups = _two_sets(cohort.n_patients, np.asarray(rows, dtype=int), others)
    inside = groups >= 0
    X, names = _readable(cohort)
    X, inside_set = X[inside], groups[inside] == 0
    if min(inside_set.sum(), (~inside_set).sum()) < FEW:
        return NO_RULE
    leaf = max(FEW, int(0.02 * inside_set.sum()))
    tree = DecisionTreeClassifier(
        max_depth=depth, min_samples_leaf=leaf, class_weight="balanced", random_state=0
    ).fit(X, inside_set)
    leaves = _simplified(_paths(tree.tree_, tree.classes_), X, inside_set)
    found = _found(leaves, X)
    hits = int((found & inside_set).sum())
    precision, recall = hits / max(1, found.sum()), hits / inside_set.sum()
    if hits < FEW or precision < LIFT * inside_set.mean():
        return NO_RULE
    return Rule(_sentence(leaves, names), int(found.sum()), precision, recall)


def _simplified(leaves, X, inside_set):
    """The leaves without conditions, and without leaves, whose want costs no F1 to speak of."""
    leaves = [_tightest(path) for path in leaves]
    best = _f1(leaves, X, inside_set)
    for shorter in _shorter(leaves):
        score = _f1(shorter, X, inside_set)
        if score >= best - SPARE:
            return _simplified(shorter, X, inside_set)
    return leaves


def _shorter(leaves):
    """Every rule with one leaf less, then with one condition less."""
    if len(leaves) > 1:
        yield from (leaves[:i] + leaves[i + 1 :] for i in range(len(leaves)))
    for i, path in enumerate(leaves):
        if len(path) > 1:
            for j in range(len(path)):
                yield [*leaves[:i], path[:j] + path[j + 1 :], *leaves[i + 1 :]]


def _tightest(path):
    """Of several limits on one number, the tightest."""
    limits: dict[tuple[int, str], float] = {}
    for feature, side, at in path:
        tighter = min if side == "≤" else max
        limits[feature, side] = tighter(limits.get((feature, side), at), at)
    return [(feature, side, at) for (feature, side), at in limits.items()]


def _found(leaves, X):
    inside = np.zeros(len(X), dtype=bool)
    for path in leaves:
        meets = np.ones(len(X), dtype=bool)
        for feature, side, at in path:
            meets &= X[:, feature] <= at if side == "≤" else X[:, feature] > at
        inside |= meets
    return inside


def _f1(leaves, X, inside_set) -> float:
    found = _found(leaves, X)
    total = found.sum() + inside_set.sum()
    return float(2 * (found & inside_set).sum() / total) if total else 0.0


def _two_sets(n, rows, others):
    groups = np.full(n, 1 if others is None else -1)
    if others is not None:
        groups[np.asarray(others, dtype=int)] = 1
    groups[rows] = 0
    return groups


def _readable(cohort: Cohort):
    """Features in their own units, a column a level, and how each is named.

    What is missing counts as typical, so that a rule speaks of values only.
    """
    columns, names = [], []
    for m in measure(cohort, cohort.names("feature")):
        if m.shape == "number":
            columns.append(np.where(m.known, m.values, np.nanmedian(m.values)))
            names.append((m.column.title, m.column.unit, ""))
        else:
            for code, level in enumerate(m.levels):
                if m.shape == "yesno" and code == 0:
                    continue
                columns.append((m.values == code).astype(float))
                names.append((m.column.title, "", level))
    return np.column_stack(columns), names


def _sentence(leaves, names) -> str:
    """The leaves joined by or; conditions within a leaf by and."""
    said = [" and ".join(_condition(names[f], side, at) for f, side, at in p) for p in leaves]
    return said[0] if len(said) == 1 else " or ".join(f"({leaf})" for leaf in said)


def _condition(name, side, at) -> str:
    title, unit, level = name
    title = shorten(title)
    if not level:
        return f"{title} {side} {short_number(at)}{f' {shorten(unit, 12)}' if unit else ''}"
    return f"{title} {'is' if side == '>' else 'is not'} {shorten(level, 24)}"


def _paths(tree, classes):
    """Conditions on the way to each leaf whose patients are mostly in the set."""
    stack, found = [(0, [])], []
    while stack:
        node, path = stack.pop()
        feature, at = tree.feature[node], tree.threshold[node]
        if feature < 0:
            if classes[tree.value[node][0].argmax()]:
                found.append(path)
            continue
        stack.append((tree.children_right[node], [*path, (int(feature), ">", float(at))]))
        stack.append((tree.children_left[node], [*path, (int(feature), "≤", float(at))]))
    return found
