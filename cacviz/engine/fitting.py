"""One run from a split to everything a page shows: prepare, fit, score, set controls beside it."""

from __future__ import annotations

import inspect
import time
import warnings
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from sklearn.decomposition import PCA

from cacviz.engine.controls import control_configs
from cacviz.engine.exceptions import DegenerateClusterWarning
from cacviz.engine.leaks import leak_notes
from cacviz.engine.methods import METHODS, build_model, method_named
from cacviz.engine.metrics import (
    resample_weights,
    resampled_scores,
    score,
    score_with_intervals,
    share_of,
    with_interval,
)
from cacviz.engine.notes import run_notes, verdict
from cacviz.engine.preparation import Preparation, Prepared
from cacviz.engine.repeats import repeat_notes
from cacviz.engine.silhouettes import mean_silhouettes
from cacviz.engine.splits import check, patients_of
from cacviz.engine.types import (
    TEST,
    TRAIN,
    VALIDATION,
    ClusterSummary,
    Control,
    FittedRun,
    RunConfig,
    RunSummary,
    Split,
)

HEADLINE = "auprc_macro"


class Parts(NamedTuple):
    """Prepared patients of a split, where its parts are, and whose rows they are."""

    prepared: Prepared
    y: np.ndarray
    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    n_classes: int
    train_patients: np.ndarray | None  # where a patient has several rows
    test_patients: np.ndarray | None

    def matrix(self, method):
        return self.prepared.gaps if method.gaps else self.prepared.X


def prepare(split: Split, config: RunConfig) -> tuple[Preparation, Parts]:
    """Prepare all patients as learned from the training patients."""
    cohort, train = split.cohort, split.rows(TRAIN)
    preparation = Preparation(config.scaling)
    preparation.fit(cohort.frame.iloc[train], cohort.columns, cohort.y[train])
    prepared = preparation.transform(cohort.frame)
    test = split.rows(TEST)
    parts = Parts(
        prepared,
        cohort.y,
        train,
        split.rows(VALIDATION),
        test,
        len(cohort.classes),
        patients_of(cohort, train),
        patients_of(cohort, test),
    )
    return preparation, parts


def fit_model(parts: Parts, config: RunConfig, *, on_step=None, checkpoint=None):
    """The fitted estimator of a configuration; sees training and validation patients only."""
    method, model = method_named(config.method), build_model(config)
    X, y = parts.matrix(method), parts.y
    hooks = {"checkpoint": checkpoint, "groups": parts.train_patients}
    taken = inspect.signature(model.fit).parameters
    hooks = {k: v for k, v in hooks.items() if v is not None and k in taken}
    with warnings.catch_warnings():
        # Said in words by run_notes, from the same counts.
        warnings.simplefilter("ignore", DegenerateClusterWarning)
        return model.fit(
            X[parts.train],
            y[parts.train],
            validation=(X[parts.validation], y[parts.validation]),
            on_step=on_step,
            **hooks,
        )


def fit(split: Split, config: RunConfig, *, on_step=None, checkpoint=None) -> FittedRun:
    """Prepare, fit, score on held-out patients and set the controls beside the result."""
    began, report = time.perf_counter(), on_step or (lambda row: None)
    method = method_named(config.method)
    check(split, config)
    report({"phase": "prepare"})
    preparation, parts = prepare(split, config)
    model = fit_model(parts, config, on_step=on_step, checkpoint=checkpoint)
    X = parts.matrix(method)
    clusters, proba = model.predict_cluster(X), model.predict_proba(X)
    clusters[parts.train] = model.labels_
    weights = resample_weights(len(parts.test), groups=parts.test_patients)
    controls = _controls(parts, config, proba, weights, report)
    report({"phase": "describe"})
    space = model.embed(X) if hasattr(model, "embed") else parts.prepared.X
    summary = _summary(split, config, model, parts, clusters, proba, weights)
    summary = replace(
        summary,
        controls=controls,
        notes=(*summary.notes, *_verdict(controls, summary, method)),
        silhouette=_silhouette(space[parts.train], model.labels_),
        seconds=time.perf_counter() - began,
    )
    return FittedRun(
        summary, split.part, clusters, proba, flat_map(space, parts.train), preparation, model
    )


def _verdict(controls, summary, method):
    return [verdict(controls, summary.clusters, summary.classes)] if method.clusters else []


def _controls(parts, config, proba, weights, report) -> tuple[Control, ...]:
    """Fit each control on the same split; differences are paired over the same draws."""
    y, made = parts.y[parts.test], []
    value, draws = _headline(y, proba[parts.test], weights)
    wanted = control_configs(config)
    for number, (title, control) in enumerate(wanted.items()):
        report({"phase": "controls", "step": number + 1, "of": len(wanted), "control": title})
        model = fit_model(parts, control)
        other = model.predict_proba(parts.matrix(METHODS[control.method])[parts.test])
        other_value, other_draws = _headline(y, other, weights)
        made.append(
            Control(
                name=control.method,
                title=title,
                scores=score_with_intervals(y, other, weights),
                difference=with_interval(value - other_value, draws - other_draws),
            )
        )
    return tuple(made)


def _headline(y, proba, weights):
    return score(y, proba)[HEADLINE], resampled_scores(y, proba, weights)[HEADLINE]


def _summary(split, config, model, parts, clusters, proba, weights) -> RunSummary:
    cohort, test = split.cohort, parts.test
    found = tuple(
        _cluster_summary(j, clusters, parts) for j in range(getattr(model, "n_clusters", 1))
    )
    alpha, critical = getattr(model, "alpha_", None), getattr(model, "critical_alpha_", None)
    agreement = getattr(model, "routing_agreement_", None)
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
        alpha=config.alpha if alpha is None else float(alpha),
        critical_alpha=None if critical is None else float(critical),
        seconds=0.0,
        notes=run_notes(
            found,
            cohort.classes,
            alpha=alpha,
            critical=critical,
            routing_agreement=agreement,
            said=(
                *leak_notes(cohort, parts.train),
                *repeat_notes(cohort, clusters, parts.train),
                *getattr(model, "notes_", ()),
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
