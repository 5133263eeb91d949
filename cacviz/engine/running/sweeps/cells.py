"""One piece of a sweep's work, each independent of all others: a cell in, a row out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from cacviz.engine.exceptions import CohortError
from cacviz.engine.preparation.one_population import Marginals, OnePopulation, one_population
from cacviz.engine.preparation.splits import check, patients_of, split_cohort
from cacviz.engine.running.methods import METHODS
from cacviz.engine.running.studies import (
    class_counts,
    encode_clusters,
    scored_fit,
    separation_of,
    split_parts,
)
from cacviz.engine.running.sweeps import plans
from cacviz.engine.running.sweeps.plans import SweepCell, SweepPlan
from cacviz.engine.scoring.agreement import adjusted_rand_index, crossing
from cacviz.engine.scoring.stability import best_jaccards, strengths
from cacviz.engine.scoring.tests import cramers_v
from cacviz.engine.types import TRAIN, UNUSED, VALIDATION, Cohort, RunConfig, Split

SHOWN = 120  # patients of a consensus matrix


def run_sweep_cell(cohort: Cohort, plan: SweepPlan, cell: SweepCell) -> dict[str, Any]:
    """The row of a cell: its name, what it found, and how long that took."""
    began = time.perf_counter()
    found = WORK[cell.kind](cohort, plan, cell)
    return cell._asdict() | {"method": plan.method, "seconds": time.perf_counter() - began} | found


def _fit(cohort: Cohort, plan: SweepPlan, cell: SweepCell) -> dict[str, Any]:
    return scored_fit(cohort, plan.config(cell))


def _halves(cohort: Cohort, plan: SweepPlan, cell: SweepCell) -> dict[str, Any]:
    """Clusters found in one half of the patients, against the routing learned on the other."""
    config, k = plan.config(cell), cell.clusters
    sides = _halved(cohort, config, cell.number)
    try:
        fitted = [_fit_half(side, config) for side in sides]
    except CohortError:  # too few patients in a half for so many subtypes
        return {"strength": None, "agreement": None}
    kept, agreement = [], []
    for (model, parts), (other, others) in zip(fitted, fitted[::-1], strict=True):
        routed = other.predict_cluster(others.matrix(METHODS[config.method])[parts.train])
        kept.append(strengths(model.labels_, routed, k).min())
        agreement.append(adjusted_rand_index(crossing(model.labels_, routed)))
    return {"strength": float(np.mean(kept)), "agreement": float(np.mean(agreement))}


def _halved(cohort: Cohort, config: RunConfig, number: int) -> list[Split]:
    """Two splits of the patients that are not held out; all rows of a patient in one half."""
    split = split_cohort(cohort, config.seed)
    rows = split.rows(TRAIN, VALIDATION)
    patients = patients_of(cohort, rows)
    rng = np.random.default_rng([config.seed, number, 31])
    n = len(rows) if patients is None else int(patients.max()) + 1
    first = np.zeros(n, dtype=bool)
    first[rng.permutation(n)[: n // 2]] = True
    inside = first if patients is None else first[patients]
    by_validation = METHODS[config.method].deep or config.get("choose") == "validation"
    made = []
    for side in (inside, ~inside):
        part = np.full_like(split.part, UNUSED)
        part[rows[side]] = split.part[rows[side]] if by_validation else TRAIN
        made.append(Split(cohort, part, config.seed))
    return made


def _fit_half(split: Split, config: RunConfig):
    from cacviz.engine.running.fitting import fit_model, prepare

    check(split, config)
    _, parts = prepare(split, config)
    if len(np.unique(parts.y[parts.train])) < parts.n_classes:
        raise CohortError("A half lacks a class of the outcome.")
    return fit_model(parts, config, clusters_only=True), parts


def _twin(cohort: Cohort, plan: SweepPlan, cell: SweepCell) -> dict[str, Any]:
    """The whole pipeline on a cohort of one population: the separation score at each k.

    None where patients have several rows: those of a twin would be strangers to each other, and
    lie further apart for that alone.
    """
    if patients_of(cohort, np.arange(len(cohort.y))) is not None:
        return {"silhouettes": [None] * len(plan.clusters)}
    marginals: Marginals = "own" if cell.kind == plans.OWN_TWIN else "one hump"
    twin = _population(cohort).draw(cell.number, marginals)
    return {"silhouettes": _silhouettes(twin, plan, cell)}


def _silhouettes(cohort: Cohort, plan: SweepPlan, cell: SweepCell) -> list[float | None]:
    from cacviz.engine.running.fitting import fit_model, prepare

    split = split_cohort(cohort, plan.first_seed)
    found: list[float | None] = []
    parts = prepare(split, plan.config(cell, 1))[1]
    for k in plan.clusters:
        config = plan.config(cell, k)
        if k > 1:
            model = fit_model(parts, config, clusters_only=True)
            found.append(separation_of(model, parts, config))
        else:
            found.append(None)
    return found


def _permuted(cohort: Cohort, plan: SweepPlan, cell: SweepCell) -> dict[str, Any]:
    """The whole pipeline with outcomes dealt out anew: how held-out clusters then go with them."""
    from cacviz.engine.running.fitting import fit_model, prepare

    y = dealt_anew(cohort, np.random.default_rng([plan.first_seed, cell.number, 53]))
    split = split_cohort(replace(cohort, y=y), plan.first_seed)
    parts = prepare(split, plan.config(cell, 1))[1]
    found: list[float | None] = []
    for k in plan.clusters:
        if k > 1:
            config = plan.config(cell, k)
            model = fit_model(parts, config, clusters_only=True)
            routed = model.predict_cluster(parts.matrix(METHODS[config.method])[parts.test])
            found.append(association(class_counts(routed, y[parts.test], k, parts.n_classes)))
        else:
            found.append(None)
    return {"associations": found}


def dealt_anew(cohort: Cohort, rng: np.random.Generator) -> np.ndarray:
    """The known outcomes shuffled; those of one patient stay together.

    They go to a patient with as many rows; whoever has a number of rows alone keeps its own.
    """
    known = np.flatnonzero(cohort.y >= 0)
    patients, y = patients_of(cohort, known), np.array(cohort.y)
    if patients is None:
        y[known] = y[rng.permutation(known)]
        return y
    n_rows = np.bincount(patients)
    by_patient = known[np.argsort(patients, kind="stable")]
    times = n_rows[np.sort(patients)]
    for n in np.unique(n_rows):
        rows = by_patient[times == n].reshape(-1, n)  # a line a patient
        y[rows] = cohort.y[rng.permutation(rows)]
    return y


def association(counts: np.ndarray) -> float:
    """Cramér's V of clusters and outcome; 0 where nobody is held out."""
    counts = np.asarray(counts, dtype=float)
    return cramers_v(counts) if counts.sum() else 0.0


