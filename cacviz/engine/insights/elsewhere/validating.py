"""A finished run in another cohort: matched, sent to its subtypes, looked at anew, judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.making import make_cohort
from cacviz.engine.exceptions import CohortError
from cacviz.engine.insights.elsewhere.anew import Anew, found_anew
from cacviz.engine.insights.elsewhere.calibrating import (
    calibration_slope,
    observed_over_expected,
    observed_ratio,
)
from cacviz.engine.insights.elsewhere.deciding import Risks, decide, pairs_of
from cacviz.engine.insights.elsewhere.outcomes import classes_of
from cacviz.engine.insights.elsewhere.types import (
    ColumnMatch,
    Counterpart,
    Home,
    MatchState,
    Validation,
)
from cacviz.engine.metrics import resample_weights, score_with_intervals, share_of
from cacviz.engine.reading.kinds import as_numbers, shorten
from cacviz.engine.running.applying.matching import names_in
from cacviz.engine.running.applying.predicting import Instrument, Remedy, apply_run, inputs
from cacviz.engine.running.applying.types import Applied, Match
from cacviz.engine.series.hourly import shuffled
from cacviz.engine.types import TRAIN, Cohort, Column, Outcome, RunSummary, Series

FEWEST = 30  # patients with an outcome below which nothing is computed
FEW_EVENTS = 10


class There(NamedTuple):
    """The other patients: those with an outcome."""

    y: np.ndarray
    clusters: np.ndarray
    proba: np.ndarray
    frame: pd.DataFrame  # the columns that the run uses
    X: np.ndarray
    series: Series | None = None  # their hours, where they have some
    groups: np.ndarray | None = None  # whose each row is, where some patients have several


def validate(
    run: Instrument,
    home: Home,
    frame: pd.DataFrame,
    outcome: str,
    *,
    series: Series | None = None,
    name: str = "The file",
    remedy: Remedy = None,
    on_phase: Callable[[str], None] = lambda phase: None,
) -> Validation:
    """The run judged on the patients of a table; `outcome` is their outcome's column there.

    `series` are the same patients' hours, which some runs read; `remedy` recalibrates the risks, as
    learned at home.
    """
    on_phase("matching the columns")
    codes = _outcome_codes(frame, outcome, home.summary)
    applied = apply_run(run, frame, series, name=name, remedy=remedy)
    known = np.flatnonzero((codes >= 0) & ~applied.outside)
    if len(known) < FEWEST:
        raise CohortError(
            f"{len(known)} patients have an outcome in '{shorten(outcome)}'; at least {FEWEST} are "
            "needed to validate a run. Check the column."
        )
    there = _there(run, applied, codes, known)
    if series is not None:
        there = there._replace(series=series.take(known))
    on_phase("looking for subtypes anew")
    anew = _anew(run, there, home.summary)
    on_phase("judging")
    found = _judged(run, home, applied, there, (outcome, name, len(frame)), anew)
    return replace(found, recalibrated=remedy is not None)


def _outcome_codes(frame: pd.DataFrame, outcome: str, summary: RunSummary) -> np.ndarray:
    found = names_in(frame, [outcome])[outcome]
    if found is None:
        raise CohortError(f"There is no column '{shorten(outcome)}' in the file. Check the name.")
    return classes_of(frame[found], summary.outcome, summary.classes)


def _there(run: Instrument, applied: Applied, codes, known) -> There:
    inside = applied.matched.frame.iloc[known].reset_index(drop=True)
    X = run.preparation.transform(inside).X
    y, clusters, proba = codes[known], applied.routed.clusters[known], applied.proba[known]
    return There(y, clusters, proba, inside, X, groups=patients_of(applied.ids, known))


def patients_of(ids: pd.Series | None, rows) -> np.ndarray | None:
    """Whose each row is; None where nobody has two. A row without an id is a patient of its own."""
    if ids is None:
        return None
    codes = pd.factorize(ids.iloc[rows])[0].astype(np.int64)
    nobody = codes < 0
    codes[nobody] = codes.max() + 1 + np.arange(nobody.sum())
    return codes if len(np.unique(codes)) < len(codes) else None


def _anew(run: Instrument, there: There, summary: RunSummary) -> Anew:
    """Where too few have an outcome to fit anything, nothing is known."""
    nothing = Anew(float("nan"), (float("nan"),) * len(summary.clusters), 0)
    if run.config.n_clusters < 2 or np.bincount(there.y, minlength=2).min() < 2:
        return nothing
    try:
        return found_anew(_cohort(run, there), there.clusters, run.config)
    except CohortError:
        return nothing


def _cohort(run: Instrument, there: There) -> Cohort:
    """The other patients as a cohort of their own, with the run's columns."""
    present = [c for c in run.choices.columns if c.name in there.frame and c.role == "feature"]
    measured = [c for c in present if there.frame[c.name].notna().any()]
    name = run.choices.outcome.column if run.choices.outcome else "outcome"
    frame = there.frame[[c.name for c in measured]].copy().assign(**{name: there.y})
    columns = [*measured, Column(name, "category")]
    made = make_cohort("elsewhere", frame, columns, Outcome(name))
    return replace(made, series=there.series)


