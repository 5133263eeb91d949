"""Columns that may tell the outcome because they were recorded after it: suspicions with reasons.

By what a column does: it tells the outcome almost alone, one of its levels (or its being missing)
excludes or implies an outcome, or it follows a column that was left out. And by what it is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.late_names import late_family
from cacviz.engine.reading.kinds import as_numbers, as_words, word
from cacviz.engine.scoring.ranking import rank_auc
from cacviz.engine.scoring.tests import association_p
from cacviz.engine.types import Cohort, Severity

LEAK_AUC, STRONG_AUC = 0.95, 0.9
MAX_ROWS = 30_000  # enough to tell 0.95 from 0.94 to the third digit
N_BINS = 50
MOST_CODES = 40  # different numbers up to which each is looked at by itself
SPIKE = 0.05  # of the known values: one number that so many share
N_FOLDS = 5
MISSING = ""  # in place of a level
# A level excludes an outcome that its patients should have met so often by chance, or implies it.
EXPECTED = 20.0  # patients with the outcome that it should have
NEVER = 0.02  # of the outcome's rate: as good as never
ALWAYS = 0.98
NEARLY_ALL = 0.95  # of the patients with the outcome, in one level
RARER = 0.05  # of the rate in that level: outside it the outcome is so much rarer
SURPRISE = 18.0  # natural logarithm of the odds against chance
TWIN = 0.9  # rank correlation


class Suspicion(NamedTuple):
    """One column, why it is suspected (a code of `wording.leaks`), how gravely, and the figures."""

    column: str
    code: str
    severity: Severity
    values: dict[str, Any]


def suspicions(cohort: Cohort, rows: np.ndarray | None = None) -> list[Suspicion]:
    """Every suspected feature once, by its gravest reason; the gravest first.

    `rows` are the patients to look at; without them all whose outcome is known.
    """
    everyone = np.arange(cohort.n_patients) if rows is None else rows
    everyone = everyone[cohort.y[everyone] >= 0]
    rows = _sampled(everyone)
    if len(np.unique(cohort.y[rows])) < 2 or cohort.outcome is None:
        return []
    found: dict[str, Suspicion] = {}
    for one in (*_by_behaviour(cohort, rows, everyone), *_by_name(cohort), *_by_twin(cohort, rows)):
        found.setdefault(one.column, one)
    return sorted(found.values(), key=lambda s: s.severity != "grave")


def _by_behaviour(cohort: Cohort, rows: np.ndarray, everyone: np.ndarray) -> Iterator[Suspicion]:
    y = cohort.y[rows]
    folds = np.random.default_rng(0).integers(0, N_FOLDS, len(rows))
    strong = []
    for name in cohort.names("feature"):
        values, kind = cohort.frame[name].iloc[rows], cohort.column(name).kind
        auc = column_auc(values, kind, y, folds)
        if auc >= LEAK_AUC:
            yield Suspicion(name, "tells", "grave", {"auc": auc})
            continue
        level = telling_level(values, kind, y)
        if level is not None and len(rows) < len(everyone):  # it is told of everyone, or not at all
            level = telling_level(cohort.frame[name].iloc[everyone], kind, cohort.y[everyone])
        if level is not None:
            level["class"] = cohort.classes[level["class"]]
            yield Suspicion(name, "level", "grave", level)
        elif auc >= STRONG_AUC:
            strong.append(Suspicion(name, "strong", "warning", {"auc": auc}))
    yield from strong


def _by_name(cohort: Cohort) -> Iterator[Suspicion]:
    assert cohort.outcome is not None
    outcome = cohort.outcome.column
    for column in cohort.columns:
        if column.role == "feature":
            family = late_family(column.name, column.label, outcome=outcome)
            if family:
                yield Suspicion(column.name, family, "warning", {})


def _by_twin(cohort: Cohort, rows: np.ndarray) -> Iterator[Suspicion]:
    """Features that rise and fall with a column that was left out because it is known late."""
    assert cohort.outcome is not None
    outcome = cohort.outcome.column
    late = [
        c.name
        for c in cohort.columns
        if c.role in ("left out", "time")
        and c.kind == "number"
        and (c.role == "time" or late_family(c.name, c.label, outcome=outcome))
    ]
    if not late:
        return
    theirs = {name: _ranks(cohort.frame[name].iloc[rows]) for name in late[:12]}
    for name in cohort.names("feature"):
        if cohort.column(name).kind != "number":
            continue
        own = _ranks(cohort.frame[name].iloc[rows])
        for other, ranks in theirs.items():
            if abs(_correlation(own, ranks)) >= TWIN:
                yield Suspicion(name, "twin", "warning", {"of": other})
                break


def _ranks(values: pd.Series) -> np.ndarray:
    return pd.Series(as_numbers(values)).rank().to_numpy()


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    known = ~(np.isnan(a) | np.isnan(b))
    if known.sum() < 30 or np.ptp(a[known]) == 0 or np.ptp(b[known]) == 0:
        return 0.0
    return float(np.corrcoef(a[known], b[known])[0, 1])


def telling_level(values: pd.Series, kind: str, y: np.ndarray) -> dict[str, Any] | None:
    """A level, or the being missing of a column, that excludes or implies a class.

    Of numbers, a value counts that stands out from its neighbours: that the lowest or highest
    values have no events is what a good risk factor does.
    """
    codes, levels, ordered = _levels(values, kind)
    n_classes, n_levels = int(y.max()) + 1, len(levels)
    table = np.bincount(codes * n_classes + y, minlength=n_levels * n_classes)
    table = table.reshape(n_levels, n_classes).astype(float)
    best: tuple[float, dict[str, Any]] | None = None
    for c in range(1 if n_classes == 2 else 0, n_classes):
        for place, how, weight in _telling(table, c):
            if ordered and place and not _stands_out(table, c, place):
                continue
            said = {"level": levels[place], "class": c, "how": how, "n": int(table[place].sum())}
            if best is None or weight > best[0]:
                best = weight, said
    return best[1] if best else None


def _telling(table: np.ndarray, c: int) -> Iterator[tuple[int, str, float]]:
    """Levels (by place) that tell of class c, how, and how many patients that concerns."""
    hits, n = table[:, c], table.sum(axis=1)
    total, everyone = hits.sum(), n.sum()
    rate = total / everyone
    needed = SURPRISE + np.log(len(n))  # the more levels, the more must be against chance
    for place in np.flatnonzero(n >= 10).tolist():
        own, outside = hits[place] / n[place], everyone - n[place]
        beyond = (total - hits[place]) / max(outside, 1)
        against = _surprise(hits[place], n[place], rate)
        if own >= ALWAYS and against > needed:
            yield place, "implies", hits[place]
        elif own <= NEVER * rate and n[place] * rate >= EXPECTED and against > needed:
            yield place, "excludes", n[place]
        elif _holds(hits[place], total, outside * rate) and beyond <= RARER * own:
            yield place, "holds", hits[place]


def _holds(hits: float, total: float, expected_outside: float) -> bool:
    """Whether a level has nearly all patients with the outcome, though many are outside it."""
    return hits >= NEARLY_ALL * total and expected_outside >= EXPECTED


def _stands_out(table: np.ndarray, c: int, place: int) -> bool:
    """Whether a value's rate of class c is unlike that of both values beside it."""
    n = table.sum(axis=1)
    own = table[place, c] / n[place]
    beside = [p for p in (place - 1, place + 1) if 0 < p < len(n) and n[p] > 0]
    gaps = [abs(table[p, c] / n[p] - own) for p in beside]
    usual = table[:, c].sum() / n.sum()
    return bool(gaps) and min(gaps) >= 0.5 * abs(usual - own)


