"""Splits a cohort into training, validation and test patients: the paper's 57/18/25."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import TEST, TRAIN, UNUSED, VALIDATION, Cohort, RunConfig, Split

TEST_SHARE = 0.25
VALIDATION_SHARE = 0.25  # of what is left
MIN_PATIENTS = 8


def split_cohort(cohort: Cohort, seed: int = 0) -> Split:
    """Stratified by outcome; all rows of a patient fall in the same part.

    Depends on nothing but the outcome, the patient ids and the seed.
    """
    known = np.flatnonzero(cohort.y >= 0)
    if len(known) < MIN_PATIENTS:
        raise CohortError(
            f"{len(known)} patients have an outcome; at least {MIN_PATIENTS} are needed to set "
            "some aside for testing. Choose another outcome or a larger cohort."
        )
    rng = np.random.default_rng(seed)
    part = np.full(cohort.n_patients, UNUSED, dtype=np.int8)
    patients = patients_of(cohort, known)
    if patients is None:
        part[known] = _stratified(cohort.y[known], rng)
    else:
        part[known] = _stratified(strata_of(cohort.y[known], patients), rng)[patients]
    _check_parts(cohort, part)
    part.setflags(write=False)
    return Split(cohort, part, seed)


def check(split: Split, config: RunConfig) -> None:
    """Raise what a user must change before this configuration can be fitted."""
    cohort, n = split.cohort, len(split.rows(TRAIN))
    if cohort.outcome is None or len(cohort.classes) < 2:
        raise CohortError(
            "Choose an outcome with two classes or more before you look for subtypes."
        )
    if config.n_clusters > n // 10:
        raise CohortError(
            f"{config.n_clusters} subtypes are too many for {n} training patients: each needs at "
            f"least 10. Use {max(1, n // 10)} or fewer, or a larger cohort."
        )


def patients_of(cohort: Cohort, rows: np.ndarray) -> np.ndarray | None:
    """A number from 0 for each row's patient; None where no patient has two of the rows."""
    ids = cohort.names("patient id")
    if not ids:
        return None
    codes, distinct = pd.factorize(cohort.frame[ids[0]].iloc[rows])
    nameless = codes < 0
    codes[nameless] = len(distinct) + np.arange(nameless.sum())  # each a patient of its own
    n_patients = len(distinct) + nameless.sum()
    return codes if n_patients < len(rows) else None


def strata_of(y: np.ndarray, patients: np.ndarray) -> np.ndarray:
    """Alike patients: the same rarest class among their rows, and about as many rows."""
    rarity = np.argsort(np.argsort(-np.bincount(y), kind="stable"))
    rarest = np.zeros(patients.max() + 1, dtype=np.int64)
    np.maximum.at(rarest, patients, rarity[y])
    n_rows = np.bincount(patients)
    return rarest * 64 + np.minimum(np.log2(n_rows) * 2, 63).astype(np.int64)


def _stratified(strata: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The part of each, with the shares kept within each stratum and over all."""
    shuffled = rng.permutation(len(strata))
    order = shuffled[np.argsort(strata[shuffled], kind="stable")]
    part = np.full(len(strata), TRAIN, dtype=np.int8)
    carried = np.zeros(2)
    starts = np.flatnonzero(np.r_[True, np.diff(strata[order]) != 0])
    for rows in np.split(order, starts[1:]):
        n_test, n_validation, carried = _sizes(len(rows), carried)
        part[rows[:n_test]] = TEST
        part[rows[n_test : n_test + n_validation]] = VALIDATION
    return part


def _sizes(n: int, carried: np.ndarray) -> tuple[int, int, np.ndarray]:
    """Whole numbers near the shares; what rounding leaves is carried to the next stratum.

    Of two patients one is tested, of three or more each part gets one, training always.
    """
    wanted = np.array([TEST_SHARE, (1 - TEST_SHARE) * VALIDATION_SHARE]) * n + carried
    sizes = np.maximum(np.round(wanted), [n >= 2, n >= 3]).astype(int)
    sizes = np.minimum(sizes, [max(n - 1, 0), max(n - 1 - sizes[0], 0)])
    return int(sizes[0]), int(sizes[1]), np.clip(wanted - sizes, -1, 1)


def _check_parts(cohort: Cohort, part: np.ndarray) -> None:
    trained = np.unique(cohort.y[part == TRAIN])
    empty = [p for p in (TRAIN, VALIDATION, TEST) if not np.any(part == p)]
    if len(trained) < 2 or empty:
        raise CohortError(
            "Too few patients to train on one part and test on another: after the split a part "
            "is empty or has one class only. Use a larger cohort or merge classes."
        )
