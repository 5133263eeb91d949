"""Noise is no factor."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.demo import RISK_FACTORS, demo_truth, make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.explainers.distilling import Lesson
from cacviz.engine.insights.explainers.shadows import LEVEL, shadow_p
from cacviz.engine.preparation.preparing import Preparation
from cacviz.engine.types import TRAIN, Column


def lesson_of(cohort, clusters):
    preparation = Preparation().fit(cohort.frame, cohort.columns, cohort.y)
    measured = preparation.measured(cohort.frame)
    everyone = np.full(cohort.n_patients, TRAIN, dtype=np.int8)
    return Lesson(
        X=measured,
        measured=measured,
        sources=preparation.sources_,
        kinds=tuple(p["kind"] for p in preparation.plan_),
        names=preparation.names_,
        columns={},
        proba=np.empty((0, 2)),
        y=cohort.y,
        part=everyone,
        clusters=clusters,
    )


@pytest.fixture(scope="module")
def noisy():
    """The demo with columns of pure noise: 2 to 60 levels, an id, a number."""
    demo, rng = make_demo(), np.random.default_rng(7)
    frame, columns = demo.frame, list(demo.columns)
    for number in range(12):
        levels = rng.integers(0, rng.integers(2, 61), len(frame))
        frame = frame.assign(**{f"noise{number}": [f"l{v}" for v in levels]})
        columns.append(Column(f"noise{number}", "category"))
    frame = frame.assign(record=rng.permutation(len(frame)) + 10_000, gauss=rng.normal(size=3000))
    columns += [Column("record", "number"), Column("gauss", "number")]
    return lesson_of(make_cohort("noisy", frame, columns, demo.outcome), demo_truth())


@pytest.mark.parametrize("subtype", [0, 1, 2])
def test_planted_factors_beat_their_shuffled_copies_and_noise_does_not(noisy, subtype):
    noise = [s for s in dict.fromkeys(noisy.sources) if s.startswith(("noise", "record", "gauss"))]
    assert len(noise) == 14
    p = shadow_p(noisy, subtype, 1, [*RISK_FACTORS[subtype], *noise])
    assert max(p[name] for name in RISK_FACTORS[subtype]) < LEVEL
    assert sum(p[name] < LEVEL for name in noise) == 0


def test_with_too_few_events_nothing_is_told():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=60), "died": [1] * 5 + [0] * 55})
    cohort = make_cohort("few", frame, [Column("a", "number"), Column("died", "yesno")], None)
    lesson = lesson_of(cohort, np.zeros(60, dtype=int))
    lesson = lesson._replace(y=frame["died"].to_numpy())
    assert np.isnan(shadow_p(lesson, 0, 1, ["a"])["a"])
