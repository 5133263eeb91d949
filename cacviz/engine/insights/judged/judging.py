"""How good is a run, and for whom? Held-out patients only; intervals by bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cacviz.engine.insights.judged.groups import groups_of, members
from cacviz.engine.insights.judged.types import (
    ENOUGH,
    Calibration,
    ClassView,
    Curves,
    Group,
    Judged,
    Performance,
    Remedy,
)
from cacviz.engine.insights.material import Material
from cacviz.engine.metrics import resample_weights, share_of, with_interval
from cacviz.engine.preparation.splits import patients_of
from cacviz.engine.running.controls import control_configs
from cacviz.engine.running.fitting import fit_model, prepare
from cacviz.engine.running.methods import METHODS
from cacviz.engine.scoring import calibration as cal
from cacviz.engine.scoring import curves
from cacviz.engine.types import VALIDATION, Scored, Split

N_BOOT = 200
MANY = 5_000  # held-out patients: then half as many samples tell as much
GRID = np.linspace(0, 1, 101)
THRESHOLDS = np.r_[np.linspace(0.005, 0.1, 20), np.linspace(0.11, 0.95, 85)]


class Held(NamedTuple):
    """Held-out patients of one group and class: what happened, what was said, and draws."""

    event: np.ndarray
    risk: np.ndarray
    after: np.ndarray | None  # recalibrated
    one: np.ndarray
    draws: np.ndarray  # bootstrap × patients


def judge_run(material: Material) -> Performance:
    """Every class and group of a run, on held-out patients."""
    fitted, cohort, test = material.fitted, material.cohort, material.test
    proba, y = fitted.proba[test], cohort.y[test]
    beside, one = _one_model(material)
    remedy = _remedy(material)
    after = None if remedy is None else cal.recalibrated(proba, remedy.slope, remedy.shifts)
    patients = patients_of(cohort, test)
    n_boot = N_BOOT if len(test) <= MANY else N_BOOT // 2
    draws = resample_weights(len(test), groups=patients, n_boot=n_boot)
    groups = [(g, members(g, cohort, material.routed)[test]) for g in _groups(material)]
    n_classes = proba.shape[1]

    def view(code: int) -> ClassView:
        event = (y == code).astype(np.float64)
        made = [
            judge(
                group,
                Held(
                    event[inside],
                    proba[inside, code],
                    None if after is None else after[inside, code],
                    one[inside, code],
                    draws[:, inside],
                ),
                None if patients is None else patients[inside],
            )
            for group, inside in groups
        ]
        return ClassView(code, (_as_in_the_run(made[0], material), *made[1:]))

    codes = [1] if n_classes == 2 else range(n_classes)
    views = tuple(view(code) for code in codes)
    return Performance(views, GRID, THRESHOLDS, remedy, beside, n_boot, one.astype(np.float64))


def _as_in_the_run(judged: Judged, material: Material) -> Judged:
    """Everybody's scores as the run has them, where it has them: one interval on every page."""
    summary = material.fitted.summary
    if len(summary.classes) > 2 or not judged.told:
        return judged
    return replace(judged, auc=summary.test["auc"], auprc=summary.test["auprc_positive"])


def _groups(material: Material) -> list[Group]:
    return groups_of(material.cohort, material.n_clusters)


def judge(group: Group, held: Held, patients: np.ndarray | None = None) -> Judged:
    """One group; where events are few, counts alone."""
    n, events = len(held.event), int(held.event.sum())
    blank = Judged(group, n, events, share_of(held.event, patients))
    if min(events, n - events) < ENOUGH:
        return blank
    order, plain = curves.order_of(held.risk), np.ones(n)
    one = curves.order_of(held.one)
    counts = [curves.counts_of(held.event, order, w) for w in (plain, *held.draws)]
    beside = curves.counts_of(held.event, one, plain)
    return Judged(
        group,
        n,
        events,
        blank.rate,
        auc=_scored(counts, curves.auc),
        auprc=_scored(counts, curves.average_precision),
        curves=Curves(
            roc=_band([curves.roc(c, GRID) for c in counts]),
            precision=_band([curves.precision_at(c, GRID) for c in counts]),
            benefit=_band([curves.net_benefit(c, THRESHOLDS) for c in counts]),
            one=curves.net_benefit(beside, THRESHOLDS),
            after=_benefit_after(held),
        ),
        calibration=calibrated(held.event, held.risk, held.draws),
        after=None if held.after is None else calibrated(held.event, held.after, held.draws),
    )


