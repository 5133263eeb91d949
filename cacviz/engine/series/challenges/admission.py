"""What the 2012 challenge notes at admission becomes static columns; the rest is put right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cacviz.engine.series.challenges.plausible import ADMISSION_RULES, put_right
from cacviz.engine.series.ordering import Entries, in_order
from cacviz.engine.series.rows import table_of, without_variables
from cacviz.engine.types import Note, Records

ID_2012 = "RecordID"
ADMISSION = ("Age", "Gender", "Height", "Weight", "ICUType")
UNITS = {"CCU": 1, "CSRU": 2, "SICU": 4}  # codes of ICUType; the medical one is none of them


def is_admission(variables: Sequence[str]) -> bool:
    """Whether these are the parameters of the 2012 challenge, admission descriptors included."""
    return {ID_2012, "Age", "Gender", "Height", "ICUType"} <= set(variables)


def with_admission(records: Records) -> Records:
    """Descriptors noted at 00:00 as static columns, the rest put right; -1 means missing there."""
    patient, codes = records.patient, records.variable
    place = {v: i for i, v in enumerate(records.variables)}
    at_start = records.hours == 0
    static = {}
    for name in ADMISSION:
        rows = np.flatnonzero(at_start & (codes == place.get(name, -1)))
        column = np.full(len(records.ids), np.nan)
        column[patient[rows]] = records.values[rows]  # of two, the higher: -1 is none
        static[name] = put_right(name, column, ADMISSION_RULES)
    unit = static["ICUType"]
    for name, code in UNITS.items():
        static[name] = np.where(np.isnan(unit), np.nan, unit == code)
    kept = ~(at_start & np.isin(codes, [place[n] for n in ADMISSION if n in place]))
    records = _kept(records, kept)
    records = without_variables(records, [ID_2012, *(n for n in ADMISSION if n != "Weight")])
    return _put_right(replace(records, static=table_of(static), id_name=ID_2012))


def _kept(records: Records, kept: np.ndarray) -> Records:
    parts = Entries(records.patient, records.variable, records.hours, records.values).where(kept)
    return replace(records, **parts._asdict())


def _put_right(records: Records) -> Records:
    """Slips of unit and impossible values, by the rules of `plausible`; how many is noted."""
    values = records.values.copy()
    for code, name in enumerate(records.variables):
        rows = np.flatnonzero(records.variable == code)
        values[rows] = put_right(name, values[rows])
    dropped = int(np.isnan(values).sum())
    changed = int((values != records.values).sum()) - dropped
    entries = Entries(records.patient, records.variable, records.hours, values)
    found, _ = in_order(entries, len(records.variables))
    said = {"changed": changed, "dropped": dropped}
    notes = (Note("implausible records", "hint", said),) if changed or dropped else ()
    return replace(records, **found._asdict(), notes=(*records.notes, *notes))
