"""A cohort without a fault to plant faults in, and what the checks say of it in words."""

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.checks import check_cohort, key_of, remedied
from cacviz.engine.cohorts.making import make_cohort, rechosen
from cacviz.engine.types import Column, Outcome
from cacviz.wording.checks import check_sentence
from cacviz.wording.remedies import remedy_label

N = 600


def clean(n=N, n_classes=2, seed=0):
    """A cohort without a fault: five measurements, a category, an outcome that all hint at."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 5)).round(2), columns=list("abcde"))
    frame["ward"] = rng.choice(["x", "y", "z"], n)
    risk = frame[list("abcde")].sum(axis=1) + 2 * rng.normal(size=n)
    frame["death"] = pd.qcut(risk, n_classes, labels=False)
    return frame


def cohort_of(frame, kinds=None, roles=None):
    kinds, roles = {"ward": "category", **(kinds or {})}, roles or {}
    columns = [Column(n, kinds.get(n, "number"), roles.get(n, "feature")) for n in frame]
    return make_cohort("ward", frame, columns, Outcome("death"))


def found(cohort):
    """Each finding by its code (a leak by its family) with the columns it is about."""
    return {(key_of(c), *c.columns) for c in check_cohort(cohort)}


def one(cohort, key):
    """The one finding of a kind."""
    (check,) = [c for c in check_cohort(cohort) if key_of(c) == key]
    return check


def labels(check):
    return [remedy_label(check, remedy) for remedy in check.remedies]


def said(check):
    return check_sentence(check)


def after(cohort, check, place=0):
    """The cohort after a remedy, the likeliest unless another is named by its place."""
    return rechosen(cohort, remedied(cohort, check, check.remedies[place]))