def _benefit_after(held: Held) -> np.ndarray:
    """Net benefit at thresholds of the recalibrated risks."""
    risk = held.risk if held.after is None else held.after
    order = curves.order_of(risk)
    drawn = [curves.counts_of(held.event, order, w) for w in (np.ones(len(risk)), *held.draws)]
    return _band([curves.net_benefit(c, THRESHOLDS) for c in drawn])


def _scored(counts: Sequence[curves.Counts], score: Callable[[curves.Counts], float]) -> Scored:
    first, *rest = (score(c) for c in counts)
    return with_interval(first, np.array(rest))


def _band(values: Sequence[np.ndarray]) -> np.ndarray:
    """The curve itself, and the middle 95% of those of the draws."""
    first, rest = values[0], np.array(values[1:])
    rest = rest[~np.isnan(rest).any(axis=1)]
    if not len(rest):
        return np.array([first, first, first]).astype(np.float32)
    return np.array([first, *np.percentile(rest, [2.5, 97.5], axis=0)]).astype(np.float32)


def calibrated(event: np.ndarray, risk: np.ndarray, draws: np.ndarray) -> Calibration:
    """Slope, intercept and Brier score with intervals, and groups of like risk."""
    said, plain = cal.log_odds(risk), np.ones(len(risk))
    weights = [plain, *draws.astype(np.float64)]
    lines = cal.calibration_lines(event, said, weights)
    briers = [cal.brier(event, risk, w) for w in weights]
    rate = float(event.mean())
    return Calibration(
        intercept=_first([line.intercept for line in lines]),
        slope=_first([line.slope for line in lines]),
        brier=_first(briers),
        brier_chance=rate * (1 - rate),
        bins=tuple((b.n, b.risk, b.events) for b in cal.bins_of(event, risk)),
    )


def _first(values: Sequence[float]) -> Scored:
    return with_interval(values[0], np.array(values[1:]))


def _remedy(material: Material) -> Remedy | None:
    """Recalibration from validation patients; nothing of it sees a held-out one.

    None where they taught the risk models: risks look better on them than on anybody new.
    """
    if METHODS[material.fitted.summary.config.method].learns_from_validation:
        return None
    rows = np.flatnonzero(material.fitted.part == VALIDATION)
    y = material.cohort.y[rows]
    n_classes = material.fitted.proba.shape[1]
    if np.bincount(y, minlength=n_classes).min() < ENOUGH:
        return None
    found = cal.fit_recalibration(y, material.fitted.proba[rows])
    return None if found is None else Remedy(found[0], found[1], len(rows))


def _one_model(material: Material) -> tuple[str, np.ndarray]:
    """One model for all, as the run had it beside it; of older runs the quick ones are refitted."""
    fitted = material.fitted
    config = fitted.summary.config
    if fitted.one is not None:
        return "k=1", fitted.one
    wanted = dict(control_configs(config))
    key = "k=1" if "k=1" in wanted and not METHODS[config.method].deep else "lr"
    if key not in wanted:  # the run itself is one model for all
        return "itself", fitted.proba[material.test]
    split = Split(material.cohort, fitted.part, config.seed)
    _, parts = prepare(split, wanted[key])
    model = fit_model(parts, wanted[key])
    return key, model.predict_proba(parts.matrix(METHODS[wanted[key].method])[parts.test])