def _resample(cohort: Cohort, plan: SweepPlan, cell: SweepCell) -> dict[str, Any]:
    """A refit on as many training patients drawn with replacement: which clusters come back."""
    from cacviz.engine.running.fitting import fit_model

    config, k = plan.config(cell), cell.clusters
    parts, reference = _reference(cohort, config)
    rows = _drawn(parts, np.random.default_rng([config.seed, cell.number, 17]))
    if len(np.unique(parts.y[rows])) < parts.n_classes:
        return {"jaccards": [0.0] * k, "drawn": ""}
    changed = parts._replace(train=rows, train_patients=None, known_patients=None)
    model = fit_model(changed, config, clusters_only=True)
    distinct, first = np.unique(rows, return_index=True)
    found = model.labels_[first]
    place = np.full(len(parts.y), -1)
    place[distinct] = found
    jaccards = best_jaccards(reference[np.searchsorted(parts.train, distinct)], found, k)
    shown = place[shown_patients(parts.train, reference)]
    return {"jaccards": [float(j) for j in jaccards], "drawn": encode_clusters(shown)}


def shown_patients(train: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """The patients of a consensus matrix: a sample, ordered by their cluster."""
    chosen = np.arange(len(train))
    if len(train) > SHOWN:
        chosen = np.sort(np.random.default_rng(0).choice(len(train), SHOWN, replace=False))
    return train[chosen[np.argsort(reference[chosen], kind="stable")]]


def _drawn(parts, rng) -> np.ndarray:
    """Training rows drawn with replacement: whole patients where they have several rows."""
    train, patients = parts.train, parts.train_patients
    if patients is None:
        return np.sort(rng.choice(train, len(train)))
    drawn = rng.integers(0, patients.max() + 1, patients.max() + 1)
    times = np.bincount(drawn, minlength=patients.max() + 1)
    return np.repeat(train, times[patients])


_held: dict[str, tuple[Any, Any]] = {}  # of this process: what several cells need


def _keep(what: str, key: Any, make: Callable[[], Any]) -> Any:
    if what not in _held or _held[what][0] != key:
        _held[what] = (key, make())
    return _held[what][1]


def _population(cohort: Cohort) -> OnePopulation:
    return _keep("population", cohort.fingerprint, lambda: one_population(cohort))


def _reference(cohort: Cohort, config: RunConfig):
    """The prepared split and the clusters that resamples are compared with."""

    def make():
        from cacviz.engine.running.fitting import fit_model

        parts = split_parts(cohort, config)
        return parts, fit_model(parts, config, clusters_only=True).labels_

    return _keep("reference", (cohort.fingerprint, config), make)


WORK: dict[str, Callable[[Cohort, SweepPlan, SweepCell], dict[str, Any]]] = {
    plans.FIT: _fit,
    plans.NO_MARGIN: _fit,
    plans.HALVES: _halves,
    plans.TWIN: _twin,
    plans.OWN_TWIN: _twin,
    plans.PERMUTED: _permuted,
    plans.RESAMPLE: _resample,
}
