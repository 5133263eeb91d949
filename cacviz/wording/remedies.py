"""What the buttons beside a finding say: one click for all of its columns."""

from __future__ import annotations

from cacviz.engine.reading.kinds import shorten
from cacviz.engine.types import Check, Remedy
from cacviz.wording.words import counted, verb


def remedy_label(check: Check, remedy: Remedy) -> str:
    """What a button says."""
    names = remedy.columns or check.columns
    n = len(names)
    if remedy.keep:
        return _kept(check.code, n)
    if remedy.spelling:
        return "Take them as one"
    if remedy.roles:
        return "Use them as time and event"
    if remedy.kind == "category":
        return "They are categories" if n > 1 else "It is a category"
    if remedy.missing:
        return _missing(check, remedy, n)
    if remedy.role == "patient id":
        return f"Use {shorten(names[0], 30)} as patient id"
    if n > 1:
        return "Leave out both" if n == 2 else f"Leave out all {n}"
    return f"Leave out {shorten(names[0], 30)}"


def _kept(code: str, n: int) -> str:
    if code == "spelling":
        return "Keep them apart"
    if code == "codes":
        return "They are numbers" if n > 1 else "It is a number"
    if code == "short stays":
        return "That is known"
    return "Keep them" if n > 1 else "Keep it"


def _missing(check: Check, remedy: Remedy, n: int) -> str:
    if check.code == "too few of a class":
        patients = check.note.values["n"]
        return f"Leave out {verb(patients, 'this', 'these')} {counted(patients, 'patient')}"
    where = "" if n == 1 else " in both" if n == 2 else f" in all {n}"
    return f"Treat {shorten(remedy.missing, 20)} as missing{where}"
