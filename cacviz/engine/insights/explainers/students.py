"""Simplified explainers: gradient boosting per subtype, distilled from its expert's probabilities.

The paper's way to risk factors. The student is another model: its fidelity is told with it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.stats import spearmanr

from cacviz.engine.insights.explainers.distilling import (
    Lesson,
    fidelity,
    fit_again,
    fit_student,
    gains,
    make_lesson,
    student_risk,
)
from cacviz.engine.insights.explainers.shadows import LEVEL, shadow_p
from cacviz.engine.insights.explainers.student_effects import one_feature_effect, spoken_of
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.types import TOP, Beeswarm, Mark, RiskFactor, Student, Students, View
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.running.findings import FEW_EVENTS
from cacviz.engine.types import TEST, TRAIN, VALIDATION, Column

EXPLAINS = 0.7  # R² to the expert on held-out patients below which a student explains nothing
ENOUGH = 40  # training patients that a student needs
CANDIDATES = 20  # strongest columns that are tried against their shuffled copies
SHAP_PATIENTS = 1_000  # over all subtypes
RESAMPLES = 12
STRONGEST = 5  # ranks within which a factor is looked for in resamples
REPEATS = 3
MOST_OF_IT = 0.5  # of a factor's say: then it is whether it was measured that counts
WORTH = 0.05  # of the gain: less is no risk factor of a subtype, where features are few


def teach_run(material: Material) -> Students:
    """A student for each subtype and class: of two classes, the event's."""
    lesson, n_classes = make_lesson(material), material.fitted.proba.shape[1]
    codes = [1] if n_classes == 2 else range(n_classes)
    k, seed = material.n_clusters, material.seed
    return Students(tuple(teach_class(lesson, k, code, seed=seed) for code in codes))


def teach_class(lesson: Lesson, n_clusters, code, *, seed=0) -> View:
    """A student for each subtype, their risk factors marked as shared or unique."""
    n_shap = SHAP_PATIENTS // n_clusters
    taught = [_teach(lesson, j, code, n_shap, seed) for j in range(n_clusters)]
    students = _marked([student for student, _ in taught], len(set(lesson.sources)))
    r2 = [s.r2 for s in students if np.isfinite(s.r2)]
    return View(
        code=int(code),
        students=students,
        beeswarms=tuple(b for _, b in taught if b is not None),
        mean_r2=float(np.mean(r2)) if r2 else float("nan"),
    )


def _teach(lesson: Lesson, cluster, code, n_shap, seed) -> tuple[Student, Beeswarm | None]:
    train, test = lesson.rows(cluster, TRAIN), lesson.rows(cluster, TEST)
    blank = Student(cluster, len(train), len(test))
    if len(train) < ENOUGH or len(test) < 10:
        return blank, None
    if np.ptp(lesson.proba[train, code]) < 1e-6:
        return replace(blank, state="constant"), None
    model = fit_student(lesson, cluster, code, seed)
    student = _judged(blank, lesson, test, model, code)
    importance = gains(model, lesson)
    ranked = [n for n in sorted(importance, key=lambda n: -importance[n]) if importance[n]]
    chances = shadow_p(lesson, cluster, code, ranked[:CANDIDATES], seed)
    drawn = ranked[:CANDIDATES]
    swarm = _beeswarm(lesson, cluster, model, drawn, n_shap, seed)
    made = _factors(lesson, cluster, model, code, importance, swarm, chances, seed)
    factors = tuple(f for f in made if f.counts)[:TOP]
    noise = tuple(f for f in made if not f.counts)[:TOP]
    effects = _effects(lesson, cluster, model, [f.name for f in factors], seed)
    found = replace(student, factors=factors, noise=noise, effects=effects)
    return found, _only(swarm, [f.name for f in factors])


def _judged(student: Student, lesson: Lesson, test, model, code) -> Student:
    """How well the student repeats its teacher on patients that neither has seen."""
    teacher, copy = lesson.proba[test, code], student_risk(model, lesson.X[test])
    r2, y = fidelity(teacher, copy), lesson.y[test] == code
    told = min(y.sum(), (~y).sum()) >= FEW_EVENTS
    pairs = [np.column_stack([1 - risk, risk]) for risk in (teacher, copy)]
    scores = [auprc_macro(y.astype(int), p) if told else float("nan") for p in pairs]
    return replace(
        student,
        state="explains" if r2 >= EXPLAINS else "hints",
        r2=r2,
        rank_correlation=_rank_correlation(teacher, copy),
        auprc_teacher=scores[0],
        auprc_student=scores[1],
    )


def _rank_correlation(a, b) -> float:
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return 0.0
    return float(spearmanr(a, b).statistic)


def _factors(lesson, cluster, model, code, importance, swarm, chances, seed):
    test = lesson.rows(cluster, TEST)
    teacher = lesson.proba[test, code]
    whole = fidelity(teacher, student_risk(model, lesson.X[test]))
    steady = _stability(lesson, cluster, code, seed)
    rng = np.random.default_rng(seed)
    made = []
    for place, name in enumerate(swarm.names):
        column, p = lesson.columns[name], chances[name]
        way, of = _spoken_way(column, swarm, place)
        lost = _permutation_loss(lesson, test, model, name, teacher, whole, rng)
        made.append(
            RiskFactor(
                name=name,
                title=column.title,
                unit=column.unit,
                importance=importance[name],
                permutation=lost,
                mark="",
                direction=way,
                of=of,
                stability=steady.get(name, 0.0),
                p=p,
                counts=bool(p < LEVEL),
            )
        )
    return made


