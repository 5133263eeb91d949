"""Survival by subtype: Kaplan–Meier with numbers at risk, and log-rank, on held-out patients."""

from __future__ import annotations

import numpy as np
from statsmodels.duration.survfunc import SurvfuncRight, survdiff

from cacviz.engine.insights.described.evidence import independent_rows
from cacviz.engine.insights.types import FEW, Curve, Survival
from cacviz.engine.reading.kinds import as_numbers, as_yesno
from cacviz.engine.types import Cohort

N_TICKS = 6
N_POINTS = 200  # steps of a curve that are kept


def survival_by_subtype(cohort: Cohort, clusters, n_clusters, test) -> Survival | None:
    """None where no column has the role time, or none the role event."""
    times, events = cohort.names("time"), cohort.names("event")
    if not times or not events:
        return None
    rows = independent_rows(cohort, test)
    time, event = _known(cohort, times[0], events[0], rows)
    rows, time, event = rows[event >= 0], time[event >= 0], event[event >= 0]
    ticks = _ticks(time)
    groups = clusters[rows]
    present = [j for j in range(n_clusters) if (groups == j).sum() >= FEW]
    curves = tuple(_curve(j, time[groups == j], event[groups == j], ticks) for j in present)
    p = _log_rank(time, event, groups, present)
    column = cohort.column(times[0])
    title = cohort.column(events[0]).title
    n = int(np.isin(groups, present).sum())
    return Survival(column.title, column.unit, title, curves, ticks, n, p)


def _known(cohort, time, event, rows):
    """Times, and events as 0 or 1; -1 where either is not known."""
    times = as_numbers(cohort.frame[time].iloc[rows])
    events = as_yesno(cohort.frame[event].iloc[rows])
    known = (times >= 0) & ~np.isnan(events)
    return times, np.where(known, np.nan_to_num(events), -1).astype(int)


def _ticks(time) -> tuple[float, ...]:
    """Round times from 0 to about the last one."""
    longest = float(np.quantile(time, 0.99)) if len(time) else 1.0
    step = longest / (N_TICKS - 1) if longest > 0 else 1.0
    scale = 10 ** np.floor(np.log10(step))
    step = scale * next(s for s in (1, 2, 2.5, 5, 10) if s * scale >= step * 0.999)
    return tuple(float(t) for t in np.arange(0, longest + step / 2, step))


def _curve(cluster, time, event, ticks) -> Curve:
    times, survival, low, high = _kaplan_meier(time, event)
    kept = np.unique(np.linspace(0, len(times) - 1, N_POINTS).round().astype(int))
    return Curve(
        cluster=cluster,
        n=len(time),
        events=int(event.sum()),
        times=tuple(times[kept].tolist()),
        survival=tuple(survival[kept].tolist()),
        low=tuple(low[kept].tolist()),
        high=tuple(high[kept].tolist()),
        at_risk=tuple(int((time >= t).sum()) for t in ticks),
    )


def _kaplan_meier(time, event):
    """Times, estimate and 95% limits, from 0 to the last follow-up."""
    made = SurvfuncRight(time, event)
    low, high = _log_log_limits(made.surv_prob, made.surv_prob_se)
    times = np.r_[0.0, made.surv_times]
    curves = [np.r_[1.0, part] for part in (made.surv_prob, low, high)]
    if time.max() > times[-1]:
        times, curves = np.r_[times, time.max()], [np.r_[c, c[-1]] for c in curves]
    return times, *curves


def _log_log_limits(survival, error):
    """Limits on the scale log(-log S), which keep their coverage with few patients.

    Where nobody is left (S = 0) the scale has no value: the limits before it go on.
    """
    inside = (survival > 0) & (survival < 1)
    s = np.where(inside, survival, 0.5)
    half = 1.959964 * np.where(inside, error, 0) / (s * -np.log(s))
    last = np.maximum.accumulate(np.where(inside, np.arange(len(s)), -1))
    low, high = (np.where(last >= 0, (s ** np.exp(way * half))[last], 1.0) for way in (1, -1))
    return np.where(survival == 0, 0.0, low), high


def _log_rank(time, event, groups, present) -> float:
    inside = np.isin(groups, present)
    if len(present) < 2 or not event[inside].any():
        return float("nan")
    try:
        return float(survdiff(time[inside], event[inside], groups[inside])[1])
    except np.linalg.LinAlgError:  # subtypes that are never at risk at the same time
        return float("nan")
