"""Subtypes looked for anew by the same method on other patients, and how far they agree."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_model, prepare
from cacviz.engine.running.methods import method_named
from cacviz.engine.scoring.agreement import adjusted_rand_index, crossing
from cacviz.engine.types import Cohort, RunConfig

MOST = 8_000  # patients looked at anew; a seeded sample beyond
MOST_DEEP = 2_500
EPOCHS = {"pretrain_epochs": 15, "epochs": 25}  # of deep methods, at most
FEWER = {"pretrain_epochs": 8, "epochs": 10}  # of those that read hours


class Anew(NamedTuple):
    """How far subtypes found anew agree with those that a run gives the same patients."""

    ari: float
    jaccard: tuple[float, ...]  # of each of the run's subtypes with the likest new one
    n: int


def found_anew(cohort: Cohort, routed: np.ndarray, config: RunConfig) -> Anew:
    """Fit the method to this cohort and cross its subtypes with the routed ones."""
    config = bounded(config)
    rows = _sample(cohort, config)
    labels = _labels(cohort, rows, config)
    k = int(config.n_clusters)
    counts = crossing(routed[rows], labels, k, k)
    return Anew(float(adjusted_rand_index(counts)), _jaccard(counts), len(rows))


def bounded(config: RunConfig) -> RunConfig:
    """The same settings, deep methods with fewer epochs: a look, not a full analysis."""
    method = method_named(config.method)
    if not method.deep:
        return config
    fewer = {}
    for name, most in (FEWER if method.reads == "series" else EPOCHS).items():
        if name in method.settings:
            asked = config.get(name, method.default(name))
            fewer[name] = most if asked is None else min(most, asked)
    return config.having(**fewer)


def _sample(cohort: Cohort, config: RunConfig) -> np.ndarray:
    known = np.flatnonzero(cohort.y >= 0)
    most = MOST_DEEP if method_named(config.method).deep else MOST
    if len(known) <= most:
        return known
    return np.sort(np.random.default_rng(config.seed).permutation(known)[:most])


def _labels(cohort: Cohort, rows: np.ndarray, config: RunConfig) -> np.ndarray:
    """Where the new model sends these patients: learned on some of them, without their outcome."""
    frame = cohort.frame.iloc[rows].reset_index(drop=True)
    series = None if cohort.series is None else cohort.series.take(rows)
    inside = replace(cohort, frame=frame, y=cohort.y[rows], series=series)
    _, parts = prepare(split_cohort(inside, config.seed), config)
    model = fit_model(parts, config)
    return np.asarray(model.predict_cluster(parts.matrix(method_named(config.method))))


def _jaccard(counts: np.ndarray) -> tuple[float, ...]:
    union = counts.sum(axis=1, keepdims=True) + counts.sum(axis=0, keepdims=True) - counts
    shares = np.where(union > 0, counts / np.maximum(union, 1), np.nan)
    there = counts.sum(axis=1) > 0
    return tuple(
        float(np.nanmax(row)) if some else float("nan")
        for row, some in zip(shares, there, strict=True)
    )
