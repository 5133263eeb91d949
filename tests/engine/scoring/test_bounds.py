"""The theorems' bounds hold where they are said to, and fail where docs/methods.md says so."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from cacviz.engine.cac.explained.patients import World, patients
from cacviz.engine.cac.explained.rounds import lloyd, rounds
from cacviz.engine.scoring.bounds import (
    entropy,
    generalisation,
    log_loss_bounds,
    margin_bounds,
    own_odds,
    softplus,
)


def runs(n_runs=100):
    """Small synthetic cohorts of two to four clusters, each with the clusters of a CAC run."""
    rng = np.random.default_rng(0)
    for seed in range(n_runs):
        k = int(rng.integers(2, 5))
        world = World(rng.uniform(0, 3), rng.uniform(0.5, 5), k, rng.uniform())
        plane = patients(world, 160, seed)
        alpha = float(rng.choice([0.02, 0.1, 0.2, 0.5, 2.0]))  # collapsed runs among them
        labels = rounds(plane.X, plane.y, lloyd(plane.X, k), k, alpha).labels[-1]
        yield plane.X, plane.y, labels


@pytest.mark.heavy
def test_theorem_2_holds_in_every_subtype_of_a_hundred_runs():
    seen = 0
    for X, y, labels in runs():
        for j in np.unique(labels):
            rows = labels == j
            if len(np.unique(y[rows])) < 2:
                continue
            expert = LogisticRegression(solver="newton-cholesky").fit(X[rows], y[rows])
            proba = expert.predict_proba(X[rows])
            found = log_loss_bounds(own_odds(proba, y[rows]), y[rows])
            assert found.loss == pytest.approx(log_loss(y[rows], proba))
            assert found.lower <= found.tight <= found.loss <= found.upper
            seen += 1
    assert seen > 200


def test_theorem_2_is_the_paper_s_formula_in_the_class_means():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 3)), np.arange(50) % 2
    X[y == 1] += 0.7
    expert = LogisticRegression().fit(X, y)
    odds = own_odds(expert.predict_proba(X), y)
    beta, mean = expert.coef_[0], [X[y == c].mean(axis=0) for c in (0, 1)]
    at = [float(beta @ m + expert.intercept_[0]) for m in mean]
    c = np.abs(X @ beta + expert.intercept_[0]).max()
    gap = (25 * at[1] - 25 * at[0]) / 2
    found = log_loss_bounds(odds, y)
    assert 50 * found.lower == pytest.approx(50 * np.log(2) - gap)
    assert 50 * found.upper == pytest.approx(50 * np.log(1 + np.exp(c)) - 50 * c / 2 - gap)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_our_bounds_of_the_margin_loss_always_hold(n_classes):
    rng = np.random.default_rng(2)
    for _ in range(50):
        cosines = rng.uniform(-1, 1, (40, n_classes))
        y = rng.integers(0, n_classes, 40)
        cosines[np.arange(40), y] += rng.uniform(-0.5, 0.5)
        found = margin_bounds(cosines, y, 0.4, 30.0)
        assert found.lower <= found.loss <= found.upper


def test_theorem_3_s_own_bounds_fail_where_we_say_so():
    """Lower: the half is lost, which a margin of 2 ln 2 / s or more hides. Upper: beyond it."""
    y = np.arange(40) % 2
    wrong = np.where(np.eye(2)[y] == 1, -0.5, 0.5)
    assert (found := margin_bounds(wrong, y, 0.01, 30.0)).paper_lower > found.loss
    assert (found := margin_bounds(wrong, y, 0.4, 30.0)).paper_lower < found.loss
    won = np.where(np.eye(2)[y] == 1, 0.9, -0.9)  # everybody beyond the margin
    found = margin_bounds(won, y, 0.4, 30.0)
    assert found.beyond == 40
    assert found.paper_upper < 0 < found.loss <= found.upper


def test_theorem_1_holds_for_new_patients_and_falls_with_the_square_root_of_n():
    rng = np.random.default_rng(3)
    slopes = np.array([1.0, -0.5, 0.0])

    def draw(n):
        X = np.clip(rng.normal(size=(n, 3)), -3, 3)
        return X, (rng.random(n) < 1 / (1 + np.exp(-X @ slopes))).astype(int)

    new, y_new = draw(20_000)
    bounds = []
    for n in (100, 10_000):
        X, y = draw(n)
        expert = LogisticRegression().fit(X, y)
        odds = own_odds(expert.predict_proba(X), y)
        squares = (X**2).sum(axis=1) + 1
        assert np.linalg.norm([*expert.coef_[0], expert.intercept_[0]]) < 2
        found = generalisation(odds, squares, 2.0, 1, entropy(np.bincount(y)))
        assert log_loss(y_new, expert.predict_proba(new)) < found.bound
        bounds.append(found)
    ratio = (bounds[0].bound - bounds[0].loss) / (bounds[1].bound - bounds[1].loss)
    assert ratio == pytest.approx(10, rel=0.2)  # the reach differs a little
    assert bounds[0].void
    assert bounds[0].needed > 100


def test_the_needed_number_is_where_the_bound_meets_the_rate():
    odds, squares = np.full(400, 0.8), np.full(400, 4.0)
    found = generalisation(odds, squares, 0.9, 3, float(np.log(2)))
    n = int(np.ceil(found.needed))
    again = generalisation(np.full(n, 0.8), np.full(n, 4.0), 0.9, 3, float(np.log(2)))
    assert again.bound == pytest.approx(np.log(2), rel=1e-3)


def test_softplus_does_not_overflow():
    assert softplus(1000.0) == 1000.0
    assert entropy(np.array([0, 5])) == 0.0
