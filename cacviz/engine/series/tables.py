"""Records and a window become an ordinary table with the hourly series of the same patients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from cacviz.engine.reading.digests import series_digest, table_digest
from cacviz.engine.reading.tables import read_table
from cacviz.engine.series.aligning import with_variables
from cacviz.engine.series.hourly import hourly
from cacviz.engine.series.joining import with_static
from cacviz.engine.series.records import read_records
from cacviz.engine.series.rows import as_written, table_of
from cacviz.engine.series.summaries import full_plan, label_of, paper_plan, summaries
from cacviz.engine.series.windows import in_window
from cacviz.engine.types import Column, Flow, Kind, Layout, Records, Table, Window

Features = Literal["all", "paper"]


def read_series(
    source: str | Path | bytes,
    *,
    window: Window,
    layout: Layout | None = None,
    static: str | Path | None = None,
    features: Features = "all",
    missing: Sequence[str] = (),
    variables: Sequence[str] = (),
) -> Table:
    """The table of a file, folder or zip of records; `static` is a table to be joined by id.

    `missing` are the static table's codes for missing values; `variables` are those that a run
    knows, which patients shall have whether they were measured or not.
    """
    records = read_records(source, layout=layout)
    if variables:
        records = with_variables(records, variables)
    if static:
        records = with_static(records, read_table(static, Path(static).name, missing=missing))
    return series_table(records, window, features)


def series_table(records: Records, window: Window, features: Features = "all") -> Table:
    """A row a patient: id, static columns, then summaries of the window, with the hourly series.

    `all` has seven statistics of each variable; `paper` those of the paper's static cohorts. What
    came after the window reaches neither; who was left out for which reason is in `flow`.
    """
    n_read = len(records.ids) + sum(e.n_patients for e in records.exclusions)
    cut = in_window(records, window)
    plan = paper_plan(cut) if features == "paper" else full_plan(cut)
    made = table_of({n: _short(v) for n, v in summaries(cut, plan, window.hours).items()})
    labelled = tuple(replace(c, label=label_of(c.name, cut)) for c in made.columns)
    made = replace(made, columns=labelled)
    table = _joined(_ids(cut), cut.static, made)
    series = hourly(cut, window.hours)
    return Table(
        table.frame,
        table.columns,
        digest=series_digest(table_digest(table.frame), series),
        series=series,
        flow=Flow(n_read, cut.exclusions, cut.notes, window.hours, records.form, _lengths(records)),
    )


def _lengths(records: Records) -> tuple[float, ...]:
    """Hours of records a patient: the least, quartiles, the most; nothing where none has any."""
    known = records.observed[np.isfinite(records.observed)]
    if not len(known):
        return ()
    return tuple(round(float(q), 1) for q in np.quantile(known, (0, 0.25, 0.5, 0.75, 1)))


def _short(values: np.ndarray) -> np.ndarray:
    """As float32 would be written: the measurements behind them are no more exact."""
    whole = values == np.floor(values)
    return np.where(whole, values, as_written(values.astype(np.float32)))


def _ids(records: Records) -> Table:
    values = pd.Series(records.ids, name=records.id_name)
    kind: Kind = "number"
    if not np.issubdtype(records.ids.dtype, np.integer):
        values, kind = values.astype("str"), "category"
    return Table(values.to_frame(), (Column(records.id_name, kind, role="patient id"),))


def _joined(ids: Table, static: Table | None, made: Table) -> Table:
    """Their columns beside each other; of two that have the same name, a summary gives way."""
    parts = [p for p in (ids, static, made) if p is not None]
    taken: set[str] = set()
    columns: list[Column] = []
    frames: dict[str, pd.Series] = {}
    for part in parts:
        for column in part.columns:
            name = _free(column.name, taken)
            taken.add(name)
            frames[name] = part.frame[column.name].rename(name)
            columns.append(replace(column, name=name))
    return Table(pd.DataFrame(frames), tuple(columns))


def _free(name: str, taken: set[str]) -> str:
    free, again = name, 2
    while free in taken:
        free, again = f"{name} ({again})", again + 1
    return free
