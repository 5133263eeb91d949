"""All insights of a run, step by step: what is ready shows before the map, which comes last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from cacviz.engine.insights.types import Described, Insights
from cacviz.engine.types import TEST, TRAIN, Cohort, FittedRun

PLAIN_YES = ("yes", "1", "true", "y", "present", "positive")
STEPS = ("described", "silhouettes", "students", "map")


def make_insights(cohort: Cohort, fitted: FittedRun, *, on_step=None) -> Insights:
    """Everything at once; `on_step` gets a row before each step."""
    made = Insights()
    for name, part in insight_steps(cohort, fitted, on_step=on_step):
        made = replace(made, **{name: part})
    return made


def insight_steps(
    cohort: Cohort, fitted: FittedRun, *, only: Sequence[str] = STEPS, on_step=None
) -> Iterator[tuple[str, Any]]:
    """Each part as soon as it is computed; a part is None where it does not apply."""
    report = on_step or (lambda row: None)
    makers = {
        "described": _described,
        "silhouettes": _silhouettes,
        "students": _students,
        "map": _map,
    }
    for name in only:
        report({"phase": name})
        yield name, makers[name](cohort, fitted)


def _n_clusters(fitted) -> int:
    return len(fitted.summary.clusters)


def _rows(fitted, part):
    return (fitted.part == part).nonzero()[0]


def _described(cohort, fitted) -> Described:
    from cacviz.engine.insights.evidence import held_out_tests
    from cacviz.engine.insights.names import suggest_names
    from cacviz.engine.insights.profiles import profile_subtypes
    from cacviz.engine.insights.survival import survival_by_subtype

    k, seed = _n_clusters(fitted), fitted.summary.config.seed
    train, test = _rows(fitted, TRAIN), _rows(fitted, TEST)
    profiles = profile_subtypes(cohort, fitted.clusters, k, train, test, seed=seed)
    survival = survival_by_subtype(cohort, fitted.clusters, k, test)
    tests = held_out_tests(cohort, fitted.clusters, test, survival=survival, seed=seed)
    return Described(profiles, tests, suggest_names(profiles, k), survival)


def _silhouettes(cohort, fitted):
    from cacviz.engine.insights.maps import patient_space
    from cacviz.engine.insights.separation import silhouettes_by_patient

    space, _ = patient_space(fitted, cohort.frame)
    train, seed = _rows(fitted, TRAIN), fitted.summary.config.seed
    return silhouettes_by_patient(space, fitted.clusters, train, _n_clusters(fitted), seed=seed)


def _students(cohort, fitted):
    from cacviz.engine.insights.distilling import make_lesson
    from cacviz.engine.insights.students import teach_all

    lesson, seed = make_lesson(cohort, fitted), fitted.summary.config.seed
    return teach_all(lesson, _n_clusters(fitted), outcome_words(cohort), seed=seed)


def outcome_words(cohort: Cohort) -> str:
    """What the risk is a risk of: the outcome, and its last class unless that is a plain yes."""
    assert cohort.outcome is not None  # a run has one
    title, last = cohort.column(cohort.outcome.column).title, cohort.classes[-1]
    return title if last.lower() in PLAIN_YES else f"{title} {last}"


def _map(cohort, fitted):
    from cacviz.engine.insights.maps import map_patients, patient_space

    space, kind = patient_space(fitted, cohort.frame)
    seed = fitted.summary.config.seed
    return map_patients(space, kind, fitted.clusters, cohort.y, fitted.part, seed=seed)
