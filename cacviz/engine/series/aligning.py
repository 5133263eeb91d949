"""Records of other patients, with the variables that a run knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import quoted
from cacviz.engine.series.ordering import Entries
from cacviz.engine.types import Note, Records

FEWEST = 0.25  # of the variables: with fewer these are records of another kind


def with_variables(records: Records, wanted: Sequence[str]) -> Records:
    """The records with all the wanted variables among theirs, under the wanted names.

    Names may differ by case and signs. A variable that nobody has was measured in nobody, which a
    note says: a few patients are rarely measured in everything.
    """
    named = _named(records.variables, wanted)
    absent = [v for v in wanted if v not in named]
    if len(wanted) - len(absent) < FEWEST * len(wanted):
        raise CohortError(
            f"The records have {len(wanted) - len(absent)} of the {len(wanted)} variables that the "
            f"run uses: they lack {quoted(absent)}. Check that they are records of the same kind, "
            "with the same names."
        )
    variables = tuple(sorted({*named, *absent}))
    place = np.array([variables.index(v) for v in named], dtype=np.int16)
    entries = Entries(records.patient, records.variable, records.hours, records.values)
    entries = entries._replace(variable=place[records.variable])
    order = np.lexsort((np.arange(len(entries.patient)), entries.variable, entries.patient))
    notes = records.notes
    if absent:
        notes = (*notes, Note("variables not measured", "warning", {"columns": tuple(absent)}))
    moved = entries.where(order)._asdict()
    return replace(records, variables=variables, notes=notes, **moved)


def _named(variables: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """What each variable is called: a wanted name that is the same but for case and signs."""
    free = {_bare(w): w for w in wanted if w not in variables}
    said = []
    for variable in variables:
        other = None if variable in wanted else free.pop(_bare(variable), None)
        said.append(other or variable)
    return said


def _bare(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
