"""In which subtypes a run predicts otherwise than one model for all."""

from __future__ import annotations

import numpy as np

from cacviz.engine.metrics import auprc_macro, resample_weights, resampled_scores, with_interval
from cacviz.engine.running.verdicts import HEADLINE, word_of
from cacviz.engine.scoring.resampling import drawn_p
from cacviz.engine.scoring.tests import holm
from cacviz.engine.types import Place

ENOUGH_HERE = 10  # held-out patients of each class in a subtype


def places_of(y, clusters, proba, other, n_clusters, groups=None) -> list[Place]:
    """Each subtype's held-out patients: the run beside one model for all, adjusted over subtypes.

    `other` are that model's probabilities; a subtype with too few events is left out.
    """
    found = []
    for j in range(n_clusters):
        rows = np.flatnonzero(clusters == j)
        counts = np.bincount(y[rows], minlength=proba.shape[1])
        if counts.min() < ENOUGH_HERE:
            continue
        weights = resample_weights(len(rows), groups=None if groups is None else groups[rows])
        run, control = (auprc_macro(y[rows], p[rows]) for p in (proba, other))
        draws = [resampled_scores(y[rows], p[rows], weights)[HEADLINE] for p in (proba, other)]
        gap = with_interval(run - control, draws[0] - draws[1])
        found.append((j, run, control, gap, drawn_p(run - control, draws[0] - draws[1])))
    adjusted = holm([p for *_, p in found])
    return [
        Place(j, run, control, gap, word_of(gap.value, q))
        for (j, run, control, gap, _), q in zip(found, adjusted, strict=True)
    ]
