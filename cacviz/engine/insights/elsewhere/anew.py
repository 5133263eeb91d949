"""Subtypes looked for anew by the same method on other patients, and how far they agree."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cacviz.engine.preparation.splits import split_cohort
from cacviz.engine.running.fitting import fit_model, prepare
from cacviz.engine.running.methods import method_named
from cacviz.engine.scoring.agreement import adjusted_rand_index, crossing
from cacviz.engine.types import Cohort, RunConfig

MOST = 8_000  # patients looked at anew; a seeded sample beyond
MOST_DEEP = 4_000


class Anew(NamedTuple):
    """How far subtypes found anew agree with those that a run gives the same patients."""

    ari: float
    jaccard: tuple[float, ...]  # of each of the run's subtypes with the likest new one
    n: int
    seconds: float = float("nan")


def found_anew(cohort: Cohort, routed: np.ndarray, config: RunConfig) -> Anew:
    """Fit the method to this cohort and cross its subtypes with the routed ones."""
    began, rows = time.perf_counter(), _sample(cohort, config)
    labels = _labels(cohort, rows, config)
    k = int(config.n_clusters)
    counts = crossing(routed[rows], labels, k, k)
    seconds = time.perf_counter() - began
    return Anew(float(adjusted_rand_index(counts)), _jaccard(counts), len(rows), seconds)


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
    model = fit_model(parts, config, clusters_only=True)
    return np.asarray(model.predict_cluster(parts.matrix(method_named(config.method))))


def _jaccard(counts: np.ndarray) -> tuple[float, ...]:
    union = counts.sum(axis=1, keepdims=True) + counts.sum(axis=0, keepdims=True) - counts
    shares = np.where(union > 0, counts / np.maximum(union, 1), np.nan)
    there = counts.sum(axis=1) > 0
    return tuple(
        float(np.nanmax(row)) if some else float("nan")
        for row, some in zip(shares, there, strict=True)
    )
