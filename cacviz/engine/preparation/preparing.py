"""Turns a cohort's columns into numbers a method can use: imputed, encoded, scaled.

Everything is fitted on training patients only, and what was fitted is plain arrays and words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.exceptions import CohortError
from cacviz.engine.preparation.stays import Grid
from cacviz.engine.reading.kinds import as_numbers, as_words, as_yesno, shorten
from cacviz.engine.scoring.tests import association_p
from cacviz.engine.types import Column

MAX_LEVELS = 30
CLIP = 5.0  # standard deviations; docs/methods.md, 1
INDICATOR_P = 1e-3
_N_KNOTS = 1001
FAR_SPANS = 10.0  # spans of the middle 98% beyond which a number is a slip of the pen


class Prepared(NamedTuple):
    """Patients as numbers: X without gaps, `gaps` with NaN where a number was not measured."""

    X: np.ndarray
    gaps: np.ndarray
    names: tuple[str, ...]
    sources: tuple[str, ...]


class Preparation:
    """Impute, encode and scale as learned from training patients.

    `plan_` has an entry a prepared column: its `source`, its `name`, and its `kind`: number, yesno,
    level (of a category) or gone (not measured). `levels_` has the levels of each category.
    `grid_` says which hours were read of which variables, where the patients have hourly records.
    """

    grid_: Grid | None = None

    def __init__(self, scaling: str = "standard"):
        if scaling not in ("standard", "rank"):
            raise CohortError(f"Scaling is 'standard' or 'rank', not {shorten(scaling)!r}.")
        self.scaling = scaling

    def fit(self, frame: pd.DataFrame, columns: Sequence[Column], y: np.ndarray) -> Preparation:
        """Learn from training rows; `y` only tells where a missing value is itself a sign."""
        features = [c for c in columns if c.role == "feature"]
        _check_columns(frame, [c.name for c in features])
        self.levels_: dict[str, dict] = {}
        plan: list[dict] = []
        for column in features:
            plan += _plan_column(frame[column.name], column, self.levels_)
        plan += _plan_indicators(frame, plan, features, np.asarray(y))
        raw = _raw(frame, plan, self.levels_)
        kept = [i for i in range(len(plan)) if _varies(raw[:, i])]
        if not kept:
            raise CohortError(
                "No feature is left that differs between patients. Give at least one column with "
                "different values the role feature."
            )
        self.plan_ = _distinctly_named([plan[i] for i in kept])
        self.arrays_ = _learn(raw[:, kept], self.plan_, self.scaling)
        return self

    def transform(self, frame: pd.DataFrame) -> Prepared:
        """Any patients, prepared as in training; columns that were not used are ignored."""
        _check_columns(frame, self.sources_)
        columns = _scaled(_raw(frame, self.plan_, self.levels_), self.arrays_)
        for i, p in enumerate(self.plan_):
            if p["kind"] == "level":  # only numbers keep their gaps
                columns[np.isnan(columns[:, i]), i] = self.arrays_["fill"][i]
        gaps = np.ascontiguousarray(columns)
        X = np.where(np.isnan(gaps), self.arrays_["fill"], gaps)
        return Prepared(X, gaps, self.names_, self.sources_)

    def measured(self, frame: pd.DataFrame) -> np.ndarray:
        """The same columns in their own units, NaN where not known."""
        _check_columns(frame, self.sources_)
        return _raw(frame, self.plan_, self.levels_)

    @property
    def names_(self) -> tuple[str, ...]:
        """What each prepared column is called on screen."""
        return tuple(p["name"] for p in self.plan_)

    @property
    def sources_(self) -> tuple[str, ...]:
        """The cohort's column behind each prepared column."""
        return tuple(p["source"] for p in self.plan_)

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """All that was learned: arrays, and what JSON can hold."""
        meta = {"scaling": self.scaling, "plan": self.plan_, "levels": self.levels_}
        return dict(self.arrays_), meta | {"grid": self.grid_}

    @classmethod
    def from_state(cls, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> Preparation:
        """The preparation that has this state; it gives the same bits."""
        made = cls(meta["scaling"])
        made.plan_ = [dict(p) for p in meta["plan"]]
        made.levels_ = {name: dict(v) for name, v in meta["levels"].items()}
        made.arrays_ = {name: np.asarray(a) for name, a in arrays.items()}
        if meta.get("grid"):
            made.grid_ = Grid(meta["grid"][0], tuple(meta["grid"][1]))
        return made


def _check_columns(frame: pd.DataFrame, names: Sequence[str]) -> None:
    absent = [shorten(n) for n in dict.fromkeys(names) if n not in frame.columns]
    if absent:
        more = f" and {len(absent) - 8} more" if len(absent) > 8 else ""
        raise CohortError(
            f"The file lacks {len(absent)} of the columns that were used: "
            f"{', '.join(absent[:8])}{more}. Add them, empty where nothing was measured."
        )


def _plan_column(values: pd.Series, column: Column, levels: dict[str, dict]) -> list[dict]:
    """How one column becomes numbers; nothing for dates, text and what was never measured."""
    entry = {"source": column.name, "name": column.title, "kind": column.kind}
    if column.kind == "number" or (column.kind == "yesno" and _says_yes_or_no(values)):
        return [entry]
    if column.kind not in ("category", "yesno"):
        return []
    kept, pooled = _common_levels(as_words(values))
    levels[column.name] = {"kept": kept, "other": pooled}
    shown = [*kept, "other"] if pooled else kept
    first = 1 if len(shown) == 2 else 0  # of two levels, one says it all
    return [
        entry | {"kind": "level", "name": f"{column.title} = {shorten(w)}", "level": i}
        for i, w in enumerate(shown)
        if i >= first
    ]


def _says_yes_or_no(values: pd.Series) -> bool:
    """Some columns have two values of their own (M and F, 1 and 2): those are levels."""
    return not np.isnan(as_yesno(values)[values.notna().to_numpy()]).any()


def _common_levels(words: pd.Series) -> tuple[list[str], bool]:
    """The levels that enough patients have, the most frequent first; are others pooled?"""
    counts = words.value_counts()
    n = int(counts.sum())
    enough = min(max(10, 0.01 * n), 0.05 * n)
    order = sorted(counts.index, key=lambda w: (-counts[w], w))
    kept = [w for w in order if counts[w] >= enough][:MAX_LEVELS]
    return kept, len(kept) < len(order)


def _plan_indicators(
    frame: pd.DataFrame, plan: list[dict], features: Sequence[Column], y: np.ndarray
) -> list[dict]:
    """'Not measured' as a column where that alone tells of the outcome, one a pattern."""
    planned, seen, found = {p["source"]: p for p in plan}, set(), []
    for column in features:
        if column.name not in planned:
            continue
        of = planned[column.name]["kind"]
        gone = _is_gone(frame[column.name], of)
        pattern = np.packbits(gone).tobytes()
        if not 0.01 <= gone.mean() <= 0.99 or pattern in seen:
            continue
        seen.add(pattern)
        if association_p(gone, y) <= INDICATOR_P:
            name = f"{column.title} not measured"
            found.append({"source": column.name, "name": name, "kind": "gone", "of": of})
    return found


def _is_gone(values: pd.Series, kind: str) -> np.ndarray:
    return np.isnan(as_numbers(values)) if kind == "number" else values.isna().to_numpy()


def _raw(frame: pd.DataFrame, plan: list[dict], levels: dict[str, dict]) -> np.ndarray:
    """Unscaled numbers, a column an entry of the plan, NaN where not known."""
    raw = np.empty((len(frame), len(plan)), order="F")
    codes: dict[str, np.ndarray] = {}
    for i, p in enumerate(plan):
        source, kind = p["source"], p["kind"]
        if kind == "number":
            raw[:, i] = as_numbers(frame[source])
        elif kind == "yesno":
            raw[:, i] = as_yesno(frame[source])
        elif kind == "gone":
            raw[:, i] = _is_gone(frame[source], p["of"])
        else:
            if source not in codes:
                codes[source] = _level_codes(frame[source], **levels[source])
            raw[:, i] = np.where(codes[source] < 0, np.nan, codes[source] == p["level"])
    return raw


def _level_codes(values: pd.Series, kept: list[str], other: bool) -> np.ndarray:
    """Each patient's level; -1 where missing, or never seen with no pool to put it in."""
    rows, distinct = pd.factorize(as_words(values))
    place = {w: i for i, w in enumerate(kept)}
    unknown = len(kept) if other else -1
    return np.array([*(place.get(w, unknown) for w in distinct), -1])[rows]


def _varies(raw: np.ndarray) -> bool:
    known = raw[~np.isnan(raw)]
    return len(known) > 1 and known.min() < known.max()


def _distinctly_named(plan: list[dict]) -> list[dict]:
    """Two columns may carry the same label, two long levels the same beginning."""
    taken: set[str] = set()
    named = []
    for p in plan:
        name, again = p["name"], 2
        while name in taken:
            name, again = f"{p['name']} ({again})", again + 1
        taken.add(name)
        named.append(p | {"name": name})
    return named


def _learn(raw: np.ndarray, plan: list[dict], scaling: str) -> dict[str, np.ndarray]:
    """Limits, normal scores, scale and fill of each column, from its measured values."""
    learned = [_learn_column(raw[:, i], p["kind"], scaling) for i, p in enumerate(plan)]
    arrays = {
        name: np.array([getattr(c, name) for c in learned])
        for name in ("low", "high", "mean", "scale")
    }
    arrays["knots"] = np.concatenate([c.knots for c in learned])
    arrays["scores"] = np.concatenate([c.scores for c in learned])
    arrays["ends"] = np.cumsum([0, *(len(c.knots) for c in learned)], dtype=np.int64)
    arrays["fill"] = _scaled(np.array([[c.fill for c in learned]]), arrays)[0]
    # a level that is not known speaks neither for nor against it
    arrays["fill"][[p["kind"] == "level" for p in plan]] = 0.0
    return arrays


class _Learned(NamedTuple):
    low: float
    high: float
    mean: float
    scale: float
    fill: float
    knots: np.ndarray
    scores: np.ndarray


def _learn_column(raw: np.ndarray, kind: str, scaling: str) -> _Learned:
    known, none = raw[~np.isnan(raw)], np.empty(0)
    if kind != "number":
        fill = float(np.mean(known) > 0.5)  # the more frequent of the two
        return _Learned(0.0, 1.0, known.mean(), known.std(), fill, none, none)
    low, high = _limits(known) if scaling == "standard" else (-1e100, 1e100)
    known = np.sort(np.clip(known, low, high))
    fill, knots, scores = np.median(known), none, none
    if scaling == "rank":
        knots, scores = _normal_scores(known)
        known = np.interp(known, knots, scores)
    spread = known.std()
    return _Learned(low, high, known.mean(), spread if spread > 0 else 1.0, fill, knots, scores)


def _limits(known: np.ndarray) -> tuple[float, float]:
    """Far beyond anything measured: keeps 1e308 from drowning every other patient."""
    low, high = np.quantile(np.clip(known, -1e100, 1e100), [0.01, 0.99])
    span = high - low if high > low else 1e6 * max(1.0, abs(low))
    return low - FAR_SPANS * span, high + FAR_SPANS * span


def _normal_scores(known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points of the map from sorted values to a normal's quantiles; ties take their middle."""
    from scipy.special import ndtri  # scipy is slow to import

    places = np.linspace(0, len(known) - 1, min(len(known), _N_KNOTS)).round().astype(int)
    knots = np.unique(known[places])
    below = np.searchsorted(known, knots, "left") + np.searchsorted(known, knots, "right")
    return knots, ndtri(below / 2 / len(known))


def _scaled(raw: np.ndarray, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The raw numbers, changed in place: held within limits, ranked, scaled, clipped."""
    np.clip(raw, arrays["low"], arrays["high"], out=raw)
    ends = arrays["ends"]
    for i in np.flatnonzero(np.diff(ends)):
        part = slice(ends[i], ends[i + 1])
        raw[:, i] = np.interp(raw[:, i], arrays["knots"][part], arrays["scores"][part])
    raw -= arrays["mean"]
    raw /= arrays["scale"]
    return np.clip(raw, -CLIP, CLIP, out=raw)
