"""Curves of a risk against what happened: ROC, precision and recall, net benefit; weighted.

Every function takes a weight a patient, so that a bootstrap sample is a vector of counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Counts(NamedTuple):
    """Patients at or above each different risk, from the highest down."""

    risk: np.ndarray
    hits: np.ndarray
    alarms: np.ndarray

    @property
    def misses(self) -> np.ndarray:
        """Alarms without the event."""
        return self.alarms - self.hits


class Order(NamedTuple):
    """Patients by falling risk, and where each different risk ends: sorted once, used often."""

    order: np.ndarray
    ends: np.ndarray
    risk: np.ndarray


def order_of(risk: np.ndarray) -> Order:
    order = np.argsort(-risk, kind="stable")
    ends = np.flatnonzero(np.r_[np.diff(risk[order]) != 0, True])
    return Order(order, ends, risk[order][ends])


def counts_of(event: np.ndarray, order: Order, weights: np.ndarray) -> Counts:
    """How many events and patients lie at or above each risk."""
    w = weights[order.order].astype(np.float64)
    hits = np.cumsum(w * event[order.order])[order.ends]
    return Counts(order.risk, hits, np.cumsum(w)[order.ends])


def roc(counts: Counts, at: np.ndarray) -> np.ndarray:
    """Sensitivity at these false-positive rates."""
    if counts.hits[-1] == 0 or counts.misses[-1] == 0:
        return np.full(len(at), np.nan)
    false = np.r_[0.0, counts.misses / counts.misses[-1]]
    true = np.r_[0.0, counts.hits / counts.hits[-1]]
    return np.interp(at, false, true)


def auc(counts: Counts) -> float:
    """Area under the ROC curve; ties count half."""
    if counts.hits[-1] == 0 or counts.misses[-1] == 0:
        return float("nan")
    hits, misses = np.r_[0.0, counts.hits], np.r_[0.0, counts.misses]
    area = np.sum(np.diff(misses) * (hits[1:] + hits[:-1]) / 2)
    return float(area / (hits[-1] * misses[-1]))


def precision_at(counts: Counts, recall: np.ndarray) -> np.ndarray:
    """Precision where so much of the events is first found."""
    if counts.hits[-1] == 0:
        return np.full(len(recall), np.nan)
    reached = counts.hits / counts.hits[-1]
    # at 0 as at the first event that is found
    first = np.searchsorted(reached, np.maximum(recall, 1e-9) - 1e-12).clip(max=len(reached) - 1)
    return counts.hits[first] / np.maximum(counts.alarms[first], 1e-12)


def average_precision(counts: Counts) -> float:
    """The mean of precision over the events, as scikit-learn has it."""
    if counts.hits[-1] == 0:
        return float("nan")
    precision = counts.hits / np.maximum(counts.alarms, 1e-12)
    return float(np.sum(np.diff(counts.hits, prepend=0) * precision) / counts.hits[-1])


def net_benefit(counts: Counts, thresholds: np.ndarray) -> np.ndarray:
    """Events treated, less others treated at the threshold's odds, a patient (Vickers 2006)."""
    n = counts.alarms[-1]
    # how many different risks reach the threshold
    reach = np.searchsorted(-counts.risk, -thresholds, side="right")
    hits = np.r_[0.0, counts.hits][reach]
    misses = np.r_[0.0, counts.misses][reach]
    return hits / n - misses / n * thresholds / (1 - thresholds)


def treat_all(prevalence: float, thresholds: np.ndarray) -> np.ndarray:
    """Net benefit of treating everybody."""
    return prevalence - (1 - prevalence) * thresholds / (1 - thresholds)
