"""The rule of a run: learned and chosen on training patients, judged on held-out ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cacviz.engine.cohorts.choosing import check_known
from cacviz.engine.exceptions import ConfigError
from cacviz.engine.insights.bedside.applying import apply_rule
from cacviz.engine.insights.bedside.choosing import order_variables
from cacviz.engine.insights.bedside.points import points_rule, without_idle
from cacviz.engine.insights.bedside.trees import tree_rule
from cacviz.engine.insights.bedside.types import MOST, Agreement, Bedside, Form, Price, Rule, Wish
from cacviz.engine.insights.bedside.variables import Variable, variables_of
from cacviz.engine.insights.material import Material
from cacviz.engine.metrics import resample_weights, share_of, with_interval
from cacviz.engine.preparation.splits import patients_of
from cacviz.engine.scoring.agreement import cohens_kappa, crossing

FOLDS = 3
SPARE = 0.01  # of kappa that a simpler rule may cost
MOST_LEARNED = 6_000  # training patients a rule is learned from; a seeded sample beyond
FORMS: tuple[Form, ...] = ("tree", "points")  # the simpler first


class Learned(NamedTuple):
    """A rule with its kappa within the training patients, and on held-out ones."""

    rule: Rule
    price: Price


class Patients(NamedTuple):
    """What rules are learned from and judged on."""

    variables: list[Variable]
    X: np.ndarray
    labels: np.ndarray  # where the run's model sends each patient
    train: np.ndarray
    test: np.ndarray
    groups: np.ndarray | None
    k: int


def rule_of_run(material: Material) -> Bedside | None:
    """The rule that the user wishes for; None where there is one subtype only."""
    return bedside_rule(material, material.wish)


def bedside_rule(material: Material, wish: Wish) -> Bedside | None:
    """A rule of at most `wish.most` variables; None where there is one subtype only."""
    if material.n_clusters < 2:
        return None
    _check(material, wish)
    patients, passed_over = _patients(material)
    allowed = [v for v in patients.variables if v.name not in wish.without]
    if not allowed:
        raise ConfigError("No variable is left for a rule. Allow at least one.")
    learned = _all_rules(patients._replace(variables=allowed), wish)
    chosen = _chosen([one for one in learned if one.price.n_variables <= wish.most])
    found = apply_rule(chosen.rule, patients.variables)
    free = None
    if wish.without:
        free = _chosen(_all_rules(patients, wish, most=wish.most)).price.kappa
    test, y = patients.test, material.cohort.y
    return Bedside(
        wish=wish,
        rule=chosen.rule,
        agreement=_agreement(patients, found),
        prices=tuple(one.price for one in learned),
        rates=_rates(found[test], y[test], patients, len(material.cohort.classes)),
        model_rates=_rates(patients.labels[test], y[test], patients, len(material.cohort.classes)),
        sizes=tuple(int(n) for n in np.bincount(found[test], minlength=patients.k)),
        n_train=len(patients.train),
        unrestricted=free,
        passed_over=tuple(n for n in passed_over if n not in wish.without),
    )


def _check(material: Material, wish: Wish) -> None:
    if not 1 <= wish.most <= MOST:
        raise ConfigError(f"A rule has 1 to {MOST} variables; {wish.most} were asked for.")
    check_known(wish.without, material.cohort.columns)


def _patients(material: Material) -> tuple[Patients, tuple[str, ...]]:
    train, cohort = material.train, material.cohort
    preparation = material.fitted.preparation
    variables, passed_over = variables_of(preparation, cohort.frame, cohort.columns, train)
    X, variables = _with_gaps(material.prepared.X, variables, train)
    if len(train) > MOST_LEARNED:
        drawn = np.random.default_rng(material.seed).permutation(train)[:MOST_LEARNED]
        train = np.sort(drawn)
    test = material.test
    groups = patients_of(cohort, test)
    made = Patients(variables, X, material.routed, train, test, groups, material.n_clusters)
    return made, passed_over


def _with_gaps(X, variables: Sequence[Variable], train) -> tuple[np.ndarray, list[Variable]]:
    """The prepared columns, and one more for each variable that only asks for a value."""
    columns, placed = [X], []
    for variable in variables:
        if variable.always:
            there = variable.values - variable.values[train].mean()
            spread = float(there[train].std())
            columns.append((there / spread if spread > 0 else there)[:, None])
            variable = replace(variable, places=(sum(c.shape[1] for c in columns) - 1,))
        placed.append(variable)
    return np.hstack(columns), placed


def _all_rules(patients: Patients, wish: Wish, most: int = MOST) -> list[Learned]:
    """A rule of each form and number of variables."""
    rows, labels = patients.train, patients.labels
    ordered = order_variables(patients.X[rows], labels[rows], patients.variables, most)
    found: dict[tuple, Learned] = {}
    for n in range(1, len(ordered) + 1):
        for form in FORMS if wish.form == "any" else (wish.form,):
            one = _learn(patients, ordered[:n], form, n)
            found.setdefault((form, one.price.n_variables), one)
    return sorted(found.values(), key=lambda one: one.price.n_variables)


def _learn(patients: Patients, ordered: Sequence[Variable], form: Form, n: int) -> Learned:
    """The rule from all training patients; its worth within them from folds left out."""
    rows, found = patients.train, np.zeros(len(patients.train), dtype=np.int64)
    fold = np.arange(len(rows)) % FOLDS
    for left_out in range(FOLDS):
        rule = _made(patients, ordered, form, n, rows[fold != left_out])
        found[fold == left_out] = apply_rule(rule, patients.variables)[rows[fold == left_out]]
    k, labels = patients.k, patients.labels
    learned = float(cohens_kappa(crossing(labels[rows], found, k, k)))
    rule = _made(patients, ordered, form, n, rows)
    kappa = _kappa(patients, apply_rule(rule, patients.variables))
    return Learned(rule, Price(len(rule.lines), form, rule.variables, learned, kappa))


def _made(patients: Patients, ordered, form: Form, n: int, rows) -> Rule:
    if form == "tree":
        return tree_rule(patients.variables, patients.labels, rows, patients.k, n)
    return without_idle(points_rule(ordered, patients.labels, rows, patients.k))


def _chosen(learned: Sequence[Learned]) -> Learned:
    """The best within the training patients, or a simpler one that is hardly worse there."""
    best = max(one.price.learned for one in learned)
    good = [one for one in learned if one.price.learned >= best - SPARE]
    return min(good, key=lambda one: (one.price.n_variables, FORMS.index(one.price.form)))


def _kappa(patients: Patients, found):
    """Kappa on held-out patients with a bootstrap interval over them."""
    k, test = patients.k, patients.test
    cell = patients.labels[test] * k + found[test]
    weights = resample_weights(len(test), groups=patients.groups)
    drawn = (weights @ np.eye(k * k, dtype=np.float32)[cell]).reshape(-1, k, k)
    value = cohens_kappa(crossing(patients.labels[test], found[test], k, k))
    return with_interval(value, cohens_kappa(drawn.astype(float)))


def _agreement(patients: Patients, found) -> Agreement:
    test, groups = patients.test, patients.groups
    model, rule = patients.labels[test], found[test]

    def share(flags, inside):
        return share_of(flags[inside], None if groups is None else groups[inside])

    return Agreement(
        n=len(test),
        kappa=_kappa(patients, found),
        same=share_of(model == rule, groups),
        sensitivity=tuple(share(rule == j, model == j) for j in range(patients.k)),
        ppv=tuple(share(model == j, rule == j) for j in range(patients.k)),
    )


def _rates(clusters, y, patients: Patients, n_classes):
    groups = patients.groups
    return tuple(
        tuple(
            share_of(y[inside] == c, None if groups is None else groups[inside])
            for c in range(n_classes)
        )
        for j in range(patients.k)
        for inside in [clusters == j]
    )
