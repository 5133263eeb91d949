"""What a study says: means, paired differences with a corrected test, and the verdict."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cacviz.engine.preparation.splits import TEST_SHARE, VALIDATION_SHARE
from cacviz.engine.running.controls import has_one
from cacviz.engine.running.studies import LIMITS
from cacviz.engine.running.verdicts import HEADLINE, conclude, standing_of
from cacviz.engine.scoring.resampling import Mean, corrected_test, mean_of
from cacviz.engine.scoring.tests import holm
from cacviz.engine.types import Scored, Standing, Verdict, Word

IDLE_AUC = 0.5  # everyone has the same risk (AC-TPC with one cluster): no yardstick
OVERLAP = TEST_SHARE / ((1 - TEST_SHARE) * (1 - VALIDATION_SHARE))
CONTROLS = ("k=1", "lr", "gbm")
ENOUGH_SPLITS = 3  # two that happen to agree would make any difference look certain
METRIC_NAMES = ("auprc_macro", "auprc_positive", "auc", "f1_macro")
Rows = Iterable[Mapping[str, Any]]
Entry = tuple[str, int]  # a method and its number of clusters


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry's score minus a control's on the same splits; p is two-sided, adjusted by Holm."""

    entry: Entry
    control: Entry
    n: int
    standing: Standing
    p: float

    @property
    def value(self) -> Scored:
        return self.standing.difference

    @property
    def adjusted(self) -> float:
        return self.standing.p

    @property
    def word(self) -> Word:
        return self.standing.word


@dataclass(frozen=True, slots=True)
class Compared:
    """All that is said of a study: means by metric, differences by control and metric, verdict."""

    entries: tuple[Entry, ...]
    means: Mapping[str, tuple[tuple[Entry, Mean], ...]]
    limits: tuple[tuple[Entry, tuple[float, float]], ...]
    differences: Mapping[str, Mapping[str, tuple[Difference, ...]]]  # control, then metric
    verdicts: tuple[Verdict, ...]  # of each entry with subtypes, the highest mean first

    @property
    def verdict(self) -> Verdict | None:
        """Of the best."""
        return self.verdicts[0] if self.verdicts else None


def compared(rows: Sequence[Mapping[str, Any]], n_classes: int) -> Compared:
    """Everything at once, from the rows of a study so far."""
    return Compared(
        entries=tuple(entries(rows)),
        means={m: tuple(means(rows, m).items()) for m in METRIC_NAMES},
        limits=tuple((e, found) for e in entries(rows) if (found := limits_of(rows, e))),
        differences={
            c: {m: tuple(differences(rows, c, n_classes, m)) for m in METRIC_NAMES}
            for c in CONTROLS
        },
        verdicts=tuple(verdicts(rows, n_classes)),
    )


def entries(rows: Rows) -> list[Entry]:
    """Methods with their k, in the order in which they appear."""
    return list(dict.fromkeys((str(r["method"]), int(r["clusters"])) for r in rows))


def scores_by_split(rows: Rows, metric: str) -> dict[Entry, dict[int, float]]:
    """A metric of each entry on each split; undefined scores are left out."""
    found: dict[Entry, dict[int, float]] = {}
    for row in rows:
        value = float(row[metric]) if row[metric] is not None else math.nan
        if math.isfinite(value):
            entry = (str(row["method"]), int(row["clusters"]))
            found.setdefault(entry, {})[int(row["split"])] = value
    return found


def means(rows: Rows, metric: str = HEADLINE) -> dict[Entry, Mean]:
    """Mean over splits of every entry; no score lies outside 0 and 1, nor do its limits."""
    found = scores_by_split(rows, metric)
    return {entry: _bounded(mean_of(list(s.values()), OVERLAP)) for entry, s in found.items()}


def _bounded(mean: Mean) -> Mean:
    low, high = np.clip([mean.low, mean.high], 0.0, 1.0)
    return replace(mean, low=float(low), high=float(high))


def limits_of(rows: Rows, entry: Entry) -> tuple[float, float] | None:
    """The 95% bootstrap interval over held-out patients, its limits averaged over splits."""
    known = [
        [float(row[name]) for name in LIMITS]
        for row in rows
        if (row["method"], row["clusters"]) == entry and row.get(LIMITS[0]) is not None
    ]
    if not known:
        return None
    low, high = np.mean(known, axis=0)
    return float(low), float(high)


def differences(
    rows: Rows, control: str, n_classes: int, metric: str = HEADLINE
) -> list[Difference]:
    """Every entry with subtypes against a control ("lr", "gbm", or "k=1": its own method's).

    Paired over the splits that both have; Holm over the entries. A control that gives everyone
    the same risk is no yardstick and left out.
    """
    rows = list(rows)
    found = scores_by_split(rows, metric)
    idle = {entry for entry, mean in means(rows, "auc").items() if mean.mean == IDLE_AUC}
    pairs = []
    for entry in found:
        other = (entry[0], 1) if control == "k=1" else (control, 1)
        if entry[1] > 1 and other in found and other not in idle:
            pairs.append((entry, other, sorted(found[entry].keys() & found[other].keys())))
    tested = [_tested([found[a][s] - found[b][s] for s in both]) for a, b, both in pairs]
    adjusted = holm([p for _, p in tested])
    made = []
    for (a, b, both), (value, p), q in zip(pairs, tested, adjusted, strict=True):
        score = float(np.mean([found[b][s] for s in both])) if both else math.nan
        standing = standing_of(control, value, q, score, n_classes)
        made.append(Difference(a, b, len(both), standing, p))
    return made


def _tested(gaps: Sequence[float]) -> tuple[Scored, float]:
    """The corrected test; of fewer splits than enough the difference alone."""
    value, p = corrected_test(gaps, OVERLAP)
    if len(gaps) < ENOUGH_SPLITS:
        return Scored(value.value, math.nan, math.nan), math.nan
    return value, p


def verdicts(rows: Sequence[Mapping[str, Any]], n_classes: int) -> list[Verdict]:
    """Does clustering help here? Each entry with subtypes beside every control, the best first."""
    found = {entry: mean for entry, mean in means(rows).items() if entry[1] > 1}
    gaps = [d for c in CONTROLS for d in differences(rows, c, n_classes)]
    return [
        _verdict(entry, found[entry], [d for d in gaps if d.entry == entry])
        for entry in sorted(found, key=lambda e: -found[e].mean)
    ]


def verdict(rows: Sequence[Mapping[str, Any]], n_classes: int) -> Verdict | None:
    """What is said of the best entry with subtypes, by the one rule."""
    return next(iter(verdicts(rows, n_classes)), None)


def _verdict(entry: Entry, figure: Mean, found: Sequence[Difference]) -> Verdict:
    enough = [d for d in found if d.n >= ENOUGH_SPLITS]
    known = figure.n >= ENOUGH_SPLITS and enough
    standings = tuple(d.standing for d in (enough if known else found) if d.n)
    return Verdict(
        conclusion=conclude(standings, clusters=True, own=has_one(entry[0]))
        if known
        else "one split",
        standings=standings,
        n_splits=figure.n,
        n_clusters=entry[1],
        method=entry[0],
        score=figure.mean,
    )
