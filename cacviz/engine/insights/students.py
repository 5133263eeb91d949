"""Simplified explainers: gradient boosting per subtype, distilled from its expert's probabilities.

The paper's way to risk factors. The student is another model: its fidelity is told with it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.stats import spearmanr

from cacviz.engine.insights.distilling import Lesson, fidelity, fit_student, student_proba
from cacviz.engine.insights.student_effects import one_feature_effect, spoken_of
from cacviz.engine.insights.types import TOP, Beeswarm, Mark, RiskFactor, Student, Students
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.notes import FEW_EVENTS
from cacviz.engine.types import TEST, TRAIN, VALIDATION

EXPLAINS = 0.7  # R² to the expert on held-out patients below which a student explains nothing
ENOUGH = 40  # training patients that a student needs
SHAP_PATIENTS = 1_000  # over all subtypes
REPEATS = 3
WORTH = 0.05  # of the gain: less is no risk factor of a subtype, where features are few


def teach_all(lesson: Lesson, n_clusters, outcome: str, *, seed=0, on_step=None) -> Students:
    """A student for each subtype, their risk factors marked as shared or unique."""
    taught = []
    for j in range(n_clusters):
        if on_step is not None:
            on_step({"phase": "explaining", "step": j + 1, "of": n_clusters})
        taught.append(_teach(lesson, j, SHAP_PATIENTS // n_clusters, seed))
    students = _marked([student for student, _ in taught], len(set(lesson.sources)))
    r2 = [s.r2 for s in students if np.isfinite(s.r2)]
    return Students(
        students=students,
        beeswarms=tuple(b for _, b in taught if b is not None),
        mean_r2=float(np.mean(r2)) if r2 else float("nan"),
        outcome=outcome,
    )


def _teach(lesson: Lesson, cluster, n_shap, seed) -> tuple[Student, Beeswarm | None]:
    train, test = lesson.rows(cluster, TRAIN), lesson.rows(cluster, TEST)
    blank = Student(cluster, len(train), len(test))
    if len(train) < ENOUGH or len(test) < 10:
        text = f"Too few patients ({len(train)} in training, {len(test)} held out) to explain it."
        return replace(blank, sentence=text), None
    if np.ptp(lesson.proba[train], axis=0).max() < 1e-6:
        text = "Its risk model gives every patient the same risk: there is nothing to explain."
        return replace(blank, sentence=text), None
    models = fit_student(lesson, cluster, seed)
    student = _judged(blank, lesson, test, models)
    importance = _importances(models, lesson)
    chosen = [name for name in sorted(importance, key=lambda n: -importance[n]) if importance[name]]
    swarm = _beeswarm(lesson, cluster, models[-1], chosen[:TOP], n_shap, seed)
    factors = _factors(lesson, test, models, importance, swarm, seed)
    effects = _effects(lesson, cluster, models, chosen[:TOP], seed)
    return replace(student, factors=factors, effects=effects), swarm


def _judged(student: Student, lesson: Lesson, test, models) -> Student:
    """How well the student repeats its teacher on patients that neither has seen."""
    teacher, copy = lesson.proba[test], student_proba(models, lesson.X[test])
    r2 = fidelity(teacher, copy)
    rank = float(np.mean([_rank_correlation(teacher[:, c], copy[:, c]) for c in _spoken(teacher)]))
    explains = r2 >= EXPLAINS
    share = f"R² {r2:.2f}"
    sentence = (
        f"The simplified explainer follows the risks of this subtype closely enough ({share})."
        if explains
        else f"The simplified explainer does not explain the risks of this subtype ({share}, "
        f"{EXPLAINS:g} is needed): read its factors as hints only."
    )
    y = lesson.y[test]
    told = np.bincount(y, minlength=teacher.shape[1]).min() >= FEW_EVENTS
    return replace(
        student,
        r2=r2,
        rank_correlation=rank,
        auprc_teacher=auprc_macro(y, teacher) if told else float("nan"),
        auprc_student=auprc_macro(y, copy) if told else float("nan"),
        explains=bool(explains),
        sentence=sentence,
    )


def _spoken(proba):
    return range(1 if proba.shape[1] == 2 else 0, proba.shape[1])


def _rank_correlation(a, b) -> float:
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return 0.0
    return float(spearmanr(a, b).statistic)


def _importances(models, lesson: Lesson) -> dict[str, float]:
    """Share of the gain by the cohort's own columns: levels and 'not measured' join theirs."""
    gain = np.zeros(lesson.X.shape[1])
    for model in models:
        for name, value in model.get_booster().get_score(importance_type="total_gain").items():
            gain[int(name[1:])] += value
    total = gain.sum() or 1.0
    found = dict.fromkeys(lesson.sources, 0.0)
    for source, value in zip(lesson.sources, gain, strict=True):
        found[source] += float(value / total)
    return found


