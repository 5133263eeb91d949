"""The nine classifiers of the paper; one expert a cluster; routing patients to them."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass

import numpy as np
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import (
    LogisticRegression,
    Perceptron,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.metrics import pairwise_distances_argmin
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from cacviz.engine.preparation.blocks import in_blocks
from cacviz.engine.types import Note


def _xgb():
    from xgboost import XGBClassifier  # loads a large library: only where it is asked for

    return XGBClassifier(n_estimators=10, n_jobs=1)


# One factory for X, KM+X and CAC+X (METHODS 1.4): the same classifier, nothing reweighted.
EXPERTS = {
    # a looser tolerance than the default: the same AUC in an eighth of the time on 57,000 patients
    "lr": lambda: LogisticRegression(max_iter=1000, tol=1e-3),
    "svm": lambda: LinearSVC(max_iter=5000),
    "xgb": _xgb,
    "lda": LinearDiscriminantAnalysis,
    "perceptron": Perceptron,
    "rf": lambda: RandomForestClassifier(n_estimators=10),
    "knn": KNeighborsClassifier,
    "sgd": lambda: SGDClassifier(loss="log_loss"),
    "ridge": RidgeClassifier,
}


@dataclass(frozen=True, slots=True, eq=False)
class Expert:
    """A cluster's risk model: an estimator over the classes it saw, or None with a fixed prior."""

    estimator: object | None
    classes: np.ndarray  # codes that the estimator's columns stand for
    prior: np.ndarray  # probabilities over all classes where there is no estimator


def make_expert(expert, random_state=None):
    """A fresh, unfitted classifier from one of the nine names or from an estimator of one's own."""
    estimator = EXPERTS[expert]() if isinstance(expert, str) else clone(expert)
    if "random_state" in estimator.get_params():
        seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
        estimator.set_params(random_state=seed)
    return estimator


def fit_expert(expert, X, y, n_classes, *, prior, random_state=None):
    """Fit one expert; with one class or none there is nothing to learn but the prior.

    The constant is shrunk towards the cohort by one patient, so that it never says 0 or 100%.
    """
    counts = np.bincount(y, minlength=n_classes)
    classes = np.flatnonzero(counts)
    if len(classes) < 2:
        return Expert(None, classes, (counts + prior) / (len(y) + 1))
    codes = np.searchsorted(classes, y)  # xgboost wants 0, 1, … without gaps
    estimator = _sized(make_expert(expert, random_state), len(y))
    with warnings.catch_warnings():
        # Held-out scores judge the expert; a solver at its limit is no news for a clinician.
        warnings.simplefilter("ignore", ConvergenceWarning)
        if hasattr(estimator, "predict_proba"):
            estimator.fit(X, codes)
        else:
            estimator = _calibrated(estimator, X, codes, counts[classes].min())
    return Expert(estimator, classes, prior)


def _sized(estimator, n):
    """Nearest neighbours cannot ask for more neighbours than there are patients."""
    if isinstance(estimator, KNeighborsClassifier) and estimator.n_neighbors > n:
        estimator.set_params(n_neighbors=n)
    return estimator


def _calibrated(estimator, X, codes, smallest):
    """Probabilities by Platt scaling; out of fold wherever each class has two patients."""
    if smallest < 2:
        frozen = FrozenEstimator(estimator.fit(X, codes))
        everyone = np.arange(len(X))  # one patient of a class cannot be in two folds
        once = CalibratedClassifierCV(frozen, cv=[(everyone, everyone)], ensemble=False)
        return once.fit(X, codes)
    cv = int(min(3, smallest))
    return CalibratedClassifierCV(estimator, cv=cv, ensemble=False).fit(X, codes)


def fit_experts(expert, X, y, labels, n_clusters, n_classes, *, random_state=None):
    """One expert per cluster, in cluster order."""
    prior = np.bincount(y, minlength=n_classes) / len(y)
    rng = check_random_state(random_state)
    return [
        fit_expert(expert, X[rows], y[rows], n_classes, prior=prior, random_state=rng)
        for rows in (labels == j for j in range(n_clusters))
    ]


def expert_proba(expert, X, n_classes):
    """Probabilities over all classes from one expert."""
    if expert.estimator is None:
        return np.tile(expert.prior, (len(X), 1))
    proba = np.zeros((len(X), n_classes))
    proba[:, expert.classes] = in_blocks(expert.estimator.predict_proba, X)
    return proba


def route(experts, X, clusters, n_classes):
    """Each patient's probabilities from the expert of its own cluster."""
    proba = np.empty((len(X), n_classes))
    for j, expert in enumerate(experts):
        rows = clusters == j
        if rows.any():
            proba[rows] = expert_proba(expert, X[rows], n_classes)
    return proba


class RoutedMixin:
    """Prediction by the expert of the nearest centroid; needs `centroids_` and `experts_`.

    `kept_arrays` and `kept` name what else a fit leaves behind that is stored with the model.
    """

    kept_arrays: tuple[str, ...] = ()
    kept: tuple[str, ...] = ("history_",)

    def predict_cluster(self, X):
        """Nearest centroid, so a new patient needs no outcome."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return pairwise_distances_argmin(X, self.centroids_)

    def predict_proba(self, X):
        """Probability of each class, in the order of `classes_`."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return route(self.experts_, X, self.predict_cluster(X), len(self.classes_))

    def get_state(self):
        """The fitted model: arrays by name, a dict for JSON, and the experts' estimators."""
        check_is_fitted(self)
        names = ("labels_", "centroids_", *self.kept_arrays)
        arrays = {name: np.asarray(getattr(self, name)) for name in names}
        for j, expert in enumerate(self.experts_):
            arrays |= {f"classes/{j}": expert.classes, f"prior/{j}": expert.prior}
        meta = {"params": self.get_params(deep=False), "n_features": self.n_features_in_}
        meta |= {"classes": self.classes_.tolist(), "classes_dtype": self.classes_.dtype.str}
        meta |= {name: getattr(self, name) for name in self.kept}
        meta["notes"] = [asdict(note) for note in self.notes_]
        fitted = {str(j): e.estimator for j, e in enumerate(self.experts_) if e.estimator}
        return arrays, meta, fitted

    @classmethod
    def from_state(cls, arrays, meta, estimators):
        """The model whose `get_state` gave these; it predicts the same to the last bit."""
        model = cls(**meta["params"])
        model.classes_ = np.array(meta["classes"], dtype=meta["classes_dtype"])
        model.n_features_in_ = meta["n_features"]
        for name in ("labels_", "centroids_", *cls.kept_arrays):
            setattr(model, name, np.array(arrays[name]))
        for name in cls.kept:
            setattr(model, name, meta[name])
        model.notes_ = [Note(**said) for said in meta["notes"]]
        model.experts_ = [
            Expert(estimators.get(str(j)), arrays[f"classes/{j}"], arrays[f"prior/{j}"])
            for j in range(len(model.centroids_))
        ]
        return model
