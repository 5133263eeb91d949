"""Gradient boosting without clusters: the control that every result has to stand beside."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from cacviz.engine.validation import at_least, check_params


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