def _factors(lesson, test, models, importance, swarm, seed) -> tuple[RiskFactor, ...]:
    teacher = lesson.proba[test]
    whole = fidelity(teacher, student_proba(models, lesson.X[test]))
    rng = np.random.default_rng(seed)
    made = []
    for place, name in enumerate(swarm.names):
        column = lesson.columns[name]
        lost = _permutation_loss(lesson, test, models, name, teacher, whole, rng)
        made.append(
            RiskFactor(
                name=name,
                title=column.title,
                unit=column.unit,
                importance=importance[name],
                permutation=lost,
                mark="",
                direction=_direction(swarm.values[:, place], swarm.shap[:, place]),
                of=swarm.of[place],
            )
        )
    return tuple(made)


def _permutation_loss(lesson, test, models, name, teacher, whole, rng) -> float:
    """R² lost when this feature alone is shuffled among held-out patients."""
    columns, lost = lesson.held(name).places, []
    for _ in range(REPEATS):
        X = lesson.X[test].copy()
        X[:, columns] = X[rng.permutation(len(X))][:, columns]
        lost.append(whole - fidelity(teacher, student_proba(models, X)))
    return float(np.mean(lost))


def _direction(values, shap) -> float:
    known = ~np.isnan(values)
    return _rank_correlation(values[known], shap[known]) if known.sum() > 2 else 0.0


def _beeswarm(lesson, cluster, model, chosen, n_shap, seed) -> Beeswarm:
    """SHAP values by TreeSHAP, as the trees' own library computes them; held-out patients first."""
    from xgboost import DMatrix

    rows = np.r_[lesson.rows(cluster, TEST), lesson.rows(cluster, VALIDATION)]
    rows = np.sort(np.random.default_rng(seed).permutation(rows)[:n_shap])
    best = (0, model.best_iteration + 1)
    contributions = model.get_booster().predict(
        DMatrix(lesson.X[rows]), pred_contribs=True, iteration_range=best
    )
    drawn = [_drawn(lesson, name, contributions) for name in chosen]
    return Beeswarm(
        cluster,
        tuple(chosen),
        np.column_stack([shap for _, shap in drawn]).astype(np.float32),
        lesson.measured[np.ix_(rows, [place for place, _ in drawn])].astype(np.float32),
        tuple(_of(lesson, place) for place, _ in drawn),
    )


def _drawn(lesson: Lesson, name, contributions):
    """The column whose values stand for the feature, and the SHAP values to draw by them.

    A number takes the part of "not measured" with it; a category speaks by its strongest level.
    """
    held = lesson.held(name)
    place = held.places[spoken_of(held, np.abs(contributions[:, held.places]).sum(axis=0))]
    whole = held.kinds[0] != "level"
    return place, contributions[:, held.places if whole else [place]].sum(axis=1)


def _of(lesson: Lesson, place) -> str:
    return "" if lesson.kinds[place] in ("number", "yesno") else lesson.names[place]


def _effects(lesson, cluster, models, chosen, seed):
    rows = lesson.rows(cluster, TEST)
    rows = np.random.default_rng(seed).permutation(rows)[:200]

    def risk(X):
        return student_proba(models, X)[:, -1]

    found = [
        one_feature_effect(lesson.X[rows], lesson.held(n), lesson.columns[n], risk) for n in chosen
    ]
    return tuple(effect for effect in found if effect is not None)


def _marked(students: list[Student], n_features) -> tuple[Student, ...]:
    """Each factor marked as shared by all subtypes, by some, or unique (the paper's colours).

    With few features all are among the ten strongest everywhere: what has next to no importance
    in a subtype is not counted as its risk factor.
    """
    worth = min(WORTH, 0.5 / n_features)
    tops = [{f.name for f in s.factors if f.importance >= worth} for s in students if s.factors]

    def mark(factor: RiskFactor) -> Mark:
        times = sum(factor.name in top for top in tops)
        if len(tops) < 2 or factor.importance < worth:
            return ""
        return "all" if times == len(tops) else "some" if times > 1 else "unique"

    return tuple(
        replace(s, factors=tuple(replace(f, mark=mark(f)) for f in s.factors)) for s in students
    )
