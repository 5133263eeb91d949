"""Stays with a known shape: two courses, and an outcome that hangs on when something happened."""

import numpy as np


def courses(n=240, n_hours=8, seed=0):
    """Stays, outcomes and courses: one variable rises or falls; another tells of the outcome.

    The third is noise; half of all measurements are missing.
    """
    rng = np.random.default_rng(seed)
    course, y = rng.integers(0, 2, n), rng.integers(0, 2, n)
    hour = np.arange(n_hours)
    X = rng.normal(size=(n, n_hours, 3)).astype(np.float32)
    X[:, :, 0] += np.where(course == 1, 1, -1)[:, None] * (hour - n_hours / 2)
    late = hour >= n_hours // 2
    X[:, :, 1] += 1.5 * np.where(y[:, None] == 1, late, ~late)
    X[rng.random(X.shape) < 0.5] = np.nan
    return X, y, course
