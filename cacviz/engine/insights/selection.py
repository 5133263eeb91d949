"""A set of patients picked on the map: who they are, how they differ, and a rule that finds them.

Runs in the app: nothing here needs torch, umap, numba or shap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cacviz.engine.insights.measured import measure
from cacviz.engine.insights.profiles import profile_groups
from cacviz.engine.insights.small_cells import hide_small, shown, shown_count
from cacviz.engine.insights.types import FEW, FeatureProfile
from cacviz.engine.kinds import shorten
from cacviz.engine.types import Cohort

MOST_DIFFERENCES = 10
DEPTH = 3


@dataclass(frozen=True, slots=True)
class Selected:
    """A set of patients beside another; None where so few stand behind a number."""

    n: int | None
    n_other: int | None
    by_cluster: tuple[int | None, ...]
    by_class: tuple[int | None, ...]
    differences: tuple[FeatureProfile, ...]  # cells: the set, the other set


@dataclass(frozen=True, slots=True)
class Rule:
    """A set restated in words, and how well the words find it."""

    text: str
    n: int | None
    precision: float
    recall: float


def describe_selection(
    cohort: Cohort, clusters, n_clusters, rows, others=None, *, most=MOST_DIFFERENCES
) -> Selected:
    """The patients in `rows` beside `others`, or beside the rest."""
    rows = np.asarray(rows, dtype=int)
    groups = _two_sets(cohort.n_patients, rows, others)
    by_cluster = np.bincount(clusters[rows], minlength=n_clusters)
    known = cohort.y[rows][cohort.y[rows] >= 0]
    by_class = np.bincount(known, minlength=len(cohort.classes))
    enough = min((groups == 0).sum(), (groups == 1).sum()) >= FEW
    differences = profile_groups(cohort, groups, 2, n_boot=0).features[:most] if enough else ()
    return Selected(
        n=shown_count(len(rows)),
        n_other=shown_count(int((groups == 1).sum())),
        by_cluster=_shown(by_cluster),
        by_class=_shown(by_class),
        differences=tuple(f for f in differences if f.effect > 0),
    )


def as_rule(cohort: Cohort, rows, others=None, *, depth=DEPTH) -> Rule:
    """A shallow tree over the features, read as one sentence, with its precision and recall."""
    from sklearn.tree import DecisionTreeClassifier  # slow to import; only where it is asked for

    groups = _two_sets(cohort.n_patients, np.asarray(rows, dtype=int), others)
    inside = groups >= 0
    X, names = _readable(cohort)
    inside_set = groups[inside] == 0
    if min(inside_set.sum(), (~inside_set).sum()) < FEW:
        return Rule("Too few patients for a rule.", None, float("nan"), float("nan"))
    leaf = max(FEW, int(0.02 * inside_set.sum()))
    tree = DecisionTreeClassifier(
        max_depth=depth, min_samples_leaf=leaf, class_weight="balanced", random_state=0
    ).fit(X[inside], inside_set)
    found = tree.predict(X[inside])
    hits = int((found & inside_set).sum())
    if hits < FEW:
        return Rule("No short rule finds these patients.", None, float("nan"), float("nan"))
    precision, recall = hits / found.sum(), hits / inside_set.sum()
    return Rule(_sentence(tree, names), shown_count(int(found.sum())), precision, recall)


def _two_sets(n, rows, others):
    groups = np.full(n, 1 if others is None else -1)
    if others is not None:
        groups[np.asarray(others, dtype=int)] = 1
    groups[rows] = 0
    return groups


def _shown(counts):
    return shown(counts, hide_small(counts)[0])


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


def _sentence(tree, names) -> str:
    """The leaves that say yes, joined by or; conditions within a leaf by and."""
    leaves = [_worded(path, names) for path in _paths(tree.tree_, tree.classes_)]
    if len(leaves) == 1:
        return leaves[0]
    return " or ".join(f"({leaf})" for leaf in leaves)


def _worded(path, names) -> str:
    """Conditions in words; of several limits on one number, the tightest."""
    limits: dict[tuple[int, str], float] = {}
    for feature, side, at in path:
        tighter = min if side == "≤" else max
        limits[feature, side] = tighter(limits.get((feature, side), at), at)
    return " and ".join(_condition(names[f], side, at) for (f, side), at in limits.items())


def _condition(name, side, at) -> str:
    title, unit, level = name
    title = shorten(title)
    if not level:
        return f"{title} {side} {at:.4g}{f' {shorten(unit, 12)}' if unit else ''}"
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
