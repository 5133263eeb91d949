"""One run from a split to everything a page shows: prepare, fit, score, set controls beside it."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.decomposition import PCA

from cacviz.engine.aside import aside
from cacviz.engine.cohorts.checks import leak_notes, open_notes
from cacviz.engine.exceptions import DegenerateClusterWarning
from cacviz.engine.metrics import (
    resample_weights,
    resampled_scores,
    score,
    score_with_intervals,
    share_of,
    with_interval,
)
from cacviz.engine.preparation.preparing import Preparation, Prepared
from cacviz.engine.preparation.splits import check, patients_of
from cacviz.engine.preparation.stays import Stays, grid_of, series_of, stays_of
from cacviz.engine.running.controls import control_configs, has_one
from cacviz.engine.running.findings import column_notes, run_notes
from cacviz.engine.running.methods import METHODS, Method, build_model, method_named
from cacviz.engine.running.places import patients_with, places_of
from cacviz.engine.running.verdicts import HEADLINE, run_verdict
from cacviz.engine.scoring.resampling import drawn_p
from cacviz.engine.scoring.silhouettes import mean_silhouettes
from cacviz.engine.types import (
    TEST,
    TRAIN,
    VALIDATION,
    ClusterSummary,
    Cohort,
    Control,
    FittedRun,
    RunConfig,
    RunSummary,
    Split,
)


class Parts(NamedTuple):
    """Prepared patients of a split, where its parts are, and whose rows they are."""

    prepared: Prepared
    y: np.ndarray
    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    n_classes: int
    train_patients: np.ndarray | None  # where a patient has several rows
    known_patients: np.ndarray | None  # of training rows, then of validation rows
    test_patients: np.ndarray | None
    cohort: Cohort

    def matrix(self, method):
        return inputs_of(self.cohort, self.prepared, method)


def inputs_of(cohort: Cohort, prepared: Prepared, method: Method) -> np.ndarray | Stays:
    """Patients as a method takes them: some take missing values themselves, some read hours."""
    if method.reads == "series":
        return stays_of(cohort, prepared.gaps)
    return prepared.gaps if method.gaps else prepared.X


def check_run(split: Split, config: RunConfig) -> None:
    """Raise what a user must change before this configuration can be fitted to this cohort."""
    if method_named(config.method).reads == "series":
        series_of(split.cohort)
    check(split, config)


def prepare(split: Split, config: RunConfig) -> tuple[Preparation, Parts]:
    """Prepare all patients as learned from the training patients."""
    cohort, train = split.cohort, split.rows(TRAIN)
    preparation = Preparation(config.get("scaling", "standard"))
    preparation.fit(cohort.frame.iloc[train], cohort.columns, cohort.y[train])
    if cohort.series is not None:
        preparation.grid_ = grid_of(cohort)
    prepared = preparation.transform(cohort.frame)
    validation, test = split.rows(VALIDATION), split.rows(TEST)
    parts = Parts(
        prepared,
        cohort.y,
        train,
        validation,
        test,
        len(cohort.classes),
        patients_of(cohort, train),
        patients_of(cohort, np.r_[train, validation]),
        patients_of(cohort, test),
        cohort,
    )
    return preparation, parts


def fit_model(
    parts: Parts, config: RunConfig, *, on_step=None, checkpoint=None, clusters_only=False
):
    """The fitted estimator of a configuration; sees training and validation patients only.

    With `clusters_only` it may lack its risk models.
    """
    method, model = method_named(config.method), build_model(config)
    X, y = parts.matrix(method), parts.y
    hooks = {"checkpoint": checkpoint, "groups": parts.train_patients}
    hooks["patients"] = parts.known_patients
    hooks = {k: v for k, v in hooks.items() if v is not None and k in model.fit_hooks}
    with warnings.catch_warnings():
        # Said in words by run_notes, from the same counts.
        warnings.simplefilter("ignore", DegenerateClusterWarning)
        fit = model.fit_clusters if clusters_only else model.fit
        return fit(
            X[parts.train],
            y[parts.train],
            validation=(X[parts.validation], y[parts.validation]),
            on_step=on_step,
            **hooks,
        )


def fit_run(split: Split, config: RunConfig, *, on_step=None, checkpoint=None) -> FittedRun:
    """Prepare, fit, score on held-out patients and set the controls beside the result."""
    began, report = time.perf_counter(), on_step or (lambda row: None)
    method = method_named(config.method)
    check_run(split, config)
    report({"phase": "prepare"})
    preparation, parts = prepare(split, config)
    waiting = _begun_aside(parts, config)
    leaks = aside(lambda: [*leak_notes(split.cohort), *open_notes(split.cohort)])
    model = fit_model(parts, config, on_step=on_step, checkpoint=checkpoint)
    X = parts.matrix(method)
    clusters, proba = model.predict_cluster(X), model.predict_proba(X)
    clusters[parts.train] = model.labels_
    weights = resample_weights(len(parts.test), groups=parts.test_patients)
    one = model.proba_of_one(X[parts.test])
    waiting |= {} if one is None else {"k=1": lambda: one}
    beside = _controls(parts, config, proba, weights, report, waiting)
    controls = tuple(control for control, _ in beside)
    report({"phase": "describe"})
    space = model.embed(X) if model.embeds else parts.prepared.X
    summary = _summary(split, config, model, parts, clusters, proba, weights, leaks())
    summary = replace(
        summary,
        controls=controls,
        verdict=_verdict(beside, summary, parts, clusters, proba) if method.clusters else None,
        silhouette=_silhouette(space[parts.train], model.labels_),
        seconds=time.perf_counter() - began,
    )
    one = next((p for control, p in beside if control.key == "k=1"), None)
    flat = flat_map(space, parts.train)
    return FittedRun(summary, split.part, clusters, proba, flat, preparation, model, one)


def _verdict(beside, summary, parts, clusters, proba):
    """How the run stands beside its controls, and in which subtypes it predicts otherwise."""
    test, places = parts.test, []
    one = next((p for c, p in beside if c.key == "k=1"), None)
    k = len(summary.clusters)
    y, groups = parts.y[test], parts.test_patients
    if one is not None:
        places = places_of(y, clusters[test], proba[test], one, k, groups)
    return run_verdict(
        [control for control, _ in beside],
        summary.clusters,
        summary.classes,
        method=summary.config.method,
        score=summary.test[HEADLINE].value,
        own=has_one(summary.config.method),
        places=places,
        held_out=patients_with(y, parts.n_classes, groups),
    )


def _begun_aside(parts, config):
    """The slowest control, begun while the run itself is fitted; by key what gives its answer."""
    slow = ((key, c) for key, c in control_configs(config) if c.method == "gbm")
    return {key: aside(partial(_control_proba, parts, control)) for key, control in slow}


def _controls(parts, config, proba, weights, report, waiting) -> list[tuple[Control, np.ndarray]]:
    """Each control fitted on the same split, with its probabilities of the held-out patients.

    Differences are paired over the same draws; `waiting` gives probabilities that need no fit now.
    """
    y, made = parts.y[parts.test], []
    value, draws = _headline(y, proba[parts.test], weights)
    wanted = control_configs(config)
    for number, (key, control) in enumerate(wanted):
        report({"phase": "controls", "step": number + 1, "of": len(wanted), "control": key})
        other = waiting[key]() if key in waiting else _control_proba(parts, control)
        other_value, other_draws = _headline(y, other, weights)
        gap = value - other_value
        found = Control(
            key=key,
            method=control.method,
            scores=score_with_intervals(y, other, weights),
            difference=with_interval(gap, draws - other_draws),
            p=drawn_p(gap, draws - other_draws),
        )
        made.append((found, other))
    return made


def _control_proba(parts, control):
    model = fit_model(parts, control)
    return model.predict_proba(parts.matrix(METHODS[control.method])[parts.test])


def _headline(y, proba, weights):
    return score(y, proba)[HEADLINE], resampled_scores(y, proba, weights)[HEADLINE]


def _summary(split, config, model, parts, clusters, proba, weights, leaks) -> RunSummary:
    cohort, test = split.cohort, parts.test
    found = tuple(_cluster_summary(j, clusters, parts) for j in range(model.n_clusters))
    alpha, critical, agreement = model.alpha_, model.critical_alpha_, model.routing_agreement_
    return RunSummary(
        config=config,
        cohort_name=cohort.name,
        fingerprint=cohort.fingerprint,
        outcome=cohort.outcome,
        classes=cohort.classes,
        clusters=found,
        test=score_with_intervals(parts.y[test], proba[test], weights),
        controls=(),
        silhouette=float("nan"),
        routing_agreement=agreement,
        alpha=config.get("alpha") if alpha is None else float(alpha),
        critical_alpha=None if critical is None else float(critical),
        seconds=0.0,
        notes=run_notes(
            found,
            cohort.classes,
            alpha=alpha,
            critical=critical,
            routing_agreement=agreement,
            more=(
                *leaks,
                *column_notes(cohort, clusters, parts.train),
                *model.notes_,
            ),
        ),
        history=tuple(model.history_),
    )


def _cluster_summary(j, clusters, parts) -> ClusterSummary:
    inside = clusters[parts.test] == j
    y, patients = parts.y[parts.test][inside], parts.test_patients
    groups = None if patients is None else patients[inside]
    train = np.bincount(parts.y[parts.train][clusters[parts.train] == j], minlength=parts.n_classes)
    test = np.bincount(y, minlength=parts.n_classes)
    return ClusterSummary(
        cluster=j,
        n=int(train.sum()),
        class_counts=tuple(int(n) for n in train),
        n_test=int(test.sum()),
        test_counts=tuple(int(n) for n in test),
        test_rates=tuple(share_of(y == c, groups) for c in range(parts.n_classes)),
        n_validation=int(np.sum(clusters[parts.validation] == j)),
    )


def _silhouette(space, labels) -> float:
    k = int(labels.max()) + 1
    return float(mean_silhouettes(space, [labels], k)[0]) if k > 1 else 0.0


def flat_map(space, train) -> np.ndarray:
    """Two principal components learned from training patients, for a first picture of all."""
    if space.shape[1] < 2:
        return np.column_stack([space[:, 0], np.zeros(len(space))])
    pca = PCA(2, svd_solver="covariance_eigh").fit(space[train])
    return pca.transform(space).astype(np.float32)
