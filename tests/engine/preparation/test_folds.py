"""Folds of whole patients."""

import numpy as np

from cacviz.engine.preparation.folds import N_FOLDS, fold_of, pooled


def test_every_fold_has_its_share_of_every_class():
    y = np.r_[np.zeros(80, int), np.ones(20, int)]
    folds = fold_of(y)
    assert np.bincount(folds).tolist() == [25] * N_FOLDS
    assert np.bincount(folds[y == 1]).tolist() == [5] * N_FOLDS


def test_all_rows_of_a_patient_share_a_fold():
    rng = np.random.default_rng(0)
    patients, y = rng.integers(0, 60, 300), rng.integers(0, 2, 300)
    folds = fold_of(y, patients)
    assert all(len(np.unique(folds[patients == p])) == 1 for p in np.unique(patients))
    assert len(np.unique(folds)) == N_FOLDS


def test_training_and_validation_patients_are_pooled_in_order():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    together, outcome, folds = pooled((X[:8], y[:8]), (X[8:], y[8:]))
    assert np.array_equal(together, X)
    assert np.array_equal(outcome, y)
    assert np.array_equal(folds, fold_of(y))
