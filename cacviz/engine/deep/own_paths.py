"""Partial pooling: how far each cluster's expert leaves the risk that all clusters share.

Expert j says softmax(share · shared log risk + x · w_j). The penalty on w_j and the share go from
"all share" to "each its own", and patients who were left out choose between them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from cacviz.engine.deep import linear
from cacviz.engine.deep.linear import TINY, softmax
from cacviz.engine.metrics import auprc_macro

PENALTIES = (1000.0, 100.0, 30.0, 10.0, 3.0)
SHARES = (1.0, 0.5, 0.0)
GATE_PENALTY = 10.0
NEGLIGIBLE = 0.01  # a membership below it teaches an expert nothing


class Pool(NamedTuple):
    """Patients who teach the experts, and judge them fold by fold."""

    plain: np.ndarray  # patients × features, the last a constant
    shared: np.ndarray  # log risk of each class by networks that did not see the patient
    member: np.ndarray  # patients × k
    y: np.ndarray
    fold: np.ndarray

    def in_one(self):
        """The same patients in a single cluster."""
        return self._replace(member=np.ones((len(self.y), 1)))

    def each_fold(self):
        """For each fold, which patients are left out."""
        return (self.fold == fold for fold in np.unique(self.fold))


class Choice(NamedTuple):
    """A candidate: None for both where all clusters share one risk."""

    share: float | None
    penalty: float | None

    @property
    def own(self):
        return self.share is not None


SHARED = Choice(None, None)


class Tried(NamedTuple):
    """A candidate on left-out patients: the loss of each, and the AUPRC of all."""

    choice: Choice
    losses: np.ndarray
    auprc: float


def choose(pool):
    """What predicts left-out patients best, and how sharing all does there.

    Everyone judges, in a cluster that does not know its outcome (`blind`). Of candidates that
    they cannot tell from the best (one standard error of the paired difference) it is the one
    nearest to sharing.
    """
    with threadpool_limits(1):  # the same bits whatever the machine's threads
        tried = _all_tried(pool, blind(pool))
    return _nearest(tried), tried[0]


def blind(pool):
    """Memberships that do not know a patient's outcome: by a linear gate of the other folds.

    Outcomes shape the clusters, so that a patient's own membership tells of its outcome. The gate
    reads the features alone. Where patients are in one cluster each, they are here too.
    """
    found = np.empty_like(pool.member)
    for out in pool.each_fold():
        gate = linear.fit(linear.Lesson(pool.plain[~out], pool.member[~out]), GATE_PENALTY)
        found[out] = softmax(pool.plain[out] @ gate)
    hard = (pool.member.max(axis=1) == 1).all()
    return np.eye(found.shape[1])[found.argmax(axis=1)] if hard else found


def choose_common(pool):
    """How far a linear path of all patients replaces the shared risk, up to wholly.

    Chosen first, so that clusters get no credit for what a plain linear model does better.
    """
    alone = pool.in_one()
    with threadpool_limits(1):
        return _nearest(_all_tried(alone, alone.member)).choice


def _all_tried(pool, routed):
    shared = _tried(SHARED, softmax(pool.shared), pool.y)
    return [shared, *(t for share in SHARES for t in _weaker(pool, routed, share))]


def _nearest(tried):
    """The first, which is nearest to sharing, that is as good as the best."""
    best = min(tried, key=lambda t: t.losses.mean())
    return next(t for t in tried if _as_good(t.losses - best.losses))


def _as_good(gaps):
    return gaps.mean() <= gaps.std() / np.sqrt(len(gaps))


def _weaker(pool, routed, share):
    """Candidates from the strongest penalty down, as long as left-out patients gain."""
    outs = list(pool.each_fold())
    paths: list = [[None] * pool.member.shape[1] for _ in outs]  # each starts from the last
    risks, best = np.empty_like(pool.shared), np.inf
    for penalty in PENALTIES:
        choice = Choice(share, penalty)
        for f, out in enumerate(outs):
            paths[f] = [fit_path(pool, choice, j, ~out, p) for j, p in enumerate(paths[f])]
            risks[out] = mixed(pool._replace(member=routed), choice, paths[f], out)
        tried = _tried(choice, risks, pool.y)
        yield tried
        if tried.losses.mean() > best:
            return
        best = tried.losses.mean()


def mixed(pool, choice, paths, rows):
    """Risks of some patients: the experts' by membership."""
    shared, plain = choice.share * pool.shared[rows], pool.plain[rows]
    each = zip(pool.member[rows].T, paths, strict=True)
    return sum(member[:, None] * softmax(shared + plain @ path) for member, path in each)


def left_out(pool, choice):
    """Log risks of each fold's patients by experts that learned from the other folds."""
    if not choice.own:
        return pool.shared
    risks = np.empty_like(pool.shared)
    with threadpool_limits(1):
        for out in pool.each_fold():
            paths = [fit_path(pool, choice, j, ~out) for j in range(pool.member.shape[1])]
            risks[out] = mixed(pool, choice, paths, out)
    return np.log(np.maximum(risks, TINY))


def fit_paths(pool, choice):
    """The own path of every cluster from all patients: k × features × classes; zeros if shared."""
    k, shape = pool.member.shape[1], (pool.plain.shape[1], pool.shared.shape[1])
    if not choice.own:
        return np.zeros((k, *shape))
    everyone = np.ones(len(pool.y), dtype=bool)
    with threadpool_limits(1):
        return np.stack([fit_path(pool, choice, j, everyone) for j in range(k)])


def fit_path(pool, choice, j, teach, start=None):
    """Penalised logistic regression of cluster j on top of its share of the common risk."""
    rows = np.flatnonzero(teach & (pool.member[:, j] > NEGLIGIBLE))
    target = np.eye(pool.shared.shape[1])[pool.y[rows]]
    offset, weight = choice.share * pool.shared[rows], pool.member[rows, j, None]
    lesson = linear.Lesson(pool.plain[rows], target, offset, weight)
    return linear.fit(lesson, choice.penalty, start)


def _tried(choice, risks, y):
    own = risks[np.arange(len(y)), y]
    return Tried(choice, -np.log(np.maximum(own, TINY)), auprc_macro(y, risks))
