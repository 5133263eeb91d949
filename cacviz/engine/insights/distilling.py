"""Distilling: gradient boosting that copies a subtype's expert, fitted to its probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cacviz.engine.insights.maps import model_input
from cacviz.engine.insights.student_effects import Held
from cacviz.engine.methods import method_named
from cacviz.engine.types import TRAIN, VALIDATION, Cohort, Column

MOST_TREES = 800
PATIENCE = 20
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

    def rows(self, cluster, part):
        return np.flatnonzero((self.clusters == cluster) & (self.part == part))

    def held(self, name) -> Held:
        """The columns of X that one of the cohort's columns became."""
        places = [i for i, source in enumerate(self.sources) if source == name]
        return Held(places, [self.kinds[i] for i in places], [self.names[i] for i in places])


def make_lesson(cohort: Cohort, fitted) -> Lesson:
    """Features in their own units and the probabilities that patients were given."""
    preparation, model = fitted.preparation, fitted.model
    measured = preparation.measured(cohort.frame)
    X = measured
    if not method_named(fitted.summary.config.method).gaps:
        X = _filled(measured, fitted.part == TRAIN, preparation.plan_)
    clusters = fitted.clusters
    if hasattr(model, "predict_cluster"):  # who was routed to an expert, not who was found in it
        clusters = model.predict_cluster(model_input(fitted, cohort.frame))
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
        clusters=np.asarray(clusters),
    )


def _filled(measured, train, plan):
    typical = [
        np.nanmean(values) if entry["kind"] == "level" else np.nanmedian(values)
        for values, entry in zip(measured[train].T, plan, strict=True)
    ]
    return np.where(np.isnan(measured), typical, measured)


def fit_student(lesson: Lesson, cluster, seed=0) -> list:
    """Boosted trees on the expert's log-odds, one a class (two classes need one).

    Stopped on the validation patients, so that it copies the expert and not the sample.
    """
    train, validation = lesson.rows(cluster, TRAIN), lesson.rows(cluster, VALIDATION)
    if len(validation) < 10:
        train, validation = train[len(train) // 5 :], train[: len(train) // 5]
    wanted = range(1 if lesson.proba.shape[1] == 2 else 0, lesson.proba.shape[1])
    return [_boost(lesson, log_odds(lesson.proba[:, c]), train, validation, seed) for c in wanted]


def _boost(lesson, target, train, validation, seed):
    from xgboost import XGBRegressor  # loads a large library: only in a worker

    model = XGBRegressor(
        n_estimators=MOST_TREES,
        learning_rate=0.15,
        max_depth=2,  # experts are near additive: deeper trees copied them less well
        min_child_weight=max(5, len(train) // 200),
        subsample=0.8,
        colsample_bytree=0.5,
        reg_lambda=2.0,
        max_bin=64,
        tree_method="hist",
        early_stopping_rounds=PATIENCE,
        random_state=seed,
        n_jobs=1,
    )
    watched = [(lesson.X[validation], target[validation])]
    return model.fit(lesson.X[train], target[train], eval_set=watched, verbose=False)


def log_odds(proba):
    """Probabilities on the scale on which risk factors add up."""
    held = np.clip(proba, CLIP, 1 - CLIP)
    return np.log(held / (1 - held))


def student_proba(models, X) -> np.ndarray:
    """Probabilities of all classes from the students of one subtype."""
    risk = np.column_stack([1 / (1 + np.exp(-m.predict(X).astype(np.float64))) for m in models])
    if risk.shape[1] == 1:
        return np.column_stack([1 - risk, risk])
    return risk / risk.sum(axis=1, keepdims=True)


def fidelity(teacher, copy) -> float:
    """R² of the student's probabilities to the teacher's, all classes together."""
    spread = ((teacher - teacher.mean(axis=0)) ** 2).sum()
    return float(1 - ((teacher - copy) ** 2).sum() / spread) if spread > 0 else float("nan")
