"""Models without clusters, as good as they are easily had: what every method stands beside.

Both learn from training and validation patients together and are judged on folds left out, as
DeepCAC is (`preparation/folds.py`: the very same folds), so that neither side has more patients.
"""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from cacviz.engine.metrics import auprc_macro
from cacviz.engine.preparation.blocks import in_blocks
from cacviz.engine.preparation.folds import pooled
from cacviz.engine.protocol import SubtypeClassifier, at_least, check_params

PENALTIES = (0.001, 0.01, 0.1, 1.0)  # scikit-learn's C: the smallest shrinks most


class PlainModel(SubtypeClassifier):
    """One risk model for all. A subclass gives `_learn(X, y, folds)`, a list of fitted models."""

    fit_hooks = ("patients",)

    def fit(self, X, y, *, validation=None, on_step=None, patients=None):
        """Learn from these and the validation patients; `patients` keeps a patient's rows together.

        `patients` are whose rows X has, and after them those of validation.
        """
        check_params(self)
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError("Two classes or more are needed; y has one class only.")
        self.labels_ = np.zeros(len(X), dtype=np.int64)
        self.history_ = []
        self.models_ = self._learn(*pooled((X, y), validation, patients))
        for row in self.history_ if on_step is not None else []:
            on_step(row)
        return self

    def predict_cluster(self, X):
        """Everyone is in the one cluster there is."""
        return np.zeros(len(X), dtype=np.int64)

    def predict_proba(self, X):
        """Probability of each class, in the order of `classes_`: the mean of the models."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        return np.mean([risks(model, X, self.classes_) for model in self.models_], axis=0)

    def get_state(self):
        """The fitted model: arrays by name, a dict for JSON, and the models."""
        check_is_fitted(self)
        meta = {"params": self.get_params(), "history": self.history_}
        meta |= {"n_features": self.n_features_in_, "classes": self.classes_.tolist()}
        meta["classes_dtype"] = self.classes_.dtype.str
        return {"labels": self.labels_}, meta, {str(i): m for i, m in enumerate(self.models_)}

    @classmethod
    def from_state(cls, arrays, meta, estimators):
        """The model whose `get_state` gave these."""
        model = cls(**meta["params"])
        model.labels_ = np.array(arrays["labels"])
        model.models_ = [estimators[str(i)] for i in range(len(estimators))]
        model.history_, model.n_features_in_ = meta["history"], meta["n_features"]
        model.classes_ = np.array(meta["classes"], dtype=meta["classes_dtype"])
        return model

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def risks(model, X, classes):
    """Probabilities over all classes by a model that may have seen fewer."""
    proba = np.zeros((len(X), len(classes)))
    proba[:, np.searchsorted(classes, model.classes_)] = in_blocks(model.predict_proba, X)
    return proba


class PenalisedLogistic(PlainModel):
    """Logistic regression on standardised features and what was missing; left-out folds choose C.

    Gaps are filled by the median, with a column that says so.
    """

    _parameter_constraints = {"max_iter": [at_least(1)], "random_state": ["random_state"]}

    def __init__(self, *, max_iter=1000, random_state=None):
        self.max_iter = max_iter
        self.random_state = random_state

    def _learn(self, X, y, folds):
        scores = self._left_out(X, y, folds)
        best = PENALTIES[int(np.argmax(scores))]
        self.history_ = [{"phase": "fit", "C": best, "validation_auprc": float(max(scores))}]
        return [self._model(best).fit(X, y)]

    def _left_out(self, X, y, folds):
        """For each C, AUPRC of every patient's risk by the model that did not learn from its fold.

        A fold is prepared once for all of them.
        """
        proba = np.zeros((len(PENALTIES), len(y), len(self.classes_)))
        for fold in np.unique(folds):
            out = folds == fold
            if len(np.unique(y[~out])) < 2:
                return [0.0] * len(PENALTIES)
            *prepare, regression = self._model(PENALTIES[0]).named_steps.values()
            prepared = make_pipeline(*prepare).fit(X[~out])
            Z, left = prepared.transform(X[~out]), prepared.transform(X[out])
            for place, C in enumerate(PENALTIES):
                regression.set_params(C=C).fit(Z, y[~out])
                proba[place, out] = risks(regression, left, self.classes_)
        codes = np.searchsorted(self.classes_, y)
        return [auprc_macro(codes, each) for each in proba]

    def _model(self, C):
        impute = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
        regression = LogisticRegression(C=C, max_iter=self.max_iter, tol=1e-3)
        return make_pipeline(impute, StandardScaler(), regression)


class GradientBoosting(PlainModel):
    """Histogram gradient boosting, four times, each stopped on the fold it leaves out."""

    _parameter_constraints = {"max_iter": [at_least(1)], "random_state": ["random_state"]}

    def __init__(self, *, max_iter=500, random_state=None):
        self.max_iter = max_iter
        self.random_state = random_state

    def _learn(self, X, y, folds):
        kept = [f for f in np.unique(folds) if self._can_leave(y, folds == f)]
        if not kept:
            return [self._trees(early=False).fit(X, y)]
        models = [self._without(X, y, folds == fold) for fold in kept]
        trees = [int(model.n_iter_) for model in models]
        self.history_ = [{"phase": "fit", "trees": max(trees)}]
        return models

    def _can_leave(self, y, out):
        """Whether both sides have all the classes: a stop by a class never seen means nothing."""
        return all(len(np.unique(y[side])) == len(self.classes_) for side in (out, ~out))

    def _without(self, X, y, out):
        return self._trees(early=True).fit(X[~out], y[~out], X_val=X[out], y_val=y[out])

    def _trees(self, *, early):
        return HistGradientBoostingClassifier(
            learning_rate=0.05,
            max_iter=self.max_iter,
            max_leaf_nodes=15,
            min_samples_leaf=20,
            l2_regularization=1.0,
            max_features=0.5,
            early_stopping=early,
            n_iter_no_change=20,
            random_state=self.random_state,
        )
