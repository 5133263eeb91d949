"""In which subtypes a run predicts otherwise than one model for all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cacviz.engine.metrics import auprc_macro, resample_weights, resampled_scores, with_interval
from cacviz.engine.running.verdicts import HEADLINE, word_of
from cacviz.engine.scoring.resampling import ENOUGH_EVENTS, drawn_p
from cacviz.engine.scoring.tests import holm
from cacviz.engine.types import Place

ENOUGH_HERE = ENOUGH_EVENTS  # held-out patients of each class in a subtype, as over all


def places_of(y, clusters, proba, other, n_clusters, groups=None) -> list[Place]:
    """Each subtype's held-out patients: the run beside one model for all, adjusted over subtypes.

    `other` are that model's probabilities; a subtype with too few events is left out.
    """
    found = []
    for j in range(n_clusters):
        rows = np.flatnonzero(clusters == j)
        inside = None if groups is None else groups[rows]
        events = min(patients_with(y[rows], proba.shape[1], inside))
        if events < ENOUGH_HERE:
            continue
        n = len(rows) if inside is None else len(np.unique(inside))
        weights = resample_weights(len(rows), groups=inside)
        run, control = (auprc_macro(y[rows], p[rows]) for p in (proba, other))
        draws = [resampled_scores(y[rows], p[rows], weights)[HEADLINE] for p in (proba, other)]
        gap = with_interval(run - control, draws[0] - draws[1])
        p = drawn_p(run - control, draws[0] - draws[1])
        found.append((Place(j, run, control, gap, "not known", n, events), p))
    adjusted = holm([p for _, p in found])
    return [
        replace(place, word=word_of(place.difference.value, q))
        for (place, _), q in zip(found, adjusted, strict=True)
    ]


def patients_with(y, n_classes, groups=None) -> list[int]:
    """Of each class, the patients who have it in a row of theirs: what floors are set on."""
    if groups is None:
        return np.bincount(y, minlength=n_classes).tolist()
    return [len(np.unique(groups[y == code])) for code in range(n_classes)]
