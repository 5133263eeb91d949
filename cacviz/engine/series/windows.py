"""Cuts records to a window: nothing that was known only after it is left, and who has enough."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.engine.reading.kinds import as_numbers, quoted, shorten
from cacviz.engine.series.joining import excluded, taken
from cacviz.engine.series.rows import table_of
from cacviz.engine.types import Exclusion, Note, Reason, Records, Table, Window

MAX_HOURS = 24 * 366


def in_window(records: Records, window: Window) -> Records:
    """The records known by the end of the window, of the patients who belong to the cohort.

    An instant is known when it is there, a row that stands for an hour when the hour is over. Where
    there is an onset, whether it comes after the window is left as a static column, and no more.
    """
    _check(records, window)
    inside = (records.hours >= 0) & (records.hours + records.step <= window.hours)
    cut = replace(
        records,
        patient=records.patient[inside],
        variable=records.variable[inside],
        hours=records.hours[inside],
        values=records.values[inside],
    )
    kept, gone = _who(cut, window)
    if not kept.any():
        raise CohortError(_nobody(len(kept), gone, window))
    cut = taken(cut, kept)
    static = cut.static if cut.onset is None else _with_outcome(cut)
    return replace(
        cut,
        observed=np.minimum(cut.observed, window.hours),
        static=static,
        onset=None,
        exclusions=(*cut.exclusions, *gone),
        notes=(*cut.notes, *_early(records)),
    )


def with_onset(records: Records, column: str) -> Records:
    """A static column of hours until the outcome, empty where it was never met, as the onset."""
    static = records.static
    if static is None or column not in static.frame:
        has = quoted(list(static.frame.columns)) if static is not None else "no static columns"
        raise CohortError(f"There is no static column '{shorten(column)}'. There are {has}.")
    onset = as_numbers(static.frame[column]).astype(np.float32)
    if np.isnan(onset[static.frame[column].notna().to_numpy()]).any():
        raise CohortError(
            f"Column '{shorten(column)}' must hold hours until the outcome, but it holds words or "
            "dates. Choose another, or leave the onset out."
        )
    others = tuple(c for c in static.columns if c.name != column)
    rest = replace(static, frame=static.frame[[c.name for c in others]], columns=others)
    return replace(records, static=rest, onset=onset, event=column)


def _early(records: Records) -> tuple[Note, ...]:
    """Records from before the start are no part of the window: that must be seen."""
    n = int((records.hours < 0).sum())
    return (Note("records before start", "warning", {"n": n}),) if n else ()


def _who(records: Records, window: Window) -> tuple[np.ndarray, tuple[Exclusion, ...]]:
    """Who stays, and who is left out for which reason; of several, the first counts."""
    n = len(records.ids)
    shortest = window.shortest
    if shortest is None:  # a long table has no row for an hour in which nothing was measured
        shortest = window.hours if records.form in ("wide", "p2019") and records.step else 0
    empty = np.bincount(records.patient, minlength=n) == 0
    reasons: dict[Reason, np.ndarray] = {
        "no records": empty & (not window.keep_empty),
        "too short": ~(records.observed >= shortest) & (shortest > 0),
    }
    if records.onset is not None:
        reasons["outcome in window"] = records.onset + records.step <= window.hours
    kept = np.ones(n, dtype=bool)
    gone: tuple[Exclusion, ...] = ()
    for reason, who in reasons.items():
        gone = (*gone, *excluded(records.ids, kept & who, reason))
        kept &= ~who
    return kept, gone


def _with_outcome(records: Records) -> Table:
    """Whether the outcome is met after the window, before all other static columns."""
    assert records.onset is not None
    made = table_of({records.event: np.isfinite(records.onset)})
    if records.static is None:
        return made
    others = tuple(c for c in records.static.columns if c.name != records.event)
    frame = records.static.frame[[c.name for c in others]]
    return Table(made.frame.join(frame), (*made.columns, *others))


def _check(records: Records, window: Window) -> None:
    if not 1 <= window.hours <= MAX_HOURS or window.hours != int(window.hours):
        raise ConfigError(
            f"A window has 1 to {MAX_HOURS:,} whole hours, not {window.hours}. Choose 24 or 48."
        )
    if window.shortest is not None and not 0 <= window.shortest <= window.hours:
        raise ConfigError(
            f"Patients can be asked to be observed for 0 to {window.hours} hours, the window, not "
            f"{window.shortest}: what comes later is not known when the window ends."
        )


def _nobody(n: int, gone: tuple[Exclusion, ...], window: Window) -> str:
    counts = ", ".join(f"{e.reason}: {e.n_patients:,}" for e in gone)
    return (
        f"None of {n:,} patients is left in the first {window.hours} hours ({counts}). Choose "
        "another window, and check the unit of the time."
    )