def _surprise(hits: float, n: float, rate: float) -> float:
    """n times the divergence of the level's rate from everybody's: minus log of the chance."""
    own = hits / n
    parts = [
        part * np.log(part / whole)
        for part, whole in ((own, rate), (1 - own, 1 - rate))
        if part > 0 and whole > 0
    ]
    return float(n * sum(parts))


def _levels(values: pd.Series, kind: str) -> tuple[np.ndarray, list[str], bool]:
    """Codes and names of a column's levels (0 is missing), and whether they have an order.

    Of many different numbers, only whether they were measured, and values that many share.
    """
    if kind not in ("number", "date"):
        codes, distinct = pd.factorize(as_words(values))
        return codes + 1, [MISSING, *map(str, distinct)], False
    numbers = _as_scale(values, kind)
    known = ~np.isnan(numbers)
    distinct, places, counts = np.unique(numbers[known], return_inverse=True, return_counts=True)
    if len(distinct) > MOST_CODES:  # the rest of a measured scale is one level beside its spikes
        spikes = np.flatnonzero(counts >= SPIKE * known.sum())
        lookup = np.full(len(distinct), len(spikes) + 1)
        lookup[spikes] = np.arange(1, len(spikes) + 1)
        names = [MISSING, *(word(float(distinct[i])) for i in spikes), "any other value"]
        ordered = False
    else:
        lookup = np.arange(1, len(distinct) + 1)
        names, ordered = [MISSING, *(word(float(v)) for v in distinct)], True
    codes = np.zeros(len(numbers), dtype=int)
    codes[known] = lookup[places]
    return codes, names, ordered


