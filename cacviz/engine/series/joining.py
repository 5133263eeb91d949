"""Joins a table with a row a patient to records, by the patient's id."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import as_words, quoted, shorten
from cacviz.engine.series.layouts import find_id
from cacviz.engine.series.ordering import Entries
from cacviz.engine.types import Exclusion, Note, Reason, Records, Table

FEW = 5  # patients that are named as examples


def with_static(
    records: Records, table: Table, id: str = "", *, only_listed: bool = True
) -> Records:
    """The records with the table's columns; whom the table does not list is left out.

    Patients whom only the table lists stay, without records. A column that was there is replaced.
    """
    name = id or find_id(list(table.frame.columns), records.id_name, "the static table")
    keys = _keys(table, name)
    records = _with_patients(records, keys) if only_listed else records
    row = pd.Series(np.arange(len(keys)), index=keys).reindex(_words(records.ids))
    if only_listed:
        records, row = _listed(records, row)
    elif row.isna().all():
        raise CohortError(_strangers(records, table, name))
    return _with_columns(records, table, name, row)


def taken(records: Records, kept: np.ndarray) -> Records:
    """The records of some patients, by mask."""
    place = np.cumsum(kept) - 1
    inside = kept[records.patient]
    static = records.static
    if static is not None:
        static = replace(static, frame=static.frame[kept].reset_index(drop=True), digest="")
    return replace(
        records,
        ids=records.ids[kept],
        patient=place[records.patient[inside]].astype(np.int32),
        variable=records.variable[inside],
        hours=records.hours[inside],
        values=records.values[inside],
        observed=records.observed[kept],
        static=static,
        onset=None if records.onset is None else records.onset[kept],
    )


def excluded(ids: np.ndarray, gone: np.ndarray, reason: Reason) -> tuple[Exclusion, ...]:
    """Who was left out for this reason; nothing where nobody was."""
    if not gone.any():
        return ()
    return (Exclusion(reason, int(gone.sum()), tuple(map(str, ids[gone][:FEW]))),)


def _keys(table: Table, name: str) -> pd.Index:
    """The ids as words, each once."""
    if name not in table.frame:
        raise CohortError(
            f"The static table has no column '{shorten(name)}'. It has "
            f"{quoted(list(table.frame.columns))}."
        )
    words = as_words(table.frame[name])
    if words.isna().any():
        row = int(np.flatnonzero(words.isna())[0])
        raise CohortError(
            f"Row {row + 2:,} of the static table has no patient in column '{shorten(name)}'. "
            "Fill it in, or leave the row out."
        )
    twins = words[words.duplicated()]
    if len(twins):
        raise CohortError(
            f"The static table has {twins.nunique():,} patients in more than one row, such as "
            f"{shorten(twins.iloc[0])}. Keep one row a patient, or choose another id column than "
            f"'{shorten(name)}'."
        )
    return pd.Index(words.str.strip())


def _words(ids: np.ndarray) -> pd.Index:
    return pd.Index([str(i) for i in ids])


def _with_patients(records: Records, keys: pd.Index) -> Records:
    """The records with the table's patients among them, in ascending order."""
    new = list(keys.difference(_words(records.ids)))
    if not new:
        return records
    whole = np.issubdtype(records.ids.dtype, np.integer)
    if whole and all(k.lstrip("-").isdigit() and str(int(k)) == k and len(k) < 16 for k in new):
        ids = np.concatenate([records.ids, np.array(new, dtype=np.int64)])
    else:
        ids = np.array([*map(str, records.ids), *new], dtype=object)
    order = np.argsort(ids, kind="stable")
    place = np.empty(len(ids), dtype=np.int32)
    place[order] = np.arange(len(ids), dtype=np.int32)
    patient = place[records.patient]
    moved = np.lexsort((np.arange(len(patient)), patient))
    entries = Entries(patient, records.variable, records.hours, records.values).where(moved)
    return replace(records, ids=ids[order], **entries._asdict(), **_widened(records, order))


def _widened(records: Records, order: np.ndarray) -> dict:
    """What has an entry a patient, with nothing known of the new ones."""
    n_new = len(order) - len(records.observed)
    gaps = np.full(n_new, np.nan, dtype=np.float32)
    made: dict = {"observed": np.concatenate([records.observed, gaps])[order]}
    if records.onset is not None:
        made["onset"] = np.concatenate([records.onset, gaps])[order]
    if records.static is not None:
        frame = records.static.frame.reindex(order).reset_index(drop=True)
        made["static"] = replace(records.static, frame=frame, digest="")
    return made


def _listed(records: Records, row: pd.Series) -> tuple[Records, pd.Series]:
    unlisted = row.isna().to_numpy()
    gone = excluded(records.ids, unlisted, "not in static table")
    records = taken(records, ~unlisted) if gone else records
    return replace(records, exclusions=(*records.exclusions, *gone)), row[~unlisted]


def _with_columns(records: Records, table: Table, name: str, row: pd.Series) -> Records:
    rows = row.fillna(-1).to_numpy(dtype=np.int64)
    joined = table.frame.drop(columns=name).reindex(rows).reset_index(drop=True)
    columns = tuple(c for c in table.columns if c.name != name)
    notes = records.notes
    if records.static is not None:
        again = [c for c in records.static.frame.columns if c in joined.columns]
        if again:
            notes = (*notes, Note("static replaced", "hint", {"columns": tuple(again)}))
        kept = tuple(c for c in records.static.columns if c.name not in again)
        before = records.static.frame[[c.name for c in kept]]
        joined, columns = pd.concat([joined, before], axis=1), columns + kept
    return replace(records, static=Table(joined, columns), notes=notes)


def _strangers(records: Records, table: Table, name: str) -> str:
    return (
        f"No patient of the outcomes is among the records: '{shorten(name)}' is "
        f"{shorten(table.frame[name].iloc[0])} there, and {shorten(records.ids[0])} here. Check "
        "that both are of the same patients."
    )
