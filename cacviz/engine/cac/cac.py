"""CAC: cluster patients so that outcomes stay apart, then fit one expert per cluster."""

from __future__ import annotations

import warnings
from numbers import Real

import numpy as np
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from cacviz.engine.cac.class_sums import Rules
from cacviz.engine.cac.critical import critical_alpha, start_labels
from cacviz.engine.cac.experts import EXPERTS, RoutedMixin, fit_experts, route
from cacviz.engine.cac.rounds import centroids, hartigan
from cacviz.engine.cac.tuning import tune, tuned_note
from cacviz.engine.exceptions import DegenerateClusterWarning
from cacviz.engine.metrics import auprc_macro
from cacviz.engine.protocol import SubtypeClassifier, at_least, check_params, has, one_of
from cacviz.engine.scoring.silhouettes import mean_silhouettes
from cacviz.engine.types import Note

UNMOVED = 0.05  # of the patients: where no more left the start, these are the k-means subtypes
FEW = 5  # patients of a class in a cluster below which it counts as collapsed


class CAC(RoutedMixin, SubtypeClassifier):
    """Clustering-aware classification (Algorithm 1 of the paper).

    Parameters
    ----------
    n_clusters : int
        Number of clusters; 1 gives the plain expert.
    alpha : float or None
        Separation weight; None takes half the critical value of the k-means start.
    tune_alpha : bool
        Choose alpha by 5-fold cross-validation among fractions of its critical value.
    expert : str or estimator
        One of `EXPERTS`, or a scikit-learn classifier.
    separation : {"paper", "balanced"}
        Distance of class means, or between-class scatter, which cannot collapse for alpha <= 1.
    refit : {"members", "nearest"}
        Fit experts on the clusters' members (paper) or on who is routed to them.
    min_class_size : int
        A patient may not leave if its class would fall below this in the cluster.
    choose : {"last", "validation"}
        Keep the last round, or the one whose experts score best on `validation`.
    n_init, max_iter : int
        k-means starts, and most rounds.
    random_state : int, RandomState or None

    Attributes
    ----------
    labels_, centroids_, experts_, classes_ : as found on the training patients
    costs_ : total cost before the first round and after each
    history_ : one row a round: round, cost, moves, silhouette
    alpha_, critical_alpha_ : the weight used, and where the cost starts to collapse
    routing_agreement_ : share of training patients nearest to their own cluster's centroid
    class_counts_ : clusters × classes
    tuning_ : what was tried where alpha was tuned: fraction, mean and sd of the score
    notes_ : what was chosen, and whether patients left the k-means start
    """

    fit_hooks = ("groups",)
    kept_arrays = ("costs_", "class_counts_")
    kept = (
        *("history_", "tuning_", "alpha_", "critical_alpha_", "routing_agreement_"),
        *("round_", "n_iter_"),
    )
    _parameter_constraints = {
        "n_clusters": [at_least(1)],
        "alpha": [at_least(0, kind=Real), None],
        "tune_alpha": ["boolean"],
        "expert": [one_of(*EXPERTS), has("fit", "predict")],
        "separation": [one_of("paper", "balanced")],
        "refit": [one_of("members", "nearest")],
        "min_class_size": [at_least(1)],
        "choose": [one_of("last", "validation")],
        "n_init": [at_least(1)],
        "max_iter": [at_least(1)],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters=3,
        *,
        alpha=None,
        tune_alpha=False,
        expert="lr",
        separation="paper",
        refit="members",
        min_class_size=1,
        choose="last",
        n_init=10,
        max_iter=100,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.tune_alpha = tune_alpha
        self.expert = expert
        self.separation = separation
        self.refit = refit
        self.min_class_size = min_class_size
        self.choose = choose
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y, *, validation=None, on_step=None, groups=None):
        """Find the clusters and fit their experts; `on_step` gets a row per round.

        `groups`, the patient of each row, keeps a patient's rows together when alpha is tuned.
        """
        X, codes, rng = self._checked(X, y, validation)
        centred = X - X.mean(axis=0)
        start, rounds = self._rounds(X, centred, codes, rng, groups, on_step)
        self._set_history(centred, rounds)
        del centred
        self._set_experts(X, codes, rounds, validation, rng)
        self._note_moves(start)
        self._warn_of_collapse()
        return self

    def fit_clusters(self, X, y, *, validation=None, on_step=None, groups=None):
        """The clusters of `fit` without experts, history and notes, for resamples."""
        if self.choose == "validation":  # which round stands is for the experts to say
            return self.fit(X, y, validation=validation, on_step=on_step, groups=groups)
        X, codes, rng = self._checked(X, y, validation)
        _, rounds = self._rounds(X, X - X.mean(axis=0), codes, rng, groups, on_step)
        self.labels_ = rounds.labels[-1].astype(np.int64)
        self.centroids_ = centroids(X, self.labels_, self.n_clusters)
        return self

    def _rounds(self, X, centred, codes, rng, groups, on_step):
        """The k-means start, and what Hartigan's method made of it."""
        start = start_labels(centred, self.n_clusters, n_init=self.n_init, random_state=rng)
        self._set_alpha(X, codes, start, groups, on_step)
        rules = Rules(float(self.alpha_), self.separation == "balanced", self.min_class_size)
        report, most = _reporter(on_step, self.max_iter), self.max_iter
        k, c = self.n_clusters, len(self.classes_)
        args = (centred, codes, start, k, c)
        return start, hartigan(*args, rules=rules, max_iter=most, on_round=report)

    def _checked(self, X, y, validation):
        check_params(self)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("CAC needs patients of two classes or more; y has one class only.")
        if self.n_clusters > len(X):
            raise ValueError(f"n_clusters={self.n_clusters} is more than the {len(X)} patients.")
        if self.tune_alpha and self.alpha is not None:
            raise ValueError("tune_alpha=True chooses alpha: leave alpha at None.")
        if self.choose == "validation" and validation is None:
            raise ValueError("choose='validation' needs fit(X, y, validation=(X_val, y_val)).")
        return X, codes.astype(np.int64), check_random_state(self.random_state)

    def _set_alpha(self, X, codes, start, groups, on_step):
        self.critical_alpha_ = critical_alpha(
            codes, start, len(self.classes_), separation=self.separation
        )
        self.alpha_ = self.critical_alpha_ / 2 if self.alpha is None else float(self.alpha)
        self.tuning_, self.notes_ = [], []
        if self.tune_alpha and self.n_clusters > 1:
            fraction, self.tuning_ = tune(self, X, codes, groups, on_step)
            self.alpha_ = fraction * self.critical_alpha_
            self.notes_ = [tuned_note(float(self.alpha_), fraction, self.tuning_)]

    def _set_history(self, X, rounds):
        self.costs_ = np.array(rounds.costs)
        self.n_iter_ = len(rounds.costs) - 1
        silhouettes = mean_silhouettes(X, rounds.labels, self.n_clusters)
        self.history_ = [
            {"phase": "cluster", "round": r, "cost": cost, "moves": moves, "silhouette": float(s)}
            for r, (cost, moves, s) in enumerate(
                zip(rounds.costs, rounds.moves, silhouettes, strict=True)
            )
        ]

    def _set_experts(self, X, codes, rounds, validation, rng):
        seed = rng.randint(np.iinfo(np.int32).max)
        numbers = [len(rounds.labels) - 1]
        if self.choose == "validation":
            numbers = list(range(len(rounds.labels)))
        best = -np.inf
        for number in reversed(numbers):  # the last one stands where validation cannot tell
            means, experts = self.experts_of(X, codes, rounds.labels[number], seed)
            score = self._validation_score(means, experts, validation) if len(numbers) > 1 else 0.0
            if number == numbers[-1] or score >= best:
                best, self.round_ = np.nan_to_num(score, nan=-np.inf), number
                self.centroids_, self.experts_ = means, experts
        self.labels_ = rounds.labels[self.round_].astype(np.int64)
        nearest = pairwise_distances_argmin(X, self.centroids_)
        self.routing_agreement_ = float(np.mean(nearest == self.labels_))
        self.class_counts_ = np.array(
            [
                np.bincount(codes[self.labels_ == j], minlength=len(self.classes_))
                for j in range(self.n_clusters)
            ]
        )

    def experts_of(self, X, codes, labels, seed):
        """The clusters' means, and an expert for each as `refit` says."""
        means = centroids(X, labels, self.n_clusters)
        if self.refit == "nearest":
            labels = pairwise_distances_argmin(X, means)
        k, c = self.n_clusters, len(self.classes_)
        return means, fit_experts(self.expert, X, codes, labels, k, c, random_state=seed)

    def _validation_score(self, means, experts, validation):
        X, y = validation
        proba = route(experts, X, pairwise_distances_argmin(X, means), len(self.classes_))
        return auprc_macro(np.searchsorted(self.classes_, y), proba)

    def _note_moves(self, start):
        moved = int(np.sum(self.labels_ != start))
        if self.n_clusters > 1 and self.alpha_ > 0 and moved < UNMOVED * len(start):
            values = {"moved": moved, "n": len(start), "alpha": float(self.alpha_)}
            self.notes_.append(Note("k-means subtypes", "hint", values))

    def _warn_of_collapse(self):
        if self.n_clusters > 1 and self.class_counts_.min() < FEW:
            j = int(self.class_counts_.min(axis=1).argmin())
            warnings.warn(
                f"Cluster {j} has {self.class_counts_[j].min()} patients of one class "
                f"(alpha {self.alpha_:.3g}, critical value {self.critical_alpha_:.3g}).",
                DegenerateClusterWarning,
                stacklevel=3,
            )


