"""Folds of whole patients: who is left out when a model is judged on patients it has not seen."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cacviz.engine.preparation.splits import strata_of

N_FOLDS = 4
SEED = 0  # folds draw nothing from a fit's own random numbers: every method has the same


def fold_of(y: np.ndarray, patients: np.ndarray | None = None) -> np.ndarray:
    """The fold (0 to 3) of each row, stratified by outcome; a patient's rows share one fold."""
    if patients is None:
        return _dealt(np.asarray(y))
    codes = pd.factorize(np.asarray(patients))[0]
    return _dealt(strata_of(np.asarray(y), codes))[codes]


def _dealt(strata: np.ndarray) -> np.ndarray:
    """Each stratum's members dealt out in turn; the next stratum goes on where it ended."""
    order = np.random.default_rng(SEED).permutation(len(strata))
    order = order[np.argsort(strata[order], kind="stable")]
    folds = np.empty(len(strata), dtype=np.int64)
    folds[order] = np.arange(len(strata)) % N_FOLDS
    return folds


def pooled(train, validation, patients=None):
    """Training and validation patients in one, with the fold of each row: X, y, folds."""
    if validation is None:
        X, y = train
    else:
        X = np.concatenate([train[0], validation[0]])
        y = np.concatenate([train[1], validation[1]])
    return X, y, fold_of(y, patients)
