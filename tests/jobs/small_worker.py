"""A worker with a small real fit: logistic regression by minibatches, with checkpoints.

It takes the engine's place where a test needs a fit of known length. SMALL_FIT_PAUSE slows each
epoch down by so many seconds; SMALL_FIT_FAULT names an error to run into at the third epoch.
"""

import os
import signal
import sys
import time

import numpy as np

from cacviz.engine.exceptions import CohortError
from cacviz.engine.types import ClusterSummary, FittedRun, RunSummary, Scored
from cacviz.jobs import queue, worker
from cacviz.store import models

NAME = "tests.jobs.small_worker"
KINDS = {"preparation": f"{NAME}:Scaler", "cac": f"{NAME}:Logistic"}
FAULTS = {
    "cohort": lambda: CohortError("The outcome has one value only. Choose another column."),
    "value": lambda: ValueError("could not read 'JOHN DOE'"),
}


class Weights:
    """Numbers that are saved as deep models are: arrays and JSON."""

    def __init__(self, values):
        self.values = values

    def get_state(self):
        return {"values": self.values}, {"n": len(self.values)}

    @classmethod
    def from_state(cls, arrays, meta):
        assert meta["n"] == len(arrays["values"])
        return cls(arrays["values"])


class Scaler(Weights):
    def transform(self, frame):
        return (frame.to_numpy() - self.values[0]) / self.values[1]


class Logistic(Weights):
    def predict_proba(self, X):
        risk = 1 / (1 + np.exp(-(X @ self.values[1:] + self.values[0])))
        return np.column_stack([1 - risk, risk])


class NoCheckpoint:
    def load(self):
        return None

    def save(self, arrays, meta):
        pass


def fit_in_peace(cohort, config):
    """The small fit without anybody to report to."""
    return fit_small(cohort, config, on_step=lambda row: None, checkpoint=NoCheckpoint())


def fit_small(cohort, config, *, on_step, checkpoint):
    """Weights that depend on every epoch before, so that a resumed fit must truly go on."""
    frame, of = features(cohort), config.get("epochs")
    scaler = Scaler(np.array([frame.mean(), frame.std()]))
    X, y = scaler.transform(frame), cohort.y
    weights, first = np.zeros(X.shape[1] + 1), 0
    kept = checkpoint.load()
    if kept is not None:
        weights, first = kept[0]["weights"], kept[1]["epoch"]
    for epoch in range(first, of):
        _one_epoch(weights, X, y, np.random.default_rng([config.seed, epoch]))
        time.sleep(float(os.environ.get("SMALL_FIT_PAUSE", 0)))
        _perhaps_fault(epoch)
        on_step({"phase": "training", "epoch": epoch + 1, "of": of, "loss": weights[0]})
        checkpoint.save({"weights": weights}, {"epoch": epoch + 1})
        if kept is None and epoch + 1 == int(os.environ.get("SMALL_FIT_HOLD", 0)):
            signal.pause()  # until it is ended; resumed, it goes on
    return _fitted(cohort, config, scaler, Logistic(weights), X)


def features(cohort):
    return cohort.frame[cohort.names("feature")]


def _one_epoch(weights, X, y, rng):
    for rows in np.array_split(rng.permutation(len(y)), 4):
        risk = Logistic(weights).predict_proba(X[rows])[:, 1]
        weights[1:] -= 0.1 * X[rows].T @ (risk - y[rows]) / len(rows)
        weights[0] -= 0.1 * (risk - y[rows]).mean()


def _perhaps_fault(epoch):
    fault = os.environ.get("SMALL_FIT_FAULT")
    if fault == "memory" and epoch == 2:
        np.ones(2**50)
    if fault in FAULTS and epoch == 2:
        raise FAULTS[fault]()


def _fitted(cohort, config, scaler, model, X):
    proba = model.predict_proba(X)
    counts = tuple(np.bincount(cohort.y, minlength=2).tolist())
    everyone = ClusterSummary(0, len(X), counts, 0, (), ())
    summary = RunSummary(
        config=config,
        cohort_name=cohort.name,
        fingerprint=cohort.fingerprint,
        outcome=cohort.outcome,
        classes=cohort.classes,
        clusters=(everyone,),
        test={"auc": Scored(0.5, 0.4, float("nan"))},
        controls=(),
        silhouette=float("nan"),
        routing_agreement=None,
        alpha=None,
        critical_alpha=None,
        seconds=0.5,
        notes=(),
        history=({"epoch": 1, "loss": 0.5},),
    )
    zeros = np.zeros(len(X), dtype=np.int64)
    return FittedRun(summary, zeros, zeros, proba, X[:, :2].copy(), scaler, model)


if __name__ == "__main__":
    Scaler.__module__ = Logistic.__module__ = NAME  # not "__main__"
    queue.WORKER, models.KINDS = NAME, KINDS
    # its subtypes are none that could be described; studies are the engine's own
    worker.main(sys.argv[1:], fit_small, describe=False)
