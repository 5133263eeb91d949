"""Answers about one patient from a finished run that is held ready: quick once it is warm."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from cacviz.engine.exceptions import CohortError
from cacviz.engine.insights.explainers.distilling import Lesson, fit_student, make_lesson
from cacviz.engine.insights.material import Material
from cacviz.engine.insights.single.types import Doubt, Neighbour, Prediction, WhatIf, Why
from cacviz.engine.metrics import share_with_interval
from cacviz.engine.running.applying.matching import match_table
from cacviz.engine.running.applying.predicting import Instrument, apply_run, inputs, say
from cacviz.engine.running.applying.types import UNIT, Applied
from cacviz.engine.running.applying.units import conversion_of
from cacviz.engine.scoring.calibration import recalibrated
from cacviz.engine.types import TEST, TRAIN, Cohort, FittedRun, Series

ALIKE = 50  # held-out patients of like risk
NEAREST = 6  # one of them may be the patient itself
N_STEPS = 41
MOST_PARTS = 12
ENOUGH = 40  # training patients that an explainer needs, as on Risk factors
Values = Mapping[str, Any]
Remedy = tuple[float, tuple[float, ...]] | None


class Desk:
    """A run with its patients at hand; one desk serves many questions."""

    def __init__(self, run: Instrument, cohort: Cohort, fitted: FittedRun):
        self.run, self.cohort, self.fitted = run, cohort, fitted
        self._students: dict[tuple[int, int], Any] = {}

    @cached_property
    def material(self) -> Material:
        return Material(self.cohort, self.fitted)

    @cached_property
    def lesson(self) -> Lesson:
        return make_lesson(self.material)

    @cached_property
    def space(self) -> np.ndarray:
        return self.material.space

    def warm(self) -> None:
        """Load and compute what every question needs."""
        self.predict({}, None, row=0, check=False)

    def predict(
        self, values: Values, remedy: Remedy, *, row: int | None = None, check: bool = True
    ) -> Prediction:
        """Where the patient belongs and at which risk, with whom it is alike.

        `row` is of a patient of the cohort: a run that reads hours takes them from there.
        """
        began = time.perf_counter()
        frame, hours = self._frame(values), self._hours(row)
        if check and not frame.notna().to_numpy().any():
            raise CohortError("Nothing is known of this patient. Type in at least one value.")
        applied = apply_run(self.run, frame, hours)
        risks = _remedied(applied.proba, remedy)[0]
        alike, n_alike = self._alike(risks, remedy)
        routed = applied.routed
        return Prediction(
            cluster=int(routed.clusters[0]),
            second=int(routed.second[0]),
            margin=float(routed.margin[0]),
            risks=tuple(float(r) for r in risks),
            alike=alike,
            n_alike=n_alike,
            blank=tuple(c for c in self._used if frame[c].isna().iloc[0]),
            doubts=tuple(self._doubts(applied)),
            outside=bool(applied.outside[0]),
            neighbours=self._neighbours(applied, hours),
            seconds=time.perf_counter() - began,
        )

    @cached_property
    def _used(self) -> list[str]:
        used = set(self.run.preparation.sources_)
        return [c.name for c in self.run.choices.columns if c.name in used]

    def _frame(self, values: Values) -> pd.DataFrame:
        """One row: as typed, missing where blank."""
        said = {name: values.get(name) for name in self._used}
        said |= {c.column: values.get(c.column) for c in self.run.choices.subset}
        return pd.DataFrame({n: pd.Series([np.nan if v is None else v]) for n, v in said.items()})

    def _hours(self, row: int | None) -> Series | None:
        series = self.cohort.series
        if series is None or row is None:
            return None
        return series.take(np.array([row]))

    def _doubts(self, applied: Applied) -> list[Doubt]:
        found = []
        for match in applied.matched.matches:
            flags = applied.matched.flags.get(match.column.name)
            if flags is None or not flags[0] or match.range is None:
                continue
            value = float(applied.matched.frame[match.column.name].iloc[0])
            unit = conversion_of(value, match.column, match.range) if flags[0] == UNIT else None
            limits = (match.range.low, match.range.high)
            more = (unit.units, float(unit.times)) if unit else ("", 1.0)
            found.append(Doubt(match.column.name, *limits, *more))
        return found

    def _alike(self, risks: np.ndarray, remedy: Remedy) -> tuple[tuple, int]:
        """What became of the held-out patients whose risk of each class was nearest."""
        test = np.flatnonzero(self.fitted.part == TEST)
        proba, y = _remedied(self.fitted.proba[test], remedy), self.cohort.y[test]
        n = min(ALIKE, max(1, len(test) // 4))
        found = []
        for code, risk in enumerate(risks):
            near = np.argsort(np.abs(proba[:, code] - risk), kind="stable")[:n]
            found.append(share_with_interval(int((y[near] == code).sum()), n))
        return tuple(found), n

    def _neighbours(self, applied: Applied, hours: Series | None) -> tuple[Neighbour, ...]:
        """The nearest patients who have an outcome, as the method sees patients."""
        frame, model = applied.matched.frame, self.fitted.model
        if model.embeds:
            X = inputs(self.run, frame, hours)
            here = np.asarray(model.embed(X), dtype=np.float32)[0]
        else:
            here = self.run.preparation.transform(frame).X.astype(np.float32)[0]
        away = np.sqrt(((self.space - here) ** 2).sum(axis=1))
        away[self.cohort.y < 0] = np.inf
        near = np.argsort(away, kind="stable")[:NEAREST]
        clusters = self.fitted.clusters
        return tuple(Neighbour(int(i), float(away[i]), int(clusters[i])) for i in near)

    def why(self, values: Values, cluster: int, code: int) -> Why | None:
        """SHAP values of the subtype's simplified explainer for this patient, by column."""
        model = self._student(cluster, code)
        if model is None:
            return None
        from xgboost import DMatrix  # heavy

        row = self._measured(self._frame(values))
        # exact SHAP values of trees, as shap's TreeExplainer gives; the last is the base
        trees = (0, model.best_iteration + 1)  # as many as the explainer uses
        booster = model.get_booster()
        shap = booster.predict(DMatrix(row), pred_contribs=True, iteration_range=trees)[0]
        sums: dict[str, float] = {}
        for source, value in zip(self.lesson.sources, shap[:-1], strict=True):
            sums[source] = sums.get(source, 0.0) + float(value)
        parts = sorted(sums.items(), key=lambda item: -abs(item[1]))
        kept, rest = parts[:MOST_PARTS], parts[MOST_PARTS:]
        kept += [("", float(sum(v for _, v in rest)))] if rest else []
        return Why(cluster, code, float(shap[-1]), float(shap.sum()), tuple(kept))

    def _student(self, cluster: int, code: int) -> Any:
        """The very explainer of the page Risk factors: the same seed gives the same trees."""
        if (cluster, code) not in self._students:
            rows = self.lesson.rows(cluster, TRAIN)
            told = len(rows) >= ENOUGH and np.ptp(self.lesson.proba[rows, code]) >= 1e-6
            seed = self.material.seed
            model = fit_student(self.lesson, cluster, code, seed) if told else None
            self._students[cluster, code] = model
        return self._students[cluster, code]

    def _measured(self, frame: pd.DataFrame) -> np.ndarray:
        matched = match_table(frame, self.run.choices.columns, self.run.preparation).frame
        row = self.run.preparation.measured(matched)
        if self.material.takes_gaps:
            return row
        train = self.lesson.X[self.fitted.part == TRAIN]
        typical = np.array(
            [
                np.mean(column) if kind == "level" else np.median(column)
                for column, kind in zip(train.T, self.lesson.kinds, strict=True)
            ]
        )
        return np.where(np.isnan(row), typical, row)

    def what_if(self, values: Values, column: str, remedy: Remedy) -> WhatIf:
        """Risk and subtype as one column takes each of its values and all others stay."""
        grid = self._grid(column, values.get(column))
        frame = pd.concat([self._frame(values)] * len(grid), ignore_index=True)
        frame[column] = pd.Series(grid)
        matched = apply_run(self.run, frame).matched.frame
        said = say(self.run, matched)
        risks = _remedied(said.proba, remedy)
        is_number = not isinstance(grid[0], str)
        return WhatIf(
            column,
            tuple(float(v) for v in grid) if is_number else (),
            () if is_number else tuple(grid),
            tuple(tuple(float(r) for r in row) for row in risks),
            tuple(int(c) for c in said.routed.clusters),
        )

    def _grid(self, column: str, here: Any) -> list[Any]:
        known = next(c for c in self.cohort.columns if c.name == column)
        values = self.cohort.frame[column].iloc[np.flatnonzero(self.fitted.part == TRAIN)].dropna()
        if known.kind == "number" and len(values):
            low, high = np.quantile(values.to_numpy(dtype=float), [0.01, 0.99])
            if here is not None:
                low, high = min(low, float(here)), max(high, float(here))
            return [float(v) for v in np.linspace(low, high, N_STEPS)]
        from cacviz.engine.reading.kinds import as_words

        return [str(w) for w in as_words(values).value_counts().index[:12]]


def _remedied(proba: np.ndarray, remedy: Remedy) -> np.ndarray:
    return proba if remedy is None else recalibrated(proba, remedy[0], tuple(remedy[1]))
