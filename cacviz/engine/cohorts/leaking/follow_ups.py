"""Columns that were measured again later, told by the numbers they end with; and what was not.

Of cd40, cd420 and cd496 the first is of the beginning, the others of weeks 20 and 96. A column
that only says whether such a one was measured is as late as it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from cacviz.engine.cohorts.leaking.levels import as_scale
from cacviz.engine.types import Cohort

# days, weeks and months at which patients are seen again; 5 and 10 may be numbers of a list
_VISIT = re.compile(r"[1-9]\d{0,2}")
_UNITS = (4, 6, 7, 30)
SAME = 0.995  # of the patients: measured or not, as the other column says


def later_visits(names: Iterable[str]) -> dict[str, str]:
    """Each column of a later visit, with the one of the beginning."""
    known = set(names)
    found: dict[str, str] = {}
    for first in sorted(n for n in known if n.endswith("0") and re.search("[a-z]", n, re.I)):
        stem = first[:-1]
        if any(f"{stem}{digit}" in known for digit in (1, 2, 3)):  # a list that counts from 0
            continue
        later = [n for n in known if n.startswith(stem) and _is_visit(n.removeprefix(stem))]
        found |= dict.fromkeys(later, first)
    return found


def _is_visit(number: str) -> bool:
    return bool(_VISIT.fullmatch(number)) and any(int(number) % unit == 0 for unit in _UNITS)


def gap_tellers(cohort: Cohort, rows: np.ndarray, late: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(feature, late column): features of two values that say whether the other was measured."""
    gaps = {name: cohort.frame[name].iloc[rows].isna().to_numpy() for name in late}
    gaps = {name: gone for name, gone in gaps.items() if 0.01 < gone.mean() < 0.99}
    for name in cohort.names("feature") if gaps else ():
        codes = _two_values(cohort.frame[name].iloc[rows], cohort.column(name).kind)
        for other, gone in gaps.items():
            if codes is not None and name != other:
                same = float(np.mean(codes == gone))
                if max(same, 1 - same) >= SAME:
                    yield name, other
                    break


def _two_values(values: pd.Series, kind: str) -> np.ndarray | None:
    if kind in ("number", "yesno"):
        values = pd.Series(as_scale(values, kind))
    codes, distinct = pd.factorize(values)
    return codes == 0 if len(distinct) == 2 and (codes >= 0).all() else None
