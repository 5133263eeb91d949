"""Twins without subtypes: as often the same values, going together as before, one cloud."""

import numpy as np
import pandas as pd
import pytest

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.preparation.one_population import one_population
from cacviz.engine.types import Column, Outcome

KINDS = {"age": "number", "lactate": "number", "score": "number", "site": "category"}


@pytest.fixture(scope="module")
def mixed():
    """Numbers, a scale, a category and gaps; the outcome goes with lactate."""
    rng = np.random.default_rng(5)
    n = 800
    z = rng.normal(size=(n, 4))
    frame = pd.DataFrame(
        {"age": 60 + 10 * z[:, 0], "lactate": np.exp(0.7 * z[:, 0] + z[:, 1] + z[:, 3])}
    )
    frame["score"] = np.clip((z[:, 1] + 2).round(), 0, 4)
    frame["site"] = np.array(["A", "B", "C"])[np.clip((z[:, 2] + 1).astype(int), 0, 2)]
    frame.loc[z[:, 0] + rng.normal(size=n) > 1.2, "lactate"] = np.nan
    frame["died"] = (z[:, 1] + rng.normal(size=n) > 1).astype(int)
    columns = [*(Column(name, kind) for name, kind in KINDS.items()), Column("died", "yesno")]
    return make_cohort("mixed", frame, columns, Outcome("died"))


@pytest.fixture(scope="module")
def population(mixed):
    return one_population(mixed)


def test_the_same_seed_gives_the_same_twin_and_another_another(population):
    first, again, other = population.draw(1), population.draw(1), population.draw(2)
    pd.testing.assert_frame_equal(first.frame, again.frame)
    assert first.fingerprint == again.fingerprint != other.fingerprint
    assert not first.frame["age"].equals(other.frame["age"])


def test_a_twin_has_the_cohorts_values_levels_and_gaps_as_often(mixed, population):
    twin = population.draw(0)
    assert set(twin.frame["age"]) <= set(mixed.frame["age"])
    assert set(twin.frame["site"]) == {"A", "B", "C"}
    for name in ("score", "site"):
        before, after = (f[name].value_counts(normalize=True) for f in (mixed.frame, twin.frame))
        assert (before - after).abs().max() < 0.06
    assert twin.frame["lactate"].isna().mean() == pytest.approx(
        mixed.frame["lactate"].isna().mean(), abs=0.05
    )
    assert np.mean(twin.y) == pytest.approx(np.mean(mixed.y), abs=0.05)


def test_columns_go_together_as_before(mixed, population):
    def ranks(cohort):
        return cohort.frame[["age", "lactate", "score"]].assign(y=cohort.y).corr("spearman")

    drawn = sum(ranks(population.draw(seed)) for seed in range(5)) / 5
    assert (drawn - ranks(mixed)).abs().max().max() < 0.08


def test_two_humps_stay_where_marginals_are_kept_and_go_where_they_are_smoothed():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 600)
    frame = pd.DataFrame(rng.normal(size=(600, 4)) * 0.5 + 6 * group[:, None], columns=list("abcd"))
    frame["died"] = rng.integers(0, 2, 600)
    columns = [*(Column(n, "number") for n in "abcd"), Column("died", "yesno")]
    found = one_population(make_cohort("humps", frame, columns, Outcome("died")))

    def in_the_middle(cohort):
        return np.mean(np.abs(cohort.frame["a"] - 3) < 1)

    assert in_the_middle(found.draw(0)) < 0.02
    assert in_the_middle(found.draw(0, "one hump")) > 0.1


def test_patients_without_an_outcome_stay_so(mixed):
    from dataclasses import replace

    y = np.where(np.arange(800) < 50, -1, mixed.y)
    twin = one_population(replace(mixed, y=y)).draw(0)
    assert (twin.y[:50] == -1).all()
    assert (twin.y[50:] >= 0).all()
