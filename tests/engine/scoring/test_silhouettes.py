import numpy as np
import pytest
from sklearn.metrics import silhouette_samples as oracle

from cacviz.engine.scoring.silhouettes import mean_silhouettes, sample_rows, silhouette_samples


def test_many_labelings_at_once_equal_scikit_learn_one_by_one():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 5))
    labelings = [rng.integers(0, k, 80) for k in (2, 3, 4)]
    ours = silhouette_samples(X, labelings, 4)
    for row, labels in zip(ours, labelings, strict=True):
        assert row == pytest.approx(oracle(X, labels), abs=1e-4)


def test_one_cluster_scores_zero():
    assert mean_silhouettes(np.zeros((5, 2)), [np.zeros(5, dtype=int)], 1).tolist() == [0]


def test_large_cohorts_are_sampled_and_the_sample_is_seeded():
    assert len(sample_rows(25_000)) == 10_000
    assert np.array_equal(sample_rows(25_000, seed=3), sample_rows(25_000, seed=3))
