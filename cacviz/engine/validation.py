"""Parameter ranges of estimators, checked in one place."""

from numbers import Integral, Real

from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    StrOptions,
    validate_parameter_constraints,
)

__all__ = ["at_least", "between", "check_params", "has", "one_of", "positive"]


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