def _stability(lesson: Lesson, cluster, code, seed) -> dict[str, float]:
    """Share of resamples of training patients in which a column is among the strongest."""
    rows, rng = lesson.rows(cluster, TRAIN), np.random.default_rng(seed)
    times: dict[str, int] = {}
    for number in range(RESAMPLES):
        again = fit_again(lesson, rng.choice(rows, len(rows)), code, seed + number)
        found = gains(again, lesson)
        for name in sorted(found, key=lambda n: -found[n])[:STRONGEST]:
            times[name] = times.get(name, 0) + 1
    return {name: n / RESAMPLES for name, n in times.items()}


def _permutation_loss(lesson, test, model, name, teacher, whole, rng) -> float:
    """R² lost when this feature alone is shuffled among held-out patients."""
    columns, lost = lesson.held(name).places, []
    for _ in range(REPEATS):
        X = lesson.X[test].copy()
        X[:, columns] = X[rng.permutation(len(X))][:, columns]
        lost.append(whole - fidelity(teacher, student_risk(model, X)))
    return float(np.mean(lost))


def _spoken_way(column: Column, swarm: Beeswarm, place) -> tuple[float, str]:
    """Which way a factor moves the risk, and what that is said of.

    Where most of what it does hangs on whether it was measured, that is the factor.
    """
    values, shap = swarm.values[:, place], swarm.shap[:, place]
    gone = np.isnan(values)
    if 0.02 <= gone.mean() <= 0.98 and np.ptp(shap) > 0:
        means = shap[gone].mean(), shap[~gone].mean()
        between = gone.mean() * (1 - gone.mean()) * (means[0] - means[1]) ** 2
        if between > MOST_OF_IT * shap.var():
            return float(np.sign(means[0] - means[1])), f"{column.title} not measured"
    return _direction(values, shap), swarm.of[place]


def _direction(values, shap) -> float:
    known = ~np.isnan(values)
    return _rank_correlation(values[known], shap[known]) if known.sum() > 2 else 0.0


def _beeswarm(lesson, cluster, model, chosen, n_shap, seed) -> Beeswarm:
    """SHAP values of patients kept out of training, as shap's TreeExplainer explains them."""
    from shap import TreeExplainer  # slow to import

    rows = np.r_[lesson.rows(cluster, TEST), lesson.rows(cluster, VALIDATION)]
    rows = np.sort(np.random.default_rng(seed).permutation(rows)[:n_shap])
    explanation = TreeExplainer(model)(lesson.X[rows])
    drawn = [_drawn(lesson, name, explanation.values) for name in chosen]
    return Beeswarm(
        cluster,
        tuple(chosen),
        np.column_stack([shap for _, shap in drawn]).astype(np.float32),
        lesson.measured[np.ix_(rows, [place for place, _ in drawn])].astype(np.float32),
        tuple(_of(lesson, place) for place, _ in drawn),
    )


def _only(swarm: Beeswarm, names) -> Beeswarm | None:
    """The swarm of some of its features."""
    if not names:
        return None
    places = [swarm.names.index(name) for name in names]
    of = tuple(swarm.of[p] for p in places)
    return replace(
        swarm, names=tuple(names), shap=swarm.shap[:, places], values=swarm.values[:, places], of=of
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


def _effects(lesson, cluster, model, chosen, seed):
    rows = lesson.rows(cluster, TEST)
    rows = np.random.default_rng(seed).permutation(rows)[:200]

    def risk(X):
        return student_risk(model, X)

    found = [
        one_feature_effect(lesson.X[rows], lesson.held(n), lesson.columns[n], risk) for n in chosen
    ]
    return tuple(effect for effect in found if effect is not None)


def _marked(students: list[Student], n_features) -> tuple[Student, ...]:
    """Each factor marked as shared by all explained subtypes, by some, or unique to one.

    With few features all are among the ten strongest everywhere: what has next to no importance
    in a subtype is not counted as its risk factor.
    """
    worth = min(WORTH, 0.5 / n_features)
    explained = [s for s in students if s.state in ("explains", "hints")]
    tops = [{f.name for f in s.factors if f.importance >= worth} for s in explained]
    named = [{f.name for f in s.factors} for s in explained]
    tried = not any(s.untested for s in explained)

    def mark(factor: RiskFactor) -> Mark:
        times = sum(factor.name in top for top in tops)
        if len(tops) < 2 or factor.importance < worth:
            return ""
        if times == len(tops):
            return "all"
        if times > 1 or sum(factor.name in names for names in named) > 1:
            return "some"
        return "unique" if tried else ""  # where it could not be tested it may be one, too

    return tuple(
        replace(s, factors=tuple(replace(f, mark=mark(f)) for f in s.factors)) for s in students
    )
