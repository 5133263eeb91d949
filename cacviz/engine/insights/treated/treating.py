"""A treatment's effect in each subtype, on held-out patients alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cacviz.engine.insights.described.evidence import independent_rows
from cacviz.engine.insights.described.measured import MOST_ARMS, Measured, measure
from cacviz.engine.insights.described.profiles import largest_effects
from cacviz.engine.insights.described.survival import survival_by_subtype
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.treated.effects import arm_effects
from cacviz.engine.insights.treated.interacting import interaction_of
from cacviz.engine.insights.treated.types import Imbalance, Treatment, TreatmentView
from cacviz.engine.reading.answers import leaning
from cacviz.engine.reading.kinds import as_words, shorten
from cacviz.engine.reading.levels import ordered_levels
from cacviz.engine.scoring.tests import holm
from cacviz.engine.types import Cohort

IMBALANCED = 0.1  # standard deviations
SHOWN = 10
CONTROL = ("placebo", "control", "standard", "usual", "none", "reference")


def treat_run(material: Material) -> Treatment | None:
    """None where no column is the treatment, or it has one arm only (or far too many)."""
    cohort = material.cohort
    names = cohort.names("treatment")
    if not names:
        return None
    codes, arms = arms_of(cohort, names[0])
    if not 2 <= len(arms) <= MOST_ARMS:
        return None
    rows = independent_rows(cohort, material.test)
    rows = rows[(codes[rows] >= 0) & (cohort.y[rows] >= 0)]
    clusters, k = material.fitted.clusters, material.n_clusters
    counts = _counted(clusters[rows], codes[rows], k, len(arms))
    imbalances = imbalances_of(cohort, codes, len(arms))
    return Treatment(
        name=names[0],
        title=cohort.column(names[0]).title,
        arms=arms,
        reference=reference_of(arms),
        counts=tuple(tuple(int(n) for n in row) for row in counts),
        views=_views(cohort, clusters, codes, rows, counts, reference_of(arms), material.seed),
        survival=_survival(cohort, clusters, codes, len(arms), _followed(material, codes), k),
        imbalances=imbalances[:SHOWN],
        n_features=len(imbalances),
        n_imbalanced=sum(i.difference >= IMBALANCED for i in imbalances),
    )


def _followed(material: Material, codes) -> np.ndarray:
    rows = independent_rows(material.cohort, material.followed)
    return rows[codes[rows] >= 0]


def arms_of(cohort: Cohort, name: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """Each patient's arm (-1: not known), and the arms in a natural order."""
    words = as_words(cohort.frame[name])
    levels = ordered_levels(words.value_counts().to_dict())
    place = {w: i for i, w in enumerate(levels)}
    codes = words.map(place, na_action="ignore").fillna(-1).to_numpy(dtype=np.int64)
    return codes, tuple(shorten(w, 40) for w in levels)


def reference_of(arms: tuple[str, ...]) -> int:
    """The arm that others stand beside: placebo, control or no; else the first.

    A word that several arms have, such as the standard care that all got, tells nothing.
    """
    for word in CONTROL:
        having = [i for i, arm in enumerate(arms) if re.search(rf"\b{word}", arm.casefold())]
        if len(having) == 1:
            return having[0]
    return next((i for i, arm in enumerate(arms) if leaning(arm) < 0), 0)


def _counted(clusters, codes, k, n_arms, flags=None) -> np.ndarray:
    weights = None if flags is None else flags.astype(float)
    made = np.bincount(clusters * n_arms + codes, weights=weights, minlength=k * n_arms)
    return made.reshape(k, n_arms)


def _views(cohort: Cohort, clusters, codes, rows, counts, reference, seed):
    """For two classes the event's; for more a view each, their tests adjusted for their number."""
    n_classes = len(cohort.classes)
    views = []
    for code in [1] if n_classes == 2 else range(n_classes):
        met = cohort.y[rows] == code
        events = _counted(clusters[rows], codes[rows], len(counts), counts.shape[1], met)
        interaction = interaction_of(counts, events, seed=seed)
        views.append(TreatmentView(code, arm_effects(counts, events, reference), interaction))
    return adjusted(views)


def adjusted(views: Sequence[TreatmentView]) -> tuple[TreatmentView, ...]:
    """The views with the p-values of their tests by Holm's rule."""
    found = [view.interaction for view in views]
    made = iter(holm([f.p for f in found if f is not None]))
    tests = sum(f is not None for f in found)
    return tuple(
        view if f is None else replace(view, interaction=replace(f, p=next(made), tests=tests))
        for view, f in zip(views, found, strict=True)
    )


def _survival(cohort: Cohort, clusters, codes, n_arms, rows, k):
    """Kaplan–Meier by arm within each subtype; a curve's cluster is the arm here."""
    return tuple(
        survival_by_subtype(cohort, codes, n_arms, inside) if len(inside) else None
        for j in range(k)
        for inside in [rows[clusters[rows] == j]]
    )


def imbalances_of(cohort: Cohort, codes, n_arms) -> tuple[Imbalance, ...]:
    """How far features differ between the arms, the most first: all patients of the cohort."""
    columns: list[Measured] = measure(cohort, cohort.names("feature", "sensitive"))
    if not columns:
        return ()
    effects, _ = largest_effects(columns, codes, n_arms)
    found = [
        Imbalance(m.column.name, m.column.title, float(e))
        for m, e in zip(columns, np.nan_to_num(effects), strict=True)
    ]
    return tuple(sorted(found, key=lambda i: -i.difference))