def _reporter(on_step, most):
    if on_step is None:
        return None

    def on_round(number, rounds):
        row = {"phase": "cluster", "round": number, "of": most}
        on_step({**row, "cost": rounds.costs[-1], "moves": rounds.moves[-1]})

    return on_round


class KMeansExperts(RoutedMixin, SubtypeClassifier):
    """k-means, then one expert per cluster (KM + X); with one cluster the plain expert (X)."""

    _parameter_constraints = {
        "n_clusters": [at_least(1)],
        "expert": [one_of(*EXPERTS), has("fit", "predict")],
        "n_init": [at_least(1)],
        "random_state": ["random_state"],
    }

    def __init__(self, n_clusters=3, *, expert="lr", n_init=10, random_state=None):
        self.n_clusters = n_clusters
        self.expert = expert
        self.n_init = n_init
        self.random_state = random_state

    def fit_clusters(self, X, y, *, validation=None, on_step=None):
        """The clusters of `fit` without experts, for resamples."""
        X, _, rng = self._checked(X, y)
        copy = X - X.mean(axis=0)
        self.labels_ = start_labels(copy, self.n_clusters, n_init=self.n_init, random_state=rng)
        self.centroids_ = centroids(X, self.labels_, self.n_clusters)
        return self

    def fit(self, X, y, *, validation=None, on_step=None):
        """Cluster without the outcome, then fit the experts with it."""
        X, codes, rng = self._checked(X, y)
        copy = X - X.mean(axis=0)
        self.labels_ = start_labels(copy, self.n_clusters, n_init=self.n_init, random_state=rng)
        silhouette = mean_silhouettes(copy, [self.labels_], self.n_clusters)[0]
        self.centroids_ = centroids(X, self.labels_, self.n_clusters)
        k, c = self.n_clusters, len(self.classes_)
        self.experts_ = fit_experts(
            self.expert, X, codes, self.labels_, k, c, random_state=rng.randint(2**31 - 1)
        )
        self.history_ = [{"phase": "cluster", "round": 0, "silhouette": float(silhouette)}]
        if on_step is not None:
            on_step(self.history_[0])
        return self

    def _checked(self, X, y):
        check_params(self)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("Two classes or more are needed; y has one class only.")
        return X, codes, check_random_state(self.random_state)
