"""The numba kernel against the definition, move by move."""

import numpy as np
import pytest

from cacviz.engine.cac.class_sums import LOOK, Rules, empty_sums, total_cost
from cacviz.engine.cac.kernel import gather, sweep
from tests.engine.cac import reference


def _wards(seed, n_classes, k, n=30, d=3):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    labels = rng.integers(0, k, n)
    labels[:k] = np.arange(k)
    return X, y, labels


CASES = [
    (n_classes, k, alpha, balanced, min_class_size)
    for n_classes in (2, 3, 4, 5)
    for k, min_class_size in ((1, 1), (2, 1), (3, 2))
    for alpha, balanced in ((0.0, False), (0.1, False), (2.0, False), (0.4, True), (1.0, True))
]


@pytest.mark.parametrize(("n_classes", "k", "alpha", "balanced", "min_class_size"), CASES)
def test_kernel_makes_the_moves_of_the_reference(n_classes, k, alpha, balanced, min_class_size):
    X, y, labels = _wards(n_classes + 10 * k, n_classes, k)
    rules, state = Rules(alpha, balanced, min_class_size), empty_sums(X.shape, k, n_classes)
    norms = (X**2).sum(axis=1)
    gather(X, y, labels, state, rules)
    for _ in range(4):
        expected, moves = reference.sweep(
            X,
            y,
            labels,
            k,
            tolerance=1e-9,
            min_class_size=min_class_size,
            alpha=alpha,
            balanced=balanced,
        )
        assert sweep(X, norms, y, labels, state, rules, 1e-9) == len(moves)
        assert np.array_equal(labels, expected)
        assert total_cost(state, norms.sum(), rules) == pytest.approx(
            reference.total(X, y, labels, alpha=alpha, balanced=balanced)
        )
        if not moves:
            break


def test_cost_of_three_patients_is_what_a_pencil_says():
    X, y = np.array([[0.0], [2.0], [4.0]]), np.array([0, 0, 1])
    state, rules = empty_sums(X.shape, 1, 2), Rules(0.1, False, 1)
    gather(X, y, np.zeros(3, dtype=np.int64), state, rules)
    # scatter 8 around 2; class means 1 and 4 are 3 apart: 8 - 0.1 * 3 * 9
    assert total_cost(state, (X**2).sum(), rules) == pytest.approx(5.3)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("alpha", "balanced"), [(0.02, False), (0.1, False), (0.3, True)])
def test_passing_over_settled_patients_changes_no_move(seed, alpha, balanced):
    X, y, labels = _wards(seed, 2 + seed % 3, 4, n=1500, d=6)
    X[labels == 0] += 1.5
    rules, norms, looked = Rules(alpha, balanced, 1), (X**2).sum(axis=1), labels.copy()
    quick, patient = (empty_sums(X.shape, 4, 2 + seed % 3) for _ in range(2))
    for state, at in ((quick, labels), (patient, looked)):
        gather(X, y, at, state, rules)
    for _ in range(30):
        patient.limits[:] = LOOK
        moves = sweep(X, norms, y, labels, quick, rules, 1e-9)
        assert sweep(X, norms, y, looked, patient, rules, 1e-9) == moves
        assert np.array_equal(labels, looked)
    assert (quick.limits > 0).any()
