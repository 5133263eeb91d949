"""CAC's separation weight by cross-validation: the paper's grid search, kept below collapse."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import pairwise_distances_argmin
from sklearn.model_selection import StratifiedKFold

from cacviz.engine.class_sums import Rules
from cacviz.engine.critical import critical_alpha, start_labels
from cacviz.engine.experts import route
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.rounds import hartigan

FRACTIONS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9)  # of the critical value of a fold's k-means start
FOLDS = 5
SEED = 0  # of folds and fits: tuning draws nothing from the fit's own random numbers


def tune(model, X, codes, on_step=None):
    """The fraction of the critical value that predicts left-out training patients best.

    Gives it with a row per fraction; of equal ones the smaller, which is nearer to k-means.
    """
    folds = int(min(FOLDS, np.bincount(codes).min()))
    if folds < 2:
        raise ValueError("Tuning alpha needs two training patients of each class or more.")
    scores = np.empty((folds, len(FRACTIONS)))
    cut = StratifiedKFold(folds, shuffle=True, random_state=SEED)
    for number, (rows, left_out) in enumerate(cut.split(X, codes)):
        if on_step is not None:
            on_step({"phase": "tune", "step": number + 1, "of": folds})
        scores[number] = _fold_scores(model, X[rows], codes[rows], X[left_out], codes[left_out])
    means, spreads = scores.mean(axis=0), scores.std(axis=0, ddof=1)
    tried = [
        {"fraction": fraction, "mean": float(mean), "sd": float(sd)}
        for fraction, mean, sd in zip(FRACTIONS, means, spreads, strict=True)
    ]
    return FRACTIONS[int(means.argmax())], tried


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
    """What was chosen, and whether it mattered, in words."""
    best, plain = max(row["mean"] for row in tried), tried[0]["mean"]
    spread = max(row["mean"] for row in tried) - min(row["mean"] for row in tried)
    words = (
        f"α = {alpha:.3g} ({fraction:.0%} of its critical value) was chosen by {FOLDS}-fold "
        f"cross-validation among training patients: AUPRC {best:.3f}, and {plain:.3f} at α = 0."
    )
    if spread < max(row["sd"] for row in tried):
        words += " The values tried differ by less than folds do: the choice matters little here."
    return words
