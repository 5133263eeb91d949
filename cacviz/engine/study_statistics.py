"""What a study says: means, paired differences with a corrected test, and the verdict in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import t as student

from cacviz.engine.methods import METHODS
from cacviz.engine.notes import GAIN_OF_METHOD, MATTERS, NO_HELP, NOT_SHOWN, listed
from cacviz.engine.splits import TEST_SHARE, VALIDATION_SHARE
from cacviz.engine.studies import CONTROLS, LIMITS
from cacviz.engine.types import Scored

HEADLINE = "auprc_macro"
LEVEL = 0.05
IDLE_AUC = 0.5  # everyone has the same risk (AC-TPC with one cluster): no yardstick
SAME = 1e-12  # scores as far apart as rounding makes them
# Nadeau and Bengio (2003): training sets of random splits overlap, so that their scores vary less
# than fresh patients would make them; the variance grows by test patients / training patients.
OVERLAP = TEST_SHARE / ((1 - TEST_SHARE) * (1 - VALIDATION_SHARE))
Rows = Iterable[Mapping[str, Any]]
Entry = tuple[str, int]  # a method and its number of clusters


@dataclass(frozen=True, slots=True)
class Mean:
    """A score over splits: mean, standard deviation, 95 % interval of the mean (corrected)."""

    n: int
    mean: float
    sd: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry's score minus a control's on the same splits; p is two-sided, adjusted by Holm."""

    entry: Entry
    control: Entry
    n: int
    value: Scored
    p: float
    adjusted: float

    @property
    def word(self) -> str:
        if math.isnan(self.adjusted):
            return "not known yet"
        if self.adjusted >= LEVEL:
            return "no clear difference"
        return "better" if self.value.value > 0 else "worse"


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


def mean_of(values: Sequence[float]) -> Mean:
    """Mean and sd over splits; the interval needs two splits or more."""
    n = len(values)
    if n < 2:
        only = float(values[0]) if n else math.nan
        return Mean(n, only, math.nan, math.nan, math.nan)
    mean, sd = float(np.mean(values)), float(np.std(values, ddof=1))
    half = float(student.ppf(1 - LEVEL / 2, n - 1)) * sd * math.sqrt(1 / n + OVERLAP)
    return Mean(n, mean, sd, mean - half, mean + half)


def mean_text(mean: Mean) -> str:
    """Mean ± sd, as in a paper; the mean alone of one split."""
    return f"{mean.mean:.3f}" + ("" if math.isnan(mean.sd) else f" ± {mean.sd:.3f}")


def means(rows: Rows, metric: str = HEADLINE) -> dict[Entry, Mean]:
    """Mean over splits of every entry."""
    found = scores_by_split(rows, metric)
    return {entry: mean_of(list(by_split.values())) for entry, by_split in found.items()}


def limits_text(rows: Rows, entry: Entry) -> str:
    """The 95 % bootstrap interval over held-out patients, its limits averaged over splits."""
    known = [
        [float(row[name]) for name in LIMITS]
        for row in rows
        if (row["method"], row["clusters"]) == entry and row.get(LIMITS[0]) is not None
    ]
    if not known:
        return ""
    low, high = np.mean(known, axis=0)
    return f"{low:.3f} to {high:.3f}"


