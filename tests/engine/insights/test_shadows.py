"""Noise is no factor."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.demo import RISK_FACTORS, demo_truth, make_demo
from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.insights.explainers.distilling import Lesson
from cacviz.engine.insights.explainers.shadows import LEVEL, shadow_p
from cacviz.engine.preparation.preparing import Preparation
from cacviz.engine.types import TEST, TRAIN, Column


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


def repeated(n_patients=120, times=5, n_noise=8):
    """Rows that repeat a patient's outcome and noise, as visits do."""
    rng = np.random.default_rng(4)
    patient = np.repeat(np.arange(n_patients), times)
    frame = pd.DataFrame(
        {f"noise{j}": rng.normal(size=n_patients)[patient] for j in range(n_noise)}
    )
    died = rng.permutation(np.arange(n_patients) % 2)[patient]
    frame = frame.assign(signal=died + rng.normal(0, 0.7, len(frame)), died=died)
    columns = [Column(name, "number") for name in frame.columns[:-1]]
    cohort = make_cohort("visits", frame, [*columns, Column("died", "yesno")], None)
    lesson = lesson_of(cohort, np.zeros(len(frame), dtype=int))
    return lesson._replace(y=died, patients=patient)


def test_noise_that_repeats_with_its_patient_is_no_factor():
    lesson = repeated()
    noise = [name for name in lesson.sources if name.startswith("noise")]
    p = shadow_p(lesson, 0, 1, [*noise, "signal"])
    assert p["signal"] < LEVEL
    assert [name for name in noise if p[name] < LEVEL] == []


def test_twenty_rows_of_ten_patients_are_too_few():
    assert np.isnan(shadow_p(repeated(20), 0, 1, ["signal"])["signal"])


def test_held_out_patients_have_no_say_in_what_is_a_factor(noisy):
    part = noisy.part.copy()
    part[::4] = TEST
    lesson = noisy._replace(part=part)
    turned = lesson._replace(y=np.where(part == TEST, 1 - lesson.y, lesson.y))
    names = list(RISK_FACTORS[0])[:1]
    assert shadow_p(lesson, 0, 1, names) == shadow_p(turned, 0, 1, names)
