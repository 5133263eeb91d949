"""What every method has, and the ranges of its parameters, checked in one place."""

from numbers import Integral, Real

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    StrOptions,
    validate_parameter_constraints,
)

__all__ = [
    *("SubtypeClassifier", "at_least", "between", "check_params", "has", "one_of", "positive"),
]


class SubtypeClassifier(ClassifierMixin, BaseEstimator):
    """A scikit-learn classifier that also clusters: the base of every method.

    A method gives `fit(X, y, *, validation=None, on_step=None)`, `predict_cluster`,
    `predict_proba`, `get_state` and `from_state`, and sets `classes_`, `labels_` and `history_`.
    What stands below is what it has unless it says otherwise.
    """

    # what else `fit` takes: checkpoint, groups (whose training rows), patients (whose training and
    # then validation rows)
    fit_hooks: tuple[str, ...] = ()
    embeds = False  # whether `embed(X)` gives the space in which it groups patients
    n_clusters = 1
    notes_: tuple | list = ()
    alpha_: float | None = None  # the separation weight as used
    critical_alpha_: float | None = None
    routing_agreement_: float | None = None

    def shares(self, X):
        """How far each patient belongs to each cluster; None where the nearest centre decides."""

    def proba_of_one(self, X):
        """What the same fit with one cluster would say, where this one knows it; else None."""

    def fit_clusters(self, X, y, **hooks):
        """Fit what `labels_` and `predict_cluster` need: the same clusters as `fit`, or all of it.

        Resamples ask for no more; a method that can spare its experts overrides this.
        """
        return self.fit(X, y, **hooks)

    def predict(self, X):
        """The most probable class of each patient."""
        proba = self.predict_proba(X)
        return self.classes_[proba.argmax(axis=1)]


def at_least(low, kind=Integral):
    return Interval(kind, low, None, closed="left")


def positive():
    return Interval(Real, 0, None, closed="neither")


def between(low, high):
    return Interval(Real, low, high, closed="both")


def one_of(*names):
    return StrOptions(set(names))


def has(*methods):
    return HasMethods(list(methods))


def check_params(estimator):
    """Raise a ValueError that names the parameter, its range and what was found."""
    validate_parameter_constraints(
        estimator._parameter_constraints,
        estimator.get_params(deep=False),
        caller_name=type(estimator).__name__,
    )