def corrected_test(differences: Sequence[float]) -> tuple[Scored, float]:
    """Mean difference with its 95 % interval, and p of the corrected resampled t-test."""
    found = mean_of(differences)
    value = Scored(found.mean, found.low, found.high)
    if found.n < 2:
        return value, math.nan
    if found.sd < SAME:  # the same on every split: nothing tells it from chance
        return value, 1.0 if abs(found.mean) < SAME else math.nan
    statistic = found.mean / (found.sd * math.sqrt(1 / found.n + OVERLAP))
    return value, float(2 * student.sf(abs(statistic), found.n - 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for their number (Holm 1979); a missing one stays missing."""
    known = [i for i, p in enumerate(p_values) if not math.isnan(p)]
    adjusted, highest = [math.nan] * len(p_values), 0.0
    for place, i in enumerate(sorted(known, key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(known) - place) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def differences(rows: Rows, control: str, metric: str = HEADLINE) -> list[Difference]:
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
    tested = [corrected_test([found[a][s] - found[b][s] for s in both]) for a, b, both in pairs]
    adjusted = holm([p for _, p in tested])
    return [
        Difference(a, b, len(both), value, p, q)
        for (a, b, both), (value, p), q in zip(pairs, tested, adjusted, strict=True)
    ]


def best_entry(rows: Rows, metric: str = HEADLINE) -> Entry | None:
    """The entry with subtypes that has the highest mean."""
    found = {e: m.mean for e, m in means(rows, metric).items() if e[1] > 1}
    return max(found, key=found.__getitem__) if found else None


def entry_title(entry: Entry) -> str:
    """What an entry is called in a table or a sentence."""
    method, k = entry
    title = METHODS[method].title.split(" (")[0] if method in METHODS else method
    if method in CONTROLS:
        return title
    return f"{title.replace(', then a risk model each', '')} with {k} subtype{'s' * (k > 1)}"


CONTROL_WORDS = {
    "k=1": "the same method with one subtype",
    "lr": "logistic regression",
    "gbm": "gradient boosting",
}


def verdict(rows: Sequence[Mapping[str, Any]], outcome: str = "the outcome") -> str:
    """Does clustering help here? The best entry beside every control, in words."""
    best = best_entry(rows)
    if best is None:
        return ""
    against = {
        words: next((d for d in differences(rows, control) if d.entry == best), None)
        for control, words in CONTROL_WORDS.items()
    }
    beside = {words: d for words, d in against.items() if d is not None}
    figure = means(rows)[best]
    if figure.n < 2 or not beside or all(d.n < 2 for d in beside.values()):
        return (
            f"{entry_title(best)} leads so far with an AUPRC of {figure.mean:.3f}; two splits or "
            "more are needed to tell a difference from chance."
        )
    parts = list(_parts(beside))
    return (
        f"On this cohort {entry_title(best)} {_rank(rows)} for {outcome} ({figure.mean:.3f} over "
        f"{figure.n} splits): {'; '.join(parts)}.{_tail(beside)}"
    )


def _rank(rows: Sequence[Mapping[str, Any]]) -> str:
    alone = sum(k > 1 for _, k in entries(rows)) == 1
    return "has a mean AUPRC" if alone else "has the highest mean AUPRC of those with subtypes"


def _parts(beside: Mapping[str, Difference]) -> Iterable[str]:
    for word, joined in (
        ("better", "better than"),
        ("no clear difference", "no clear difference to"),
        ("worse", "worse than"),
    ):
        names = [f"{words} ({_signed(d.value)})" for words, d in beside.items() if d.word == word]
        if names:
            yield f"{joined} {listed(names)}"


def _signed(value: Scored) -> str:
    return f"{value.value:+.3f}, 95 % interval {value.low:+.3f} to {value.high:+.3f}"


def _tail(beside: Mapping[str, Difference]) -> str:
    words = [d.word for d in beside.values()]
    if "better" in words and "worse" not in words:
        own = beside.get(CONTROL_WORDS["k=1"])
        return "" if own is None or own.word == "better" else GAIN_OF_METHOD
    return NO_HELP if any(d.value.high < MATTERS for d in beside.values()) else NOT_SHOWN


def crossing(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """How many patients are in each cluster of one run and each of another."""
    shape = int(first.max()) + 1, int(second.max()) + 1
    return np.bincount(first * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape)


def adjusted_rand_index(counts: np.ndarray) -> float:
    """Agreement of two clusterings beyond chance, from their crossing: 1 is the same, 0 chance."""

    def pairs(n: np.ndarray) -> float:
        return float((n * (n - 1) / 2).sum())

    rows, columns = pairs(counts.sum(axis=1)), pairs(counts.sum(axis=0))
    every = pairs(np.array([counts.sum()]))
    expected = rows * columns / every if every else 0.0
    highest = (rows + columns) / 2
    return 1.0 if highest == expected else (pairs(counts) - expected) / (highest - expected)
