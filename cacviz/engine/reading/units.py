"""Units that stand in a column's name: Lactate (mmol/L) is Lactate, in mmol/L."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from cacviz.engine.types import Column

_HEADED = re.compile(r"(?P<label>.*[^\s(\[])\s*[(\[](?P<unit>[^()\[\]]{1,20})[)\]]\s*")
_PARTS = re.compile(r"\s*(?:/|·|\*|\bper\b)\s*")
_POWER = re.compile(r"(x?10)?\^?[⁰¹²³⁴⁵⁶⁷⁸⁹\d]*")  # 10^9, ×10⁹, the 2 of m2
# letters that stand for more than a unit (M, C, U) count only beside another: U/L
_ALONE = {
    *("%", "‰", "year", "years", "yr", "yrs", "month", "months", "week", "weeks", "day", "days"),
    *("hour", "hours", "hrs", "h", "d", "min", "minutes", "sec", "seconds", "ms", "kg", "g", "mg"),
    *("µg", "ug", "ng", "pg", "lb", "cm", "mm", "m", "inches", "l", "dl", "ml", "µl", "ul", "mmhg"),
    *("cmh2o", "kpa", "bpm", "°c", "°f", "iu", "mmol", "µmol", "umol", "nmol", "pmol", "meq"),
    *("mosm", "points", "score", "kcal", "beats", "breaths", "cells", "fraction", "jahre", "tage"),
    *("ans", "jours", "años", "días", "anni", "giorni", "eur", "usd", "pack-years"),
}
_BESIDE = _ALONE | {"u", "miu", "mu", "mol", "s", "fl", "m", "kgm", "f", "w", ""}
_CASED = {"h", "d", "m", "g", "l"}  # alone only as they are: (m) is metres, (M) is men


def with_units(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Numbers with label and unit taken from their names, unless two would be called alike."""
    found = {c.name: parted(c.name) for c in columns if c.kind == "number" and not c.label}
    called = Counter((found.get(c.name) or (c.title, ""))[0] for c in columns)
    return tuple(_named(c, found.get(c.name), called) for c in columns)


def _named(column: Column, parts: tuple[str, str] | None, called: Counter[str]) -> Column:
    if parts is None or called[parts[0]] > 1:
        return column
    return replace(column, label=parts[0], unit=parts[1])


def parted(name: str) -> tuple[str, str] | None:
    """Label and unit of a name; None where no unit stands in brackets at its end."""
    headed = _HEADED.fullmatch(name)
    if headed is None or not _is_unit(headed["unit"].strip()):
        return None
    return headed["label"].strip(" _-,:"), headed["unit"].strip()


def _is_unit(text: str) -> bool:
    parts = _PARTS.split(text)
    if len(parts) == 1:
        bare = _bare(text)
        return bare in _ALONE and (bare not in _CASED or text == bare)
    return any(_bare(p) in _ALONE | {"u", "miu"} for p in parts) and all(
        _bare(p) in _BESIDE for p in parts
    )


def _bare(part: str) -> str:
    """A part of a unit without powers: 10^9 is nothing, m2 is m."""
    lowered = part.strip().lower().replace("μ", "µ").replace("×", "x")
    if lowered in _ALONE or _POWER.fullmatch(lowered):
        return "" if lowered not in _ALONE else lowered
    return re.sub(r"^[\d.,]+(?=[a-z])|\^?[²³\d]$", "", lowered)
