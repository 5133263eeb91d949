"""CAC's separation weight by cross-validation: the paper's grid search, kept below collapse."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import pairwise_distances_argmin
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from cacviz.engine.cac.class_sums import Rules
from cacviz.engine.cac.critical import critical_alpha, start_labels
from cacviz.engine.cac.experts import route
from cacviz.engine.cac.rounds import hartigan
from cacviz.engine.exceptions import CohortError
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.types import Note

FRACTIONS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9)  # of the critical value of a fold's k-means start
FOLDS = 5
SEED = 0  # of folds and fits: tuning draws nothing from the fit's own random numbers


def tune(model, X, codes, groups=None, on_step=None):
    """The fraction of the critical value that predicts left-out training patients best.

    Gives it with a row per fraction; of equal ones the smaller, which is nearer to k-means. Rows
    of one group (a patient's stays) are left out together.
    """
    cut = _folds(codes, groups)
    scores = np.empty((cut.n_splits, len(FRACTIONS)))
    for number, (rows, left_out) in enumerate(cut.split(X, codes, groups)):
        if on_step is not None:
            on_step({"phase": "tune", "step": number + 1, "of": cut.n_splits})
        scores[number] = _fold_scores(model, X[rows], codes[rows], X[left_out], codes[left_out])
    tried = [_tried(*column, scores[:, 0]) for column in zip(FRACTIONS, scores.T, strict=True)]
    return FRACTIONS[int(np.argmax([row["mean"] for row in tried]))], tried


def _tried(fraction, scores, at_zero):
    """A fraction's score over folds, and the spread of its gain over plain k-means."""
    return {
        "fraction": fraction,
        "mean": float(np.nanmean(scores)),
        "sd": float(np.nanstd(scores, ddof=1)),
        "gain_sd": float(np.nanstd(scores - at_zero, ddof=1)),
        "folds": len(scores),
    }


def _folds(codes, groups):
    """Five folds, or as many as the rarest class has patients."""
    each = np.arange(len(codes)) if groups is None else groups
    fewest = min(len(np.unique(each[codes == c])) for c in np.unique(codes))
    if fewest < 2:
        raise CohortError(
            "To tune α, each outcome needs two training patients or more. Set α yourself, or "
            "merge the rare outcome with another."
        )
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    return kind(min(FOLDS, fewest), shuffle=True, random_state=SEED)


def _fold_scores(model, X, codes, X_new, codes_new):
    """Score of each fraction on a fold's left-out patients; all fractions share one start."""
    k, c = model.n_clusters, len(model.classes_)
    shift = X.mean(axis=0)
    rng = np.random.RandomState(SEED)
    start = start_labels(X - shift, k, n_init=model.n_init, random_state=rng)
    critical = critical_alpha(codes, start, c, separation=model.separation)
    scores = []
    for fraction in FRACTIONS:
        rules = Rules(fraction * critical, model.separation == "balanced", model.min_class_size)
        rounds = hartigan(X - shift, codes, start, k, c, rules=rules, max_iter=model.max_iter)
        means, experts = model.experts_of(X, codes, rounds.labels[-1], SEED)
        proba = route(experts, X_new, pairwise_distances_argmin(X_new, means), c)
        scores.append(auprc_macro(codes_new, proba))
    return scores


def tuned_note(alpha, fraction, tried):
    """What was chosen, and whether it mattered."""
    chosen = next(row for row in tried if row["fraction"] == fraction)
    values = {"alpha": alpha, "fraction": fraction, "folds": chosen["folds"]}
    values |= {"best": max(row["mean"] for row in tried), "plain": tried[0]["mean"]}
    return Note("tuned alpha", "hint", values | {"gain_sd": chosen["gain_sd"]})