def _judged(run, home: Home, applied, there: There, named, anew: Anew) -> Validation:
    summary, (outcome, name, n_rows) = home.summary, named
    weights = resample_weights(len(there.y), groups=there.groups)
    drawn = None if there.groups is None else weights
    scores = score_with_intervals(there.y, there.proba, weights)
    k, n_classes = len(summary.clusters), len(summary.classes)
    counts = np.array(
        [np.bincount(there.y[there.clusters == j], minlength=n_classes) for j in range(k)]
    )
    pairs = pairs_of(summary.clusters, counts)
    matches = tuple(_column(m, applied, there) for m in applied.matched.matches)
    lost = np.mean([m.state in ("absent", "another unit") for m in matches])
    slope = calibration_slope(there.y, there.proba, drawn)
    observed = observed_ratio(there.y, there.proba, n_classes - 1, drawn)
    shown = [i for i, p in enumerate(run.preparation.plan_) if p["kind"] != "gone"]
    return Validation(
        cohort=name,
        outcome=outcome,
        n=len(there.y),
        n_without=n_rows - len(there.y),
        classes=summary.classes,
        columns=tuple(run.preparation.names_[i] for i in shown),
        subtypes=_subtypes(run, home, there, anew, shown),
        matches=matches,
        auc=scores["auc"],
        home_auc=summary.test["auc"],
        auprc_macro=scores["auprc_macro"],
        home_auprc=summary.test["auprc_macro"],
        calibration_slope=slope,
        observed=observed.value,
        level=observed,
        ari=anew.ari,
        n_anew=anew.n,
        anew_seconds=anew.seconds,
        pairs=pairs,
        verdict=decide(
            events=int(np.bincount(there.y, minlength=n_classes).min()),
            lost=float(lost),
            ari=anew.ari,
            pairs=pairs,
            risks=Risks(summary.test["auc"], scores["auc"], slope, observed),
            structure=home.structure,
        ),
        notes=applied.notes,
    )


def _column(match: Match, applied: Applied, there: There) -> ColumnMatch:
    column, usual = match.column, match.range
    if match.found is None:
        return ColumnMatch(column.name, column.title, column.unit, "absent")
    values = there.frame[column.name]
    number = column.kind == "number"
    known = as_numbers(values) if number else values
    median = float(np.nanmedian(known)) if number and values.notna().any() else float("nan")
    limits = (usual.low, usual.median, usual.high) if usual is not None else None
    state: MatchState = "matched"
    if match.conversion is not None:
        state = "another unit"
    elif limits is not None and not limits[0] <= median <= limits[2]:
        state = "other range"
    elif match.found != column.name:
        state = "another name"
    return ColumnMatch(
        name=column.name,
        title=column.title,
        unit=column.unit,
        state=state,
        found=match.found,
        known=float(values.notna().mean()),
        usual=limits,
        median=median,
        units=match.conversion.units if match.conversion is not None else "",
    )


def _subtypes(run, home: Home, there: There, anew: Anew, shown) -> tuple[Counterpart, ...]:
    k, n_classes = len(home.summary.clusters), len(home.summary.classes)
    profiles = profiles_of(there.X, there.clusters, k)[:, shown]
    chance = _shuffled_profiles(run, there, k)[:, shown]
    own = _home_profiles(run, home, k)[:, shown]
    trained = np.array([c.n_test for c in home.summary.clusters], dtype=float)
    made = []
    for j, summary in enumerate(home.summary.clusters):
        inside = there.clusters == j
        y, proba = there.y[inside], there.proba[inside]
        events = int((y == n_classes - 1).sum())
        enough = min(events, len(y) - events) >= FEW_EVENTS
        groups = None if there.groups is None else there.groups[inside]
        weights = resample_weights(len(y), groups=groups) if enough else None
        made.append(
            Counterpart(
                cluster=j,
                n=int(inside.sum()),
                share=float(inside.mean()),
                home_share=float(summary.n_test / max(1.0, trained.sum())),
                rates=tuple(share_of(y == c, groups) for c in range(n_classes)),
                home_rates=summary.test_rates,
                profile=tuple(profiles[j].tolist()),
                home_profile=tuple(own[j].tolist()),
                profile_correlation=correlation(own[j], profiles[j]),
                profile_chance=correlation(own[j], chance[j]),
                jaccard=anew.jaccard[j],
                events=events,
                auc=score_with_intervals(y, proba, weights)["auc"] if enough else None,
                observed=observed_over_expected(y, proba, n_classes - 1),
            )
        )
    return tuple(made)


def profiles_of(X, clusters, k) -> np.ndarray:
    """Standardised means of each subtype less those of everybody: subtypes × columns."""
    means = np.full((k, X.shape[1]), np.nan)
    for j in np.unique(clusters):
        means[j] = X[clusters == j].mean(axis=0)
    return means - X.mean(axis=0)


def _shuffled_profiles(run: Instrument, there: There, k) -> np.ndarray:
    """Profiles where each column was shuffled: no groups are left, and routing makes its own."""
    rng = np.random.default_rng(run.config.seed)
    frame = there.frame.apply(lambda column: column.to_numpy()[rng.permutation(len(column))])
    series = None if there.series is None else shuffled(there.series, rng)
    X = inputs(run, frame, series)
    return profiles_of(
        run.preparation.transform(frame).X, np.asarray(run.model.predict_cluster(X)), k
    )


def _home_profiles(run: Instrument, home: Home, k) -> np.ndarray:
    """Of the training patients; without them, the centres where they are of the same space."""
    if home.cohort is not None:
        rows = np.flatnonzero(home.part == TRAIN)
        X = run.preparation.transform(home.cohort.frame.iloc[rows]).X
        return profiles_of(X, home.clusters[rows], k)
    centres = getattr(run.model, "centroids_", None)
    if centres is None or run.model.embeds:
        return np.full((k, len(run.preparation.plan_)), np.nan)
    return np.asarray(centres, dtype=float)


def correlation(first, second) -> float:
    """Pearson's, over the columns known on both sides."""
    known = np.isfinite(first) & np.isfinite(second)
    if known.sum() < 3 or np.std(first[known]) == 0 or np.std(second[known]) == 0:
        return float("nan")
    return float(np.corrcoef(first[known], second[known])[0, 1])