def _as_scale(values: pd.Series, kind: str) -> np.ndarray:
    if kind != "date":
        return as_numbers(values)
    numbers = values.astype("datetime64[s]").to_numpy().astype("int64").astype(float)
    numbers[values.isna().to_numpy()] = np.nan
    return numbers


def column_auc(values: pd.Series, kind: str, y: np.ndarray, folds: np.ndarray) -> float:
    """The better of ranking by value and of the outcome's rate in a level or bin, held out.

    Missing is a level of its own. Beyond two classes: the class that is told best from the rest.
    """
    n_classes = int(y.max()) + 1
    numbers = _as_scale(values, kind) if kind in ("number", "yesno", "date") else None
    if numbers is None or np.isnan(numbers).all():
        levels = pd.factorize(values)[0] + 1
        return _rate_auc(levels, y, folds, n_classes)
    best = _rate_auc(_binned(numbers), y, folds, n_classes)
    known = ~np.isnan(numbers)
    for c in range(1 if n_classes == 2 else 0, n_classes):
        inside = y[known] == c
        if min(inside.sum(), (~inside).sum()) >= 5:
            auc = rank_auc(numbers[known], inside)
            best = max(best, auc, 1 - auc)
    return best


def missing_signs(cohort: Cohort, suspected: set[str]) -> list[str]:
    """Features whose being missing goes with the outcome, the strongest first.

    Not those that are suspected: their gaps may come of the outcome itself.
    """
    if not cohort.classes:
        return []
    strength = {}
    known = cohort.y >= 0
    for name in cohort.names("feature"):
        gone = cohort.frame[name].isna().to_numpy()
        if name in suspected or not 0.05 <= gone.mean() <= 0.95:
            continue
        if _rate_gap(gone, cohort.y, known) >= 0.05:
            p = association_p(gone, cohort.y)
            if p < 1e-6:
                strength[name] = p
    return sorted(strength, key=strength.__getitem__)


def _rate_gap(gone: np.ndarray, y: np.ndarray, known: np.ndarray) -> float:
    """The largest difference of a class's share between missing and measured."""
    n_classes = int(y.max()) + 1
    with_gap = np.bincount(y[known & gone], minlength=n_classes)
    without = np.bincount(y[known & ~gone], minlength=n_classes)
    if not with_gap.sum() or not without.sum():
        return 0.0
    return float(np.abs(with_gap / with_gap.sum() - without / without.sum()).max())


def _sampled(rows: np.ndarray) -> np.ndarray:
    some = min(MAX_ROWS, len(rows))
    return np.sort(np.random.default_rng(0).choice(rows, some, replace=False))


def _binned(numbers: np.ndarray) -> np.ndarray:
    """Bins of equal counts, from 1; 0 is missing."""
    known = ~np.isnan(numbers)
    edges = np.unique(np.quantile(numbers[known], np.linspace(0, 1, N_BINS + 1)[1:-1]))
    return np.where(known, np.digitize(numbers, edges) + 1, 0)


def _rate_auc(levels: np.ndarray, y: np.ndarray, folds: np.ndarray, n_classes: int) -> float:
    """AUC of each level's class rates, learned on the other folds (shrunk to the mean)."""
    n_levels = int(levels.max()) + 1
    shape = (N_FOLDS, n_levels, n_classes)
    flat = np.ravel_multi_index((folds, levels, y), shape)
    counts = np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)
    others = counts.sum(axis=0) - counts
    overall = np.bincount(y, minlength=n_classes) / len(y)
    rates = (others + overall) / (others.sum(axis=2, keepdims=True) + 1)
    scores = rates[folds, levels]
    aucs = [rank_auc(scores[:, c], y == c) for c in range(n_classes) if 0 < (y == c).sum() < len(y)]
    return float(np.max(aucs)) if aucs else 0.5
