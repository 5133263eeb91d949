"""Distilling: gradient boosting that copies a subtype's expert, fitted to its probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cacviz.engine.insights.explainers.student_effects import Held
from cacviz.engine.insights.material import Material
from cacviz.engine.preparation.splits import patients_of
from cacviz.engine.types import TRAIN, UNUSED, VALIDATION, Column

MOST_TREES = 800
PATIENCE = 20
QUICK_TREES = 100  # of a student that only has to rank features
CLIP = 1e-3  # probabilities beyond it are alike on the log scale


class Lesson(NamedTuple):
    """What students learn from: the features in their units, and the experts' words."""

    X: np.ndarray  # as the experts saw it: with gaps, or filled by the median or a level's mean
    measured: np.ndarray  # with gaps
    sources: tuple[str, ...]  # the cohort's column behind each column of X
    kinds: tuple[str, ...]  # what each column of X holds: number, yesno, level, or gone
    names: tuple[str, ...]  # and what it is called: Age, Sex = F, Lactate not measured
    columns: dict[str, Column]
    proba: np.ndarray
    y: np.ndarray
    part: np.ndarray
    clusters: np.ndarray  # whose expert spoke
    patients: np.ndarray | None = None  # whose row it is, where some have several

    def rows(self, cluster, *parts):
        inside = np.isin(self.part, parts) if parts else self.part != UNUSED
        return np.flatnonzero((self.clusters == cluster) & inside)

    def held(self, name) -> Held:
        """The columns of X that one of the cohort's columns became."""
        places = [i for i, source in enumerate(self.sources) if source == name]
        return Held(places, [self.kinds[i] for i in places], [self.names[i] for i in places])


def make_lesson(material: Material) -> Lesson:
    """Features in their own units and the probabilities that patients were given."""
    cohort, fitted = material.cohort, material.fitted
    preparation = fitted.preparation
    measured = preparation.measured(cohort.frame)
    X = measured
    if not material.takes_gaps:
        X = _filled(measured, fitted.part == TRAIN, preparation.plan_)
    columns = {name: cohort.column(name) for name in dict.fromkeys(preparation.sources_)}
    return Lesson(
        X=X,
        measured=measured,
        sources=preparation.sources_,
        kinds=tuple(entry["kind"] for entry in preparation.plan_),
        names=tuple(entry["name"] for entry in preparation.plan_),
        columns=columns,
        proba=fitted.proba,
        y=cohort.y,
        part=fitted.part,
        clusters=material.routed,  # who was routed to an expert, not who was found in it
        patients=patients_of(cohort, np.arange(len(cohort.y))),
    )


def _filled(measured, train, plan):
    typical = [
        np.nanmean(values) if entry["kind"] == "level" else np.nanmedian(values)
        for values, entry in zip(measured[train].T, plan, strict=True)
    ]
    return np.where(np.isnan(measured), typical, measured)


def fit_student(lesson: Lesson, cluster, code, seed=0):
    """Boosted trees on the expert's log-odds of one class.

    Stopped on the validation patients, so that it copies the expert and not the sample.
    """
    train, validation = lesson.rows(cluster, TRAIN), lesson.rows(cluster, VALIDATION)
    if len(validation) < 10:
        train, validation = train[len(train) // 5 :], train[: len(train) // 5]
    target = log_odds(lesson.proba[:, code])
    model = _boosting(len(train), seed, MOST_TREES, early_stopping_rounds=PATIENCE)
    watched = [(lesson.X[validation], target[validation])]
    return model.fit(lesson.X[train], target[train], eval_set=watched, verbose=False)


def fit_again(lesson: Lesson, rows, code, seed):
    """A quick student of a resample of patients: enough to rank the features."""
    target = log_odds(lesson.proba[rows, code])
    model = _boosting(len(rows), seed, QUICK_TREES, learning_rate=0.3)
    return model.fit(lesson.X[rows], target)


def _boosting(n, seed, n_trees, *, learning_rate=0.15, **more):
    from xgboost import XGBRegressor  # loads a large library: only in a worker

    return XGBRegressor(
        n_estimators=n_trees,
        learning_rate=learning_rate,
        max_depth=2,  # experts are near additive: deeper trees copied them less well
        min_child_weight=max(5, n // 200),
        subsample=0.8,
        colsample_bytree=0.5,
        reg_lambda=2.0,
        max_bin=64,
        tree_method="hist",
        random_state=seed,
        n_jobs=1,
        **more,
    )


def log_odds(proba):
    """Probabilities on the scale on which risk factors add up."""
    held = np.clip(proba, CLIP, 1 - CLIP)
    return np.log(held / (1 - held))


def student_risk(model, X) -> np.ndarray:
    """The risk of the student's class."""
    return 1 / (1 + np.exp(-model.predict(X).astype(np.float64)))


def fidelity(teacher, copy) -> float:
    """R² of the student's risks to the teacher's."""
    spread = ((teacher - teacher.mean()) ** 2).sum()
    return float(1 - ((teacher - copy) ** 2).sum() / spread) if spread > 0 else float("nan")


def gains(model, lesson: Lesson) -> dict[str, float]:
    """Share of the gain by the cohort's own columns: levels and 'not measured' join theirs."""
    gain = np.zeros(lesson.X.shape[1])
    for name, value in model.get_booster().get_score(importance_type="total_gain").items():
        gain[int(name[1:])] += value
    total = gain.sum() or 1.0
    found = dict.fromkeys(lesson.sources, 0.0)
    for source, value in zip(lesson.sources, gain, strict=True):
        found[source] += float(value / total)
    return found
