"""Rows of a file become records: long rows hold one measurement, wide rows an hour of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import Typed, quoted, shorten, type_numbers
from cacviz.engine.series.layouts import EVENT_NAMES
from cacviz.engine.series.ordering import Entries, in_order, observed_hours, step_of
from cacviz.engine.types import Column, Layout, Note, RecordForm, Records, Table

MAX_VARIABLES = 2_000


class Rows(NamedTuple):
    """Who and when each row of a file is about; `ids` are the patients, ascending."""

    ids: np.ndarray
    patient: np.ndarray  # place in `ids`
    hours: np.ndarray
    id_name: str


def long_records(
    rows: Rows, variable: np.ndarray, variables: Sequence[str], values: np.ndarray, layout: Layout
) -> Records:
    """Records of rows with one measurement each; `variable` is a place in `variables`."""
    _check_number(variables)
    entries = Entries(rows.patient, variable, rows.hours, values)
    step = 0.0 if layout.form == "p2012" else step_of(rows.hours)
    records = _records(rows, entries, tuple(variables), step, layout.form or "long")
    return with_event(records, layout.event)


def wide_records(rows: Rows, columns: Mapping[str, np.ndarray], layout: Layout) -> Records:
    """Records of rows with a number a column; what never changes in a stay becomes static."""
    order = np.lexsort((rows.hours, rows.patient))
    patient = rows.patient[order]
    events = (layout.event, *EVENT_NAMES)  # nobody may have met it
    likely = {n: v for n, v in columns.items() if n not in events}
    static = {n for n, v in likely.items() if _never_changes(v[order], patient)}
    variables = tuple(n for n in columns if n not in static)
    if not variables:
        raise CohortError(
            "No column changes within a patient, so there is no series. Check that the file has "
            "several rows a patient, or open it as an ordinary table."
        )
    _check_number(variables)
    entries = _melted(rows, [columns[n] for n in variables])
    step = step_of(rows.hours)
    records = _records(rows, entries, variables, step, layout.form or "wide")
    first = order[np.flatnonzero(np.diff(patient, prepend=-1))]
    kept = {n: _by_patient(rows, v, first) for n, v in columns.items() if n in static}
    return with_event(replace(records, static=table_of(kept) if kept else None), layout.event)


def with_words(records: Records, rows: Rows, words: Mapping[str, Typed]) -> Records:
    """Columns of words or dates that have one value in all rows of a patient, as static ones."""
    order = np.lexsort((rows.hours, rows.patient))
    patient = rows.patient[order]
    first = np.full(len(rows.ids), -1, dtype=np.int64)
    first[patient[::-1]] = order[::-1]  # each patient's first row
    kept: dict[str, Typed] = {}
    for name, typed in words.items():
        codes = pd.factorize(typed.values)[0].astype(np.float64)
        if _never_changes(np.where(codes < 0, np.nan, codes)[order], patient):
            kept[name] = typed
    if not kept:
        return records
    frame = pd.DataFrame({n: t.values.iloc[first].reset_index(drop=True) for n, t in kept.items()})
    columns = tuple(Column(n, t.kind) for n, t in kept.items())
    if records.static is not None:
        frame, columns = records.static.frame.join(frame), (*records.static.columns, *columns)
    return replace(records, static=Table(frame, columns))


def with_event(records: Records, event: str) -> Records:
    """The variable that tells the outcome by the hour taken out, and kept as its onset alone."""
    names = (event,) if event else EVENT_NAMES
    found = next((n for n in names if n in records.variables), "")
    if event and not found:
        raise CohortError(
            f"There is no variable '{shorten(event)}' to take the outcome from. There are "
            f"{quoted(records.variables)}."
        )
    if not found:
        return records
    is_event = records.variable == records.variables.index(found)
    met = is_event & (records.values > 0)
    onset = np.full(len(records.ids), np.inf)
    np.minimum.at(onset, records.patient[met], records.hours[met])
    onset = np.where(np.isfinite(onset), onset, np.nan).astype(np.float32)
    return replace(without_variables(records, (found,)), onset=onset, event=found)


def without_variables(records: Records, names: Sequence[str]) -> Records:
    """The records of all other variables."""
    return with_variables(records, [v for v in records.variables if v not in names])


def with_variables(records: Records, names: Sequence[str]) -> Records:
    """The records of these variables, in this order: new patients as those a model has learned.

    A variable that the records lack was never measured.
    """
    place = {n: i for i, n in enumerate(names)}
    lookup = np.array([place.get(v, -1) for v in records.variables], dtype=np.int16)
    code = lookup[records.variable]
    entries = Entries(records.patient, code, records.hours, records.values).where(code >= 0)
    known = lookup[lookup >= 0]
    if not np.array_equal(known, np.sort(known)):
        entries, _ = in_order(entries, len(names))
    return replace(records, variables=tuple(names), **entries._asdict())


def table_of(columns: Mapping[str, np.ndarray]) -> Table:
    """Numbers as a table, whole ones as integers, 0 and 1 as no and yes."""
    typed = {n: type_numbers(n, as_written(v)) for n, v in columns.items()}
    frame = pd.DataFrame({n: t.values for n, t in typed.items()})
    return Table(frame, tuple(Column(n, t.kind) for n, t in typed.items()))


def as_written(values: np.ndarray) -> np.ndarray:
    """As float64; numbers that were float32 as someone would write them, 92.33 and not 92.330002.

    Six significant digits, which float32 always keeps; whole numbers stay as they are.
    """
    values = np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        short = (values == values.astype(np.float32)) & (values != np.floor(values))
        size = np.floor(np.log10(np.abs(values[short])))
    unit = 10.0 ** np.clip(5 - size, 0, 22)
    values = values.copy()
    values[short] = np.round(values[short] * unit) / unit
    return values


def _records(
    rows: Rows, entries: Entries, variables: tuple[str, ...], step: float, form: RecordForm
) -> Records:
    found, n_again = in_order(entries, len(variables))
    notes = (Note("repeated records", "hint", {"n": n_again}),) if n_again else ()
    observed = observed_hours(rows.patient, rows.hours, len(rows.ids), step)
    return Records(
        rows.ids,
        variables,
        *found,
        observed,
        id_name=rows.id_name,
        step=step,
        form=form,
        notes=notes,
    )


def _never_changes(values: np.ndarray, patient: np.ndarray) -> bool:
    """Whether a column, sorted by patient, has one value or none in all rows of each patient.

    A laboratory value that was measured once has gaps in its other rows, so it is no such column.
    """
    same = np.diff(patient) == 0
    if not same.any() or np.isnan(values).all():
        return False
    before, after = values[:-1][same], values[1:][same]
    return bool(((before == after) | (np.isnan(before) & np.isnan(after))).all())


def _by_patient(rows: Rows, values: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The values of some rows, one a patient; NaN for patients without a row."""
    found = np.full(len(rows.ids), np.nan)
    found[rows.patient[first]] = values[first]
    return found


def _melted(rows: Rows, columns: Sequence[np.ndarray]) -> Entries:
    """A measurement for each number that is there."""
    places = [np.flatnonzero(~np.isnan(values)) for values in columns]
    where = np.concatenate(places)
    variable = np.repeat(np.arange(len(columns), dtype=np.int16), [len(p) for p in places])
    values = np.concatenate([v[p] for v, p in zip(columns, places, strict=True)])
    return Entries(rows.patient[where], variable, rows.hours[where], values)


def _check_number(variables: Sequence[str]) -> None:
    if len(variables) > MAX_VARIABLES:
        raise CohortError(
            f"{len(variables):,} different variables are too many; the limit is "
            f"{MAX_VARIABLES:,}. Keep the ones that matter, or say which column names the variable."
        )
