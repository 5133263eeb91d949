"""What every result has to stand beside: which controls, and gradient boosting without clusters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from cacviz.engine.methods import method_named
from cacviz.engine.types import RunConfig
from cacviz.engine.validation import at_least, check_params

IDLE_ALONE = ("actpc",)  # with one subtype everyone has the same risk: nothing to be better than


def control_configs(config: RunConfig) -> dict[str, RunConfig]:
    """The plain models that a run is set beside, by title."""
    method = method_named(config.method)
    found = {}
    if method.clusters and config.n_clusters > 1 and config.method not in IDLE_ALONE:
        found["The same method with one subtype (k = 1)"] = replace(
            config, n_clusters=1, tune_alpha=False
        )
    if config.method == "cac" and config.n_clusters > 1:
        title = "k-means with the same risk models"
        found[title] = replace(config, method="kmeans", alpha=None, tune_alpha=False)
    found["Logistic regression"] = replace(config, method="lr", n_clusters=1)
    found["Gradient boosting"] = replace(config, method="gbm", n_clusters=1)
    same_as_lr = config.method == "cac" and config.expert == "lr"
    if same_as_lr and len(found) > 2:  # CAC with one subtype is that very model
        found.pop("The same method with one subtype (k = 1)")
        renamed = {"Logistic regression": "Logistic regression (k = 1)"}
        found = {renamed.get(title, title): c for title, c in found.items()}
    return {t: c for t, c in found.items() if c.method != config.method or c != config}


class GradientBoosting(ClassifierMixin, BaseEstimator):
    """Histogram gradient boosting, stopped on validation patients; takes missing values as such."""

    _parameter_constraints = {"max_iter": [at_least(1)], "random_state": ["random_state"]}

    def __init__(self, *, max_iter=400, random_state=None):
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y, *, validation=None, on_step=None):
        """Grow trees until the validation loss has not fallen for 20 of them."""
        check_params(self)
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError("Two classes or more are needed; y has one class only.")
        self.model_ = HistGradientBoostingClassifier(
            learning_rate=0.05,
            max_iter=self.max_iter,
            max_leaf_nodes=15,
            min_samples_leaf=20,
            l2_regularization=1.0,
            early_stopping=validation is not None,
            n_iter_no_change=20,
            random_state=self.random_state,
        )
        held = {} if validation is None else {"X_val": validation[0], "y_val": validation[1]}
        self.model_.fit(X, y, **held)
        self.labels_ = np.zeros(len(X), dtype=np.int64)
        self.history_ = [{"phase": "fit", "trees": int(self.model_.n_iter_)}]
        if on_step is not None:
            on_step(self.history_[0])
        return self

    def predict_cluster(self, X):
        """Everyone is in the one cluster there is."""
        return np.zeros(len(X), dtype=np.int64)

    def predict_proba(self, X):
        """Probability of each class, in the order of `classes_`."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        return self.model_.predict_proba(X)

    def predict(self, X):
        """The most probable class."""
        proba = self.predict_proba(X)
        return self.classes_[proba.argmax(axis=1)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
