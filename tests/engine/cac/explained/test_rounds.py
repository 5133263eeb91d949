"""What is watched on the page Method is what runs do: the kernel's rounds, scikit-learn's lr."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression

from cacviz.engine.cac.class_sums import Rules
from cacviz.engine.cac.explained.experts import fit, logistic
from cacviz.engine.cac.explained.patients import World, patients
from cacviz.engine.cac.explained.rounds import changes, class_means, cost, lloyd, rounds
from cacviz.engine.cac.rounds import hartigan
from tests.engine.cac import reference

WORLDS = [World(1.5, 2.5, 3), World(2.0, 1.5, 2), World(1.0, 2.0, 3, turned=1.0)]


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("alpha", [0.0, 0.08, 0.2, 0.5])
def test_rounds_are_those_of_the_kernel(world, alpha):
    plane, k = patients(world, 150, 2), world.kinds
    start = lloyd(plane.X, k)
    watched = rounds(plane.X, plane.y, start, k, alpha)
    rules = Rules(alpha, False, 1)
    run = hartigan(plane.X, plane.y, start, k, 2, rules=rules, max_iter=60)
    assert watched.moves == run.moves
    np.testing.assert_allclose(watched.costs, run.costs)
    for mine, theirs in zip(watched.labels, run.labels, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_changes_are_differences_of_the_cost():
    plane, labels = patients(World(1.5, 2.0, 3), 24, 5), np.arange(24) % 3
    found = changes(plane.X, plane.y, labels, 3, 0.3)
    now = cost(plane.X, plane.y, labels, 3, 0.3)
    assert now == pytest.approx(reference.total(plane.X, plane.y, labels, alpha=0.3))
    for i in range(24):
        for j in set(range(3)) - {labels[i]}:
            if reference.may_leave(plane.y, labels, i):
                moved = np.where(np.arange(24) == i, j, labels)
                after = reference.total(plane.X, plane.y, moved, alpha=0.3)
                assert found[i, j] == pytest.approx(after - now)
            else:
                assert found[i, j] == np.inf


def test_alpha_far_beyond_its_critical_value_collapses_and_below_it_does_not():
    plane = patients(WORLDS[0], 150, 2)
    start = lloyd(plane.X, 3)
    critical = 0.19
    below = rounds(plane.X, plane.y, start, 3, 0.5 * critical)
    beyond = rounds(plane.X, plane.y, start, 3, 2 * critical)
    assert class_means(plane.X, plane.y, below.labels[-1], 3)[0].min() >= 10
    assert class_means(plane.X, plane.y, beyond.labels[-1], 3)[0].min() == 1
    assert all(np.diff(beyond.costs) <= 1e-9)


def test_k_means_scatters_no_more_than_scikit_learn_s():
    plane = patients(WORLDS[0], 150, 2)
    labels = lloyd(plane.X, 3)
    best = KMeans(3, n_init=10, random_state=0).fit(plane.X).inertia_
    assert cost(plane.X, plane.y, labels, 3, 0.0) <= 1.01 * best


def test_the_logistic_regression_is_scikit_learn_s():
    plane = patients(WORLDS[1], 150, 1)
    theirs = LogisticRegression(tol=1e-10, max_iter=1000).fit(plane.X, plane.y)
    mine = logistic(plane.X, plane.y, 0.3)
    np.testing.assert_allclose(mine, [*theirs.coef_[0], theirs.intercept_[0]], atol=1e-4)


def test_a_subtype_with_one_outcome_says_a_constant():
    plane = patients(WORLDS[1], 40, 1)
    labels = np.where(plane.y == 1, 0, 1)
    model = fit(plane.X, plane.y, labels, 2)
    risk = model.risk(plane.X)
    assert len(np.unique(risk.round(9))) == 2
    assert 0 < risk.min() < risk.max() < 1
