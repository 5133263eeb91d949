"""What to know of a run applied to other patients: a sentence a note, a few words a patient."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cacviz.engine.reading.kinds import quoted, shorten
from cacviz.engine.running.applying.routing import BETWEEN
from cacviz.engine.running.applying.types import Applied
from cacviz.engine.types import Note
from cacviz.wording.words import counted, subtype_name, verb

Values = Mapping[str, Any]
RECALIBRATED = (
    "Risks are recalibrated on validation patients, as was chosen for this run on the page Performance; --as-given gives the "
    "run's own."
)


def sentence(note: Note) -> str:
    """One note on the whole table."""
    say = SENTENCES.get(note.code)
    return say(note.values) if say else f"{note.code}."


def _absent(v: Values) -> str:
    n = len(v["columns"])
    return (
        f"{n} of the {counted(v['used'], 'column')} that the run uses {verb(n, 'is', 'are')} not in "
        f"this table, and {verb(n, 'was', 'were')} taken as not measured in anybody: "
        f"{quoted(v['columns'])}."
    )


def _unit(v: Values) -> str:
    head = f"Column '{shorten(v['column'])}' looks like another unit"
    if v["units"]:
        return f"{head}: {v['units']}. It was used as it is; convert it and predict again."
    return (
        f"{head}: most values would be ordinary times {v['times']:g}. They were used as they are; "
        "convert them and predict again."
    )


def _far(v: Values) -> str:
    return (
        f"{counted(v['n'], 'value')} {verb(v['n'], 'lies', 'lie')} far outside what training patients "
        f"had, in {quoted(v['columns'])}."
    )


def _unreadable(v: Values) -> str:
    return (
        f"Column '{shorten(v['column'])}' has {counted(v['n'], 'value')} that could not be read as "
        f"in training; {verb(v['n'], 'it was', 'they were')} taken as not measured."
    )


def _unknown(v: Values) -> str:
    return (
        f"Column '{shorten(v['column'])}' has {counted(v['n'], 'patient')} with a level that "
        "training never saw; it was taken as not known."
    )


def _pooled(v: Values) -> str:
    return (
        f"Column '{shorten(v['column'])}' has {counted(v['n'], 'patient')} with a level that is rare "
        "or new; it counts as “other”."
    )


def _alike(v: Values) -> str:
    return f"Column '{shorten(v['found'])}' was taken for '{shorten(v['column'])}'."


def _outside(v: Values) -> str:
    return (
        f"{v['n']:,} of {counted(v['of'], 'patient')} {verb(v['n'], 'is', 'are')} not of the "
        "subgroup that the run was made for."
    )


SENTENCES: dict[str, Callable[[Values], str]] = {
    "absent columns": _absent,
    "another unit": _unit,
    "far values": _far,
    "unreadable values": _unreadable,
    "unknown levels": _unknown,
    "pooled levels": _pooled,
    "alike names": _alike,
    "outside subgroup": _outside,
}


def row_warnings(applied: Applied) -> list[str]:
    """What to know of each patient, in a few words; empty where there is nothing."""
    routed = applied.routed
    return [
        patient_words(int(c), int(s), float(m), int(b), f, bool(o))
        for c, s, m, b, f, o in zip(
            *routed, applied.blank, applied.flagged(), applied.outside, strict=True
        )
    ]


def patient_words(
    cluster: int, second: int, margin: float, blank: int, flagged: Sequence[str], outside: bool
) -> str:
    """What to know of one patient; a column led by ~ may be in another unit."""
    said = [between_words(cluster, second)] if margin < BETWEEN else []
    said += [f"{counted(blank, 'value')} not known"] if blank else []
    for name in flagged:
        unit = name.startswith("~")
        words = "maybe another unit" if unit else "far outside"
        said.append(f"{shorten(name[1:] if unit else name)}: {words}")
    said += ["not of the run's subgroup"] if outside else []
    return "; ".join(said)


def between_words(cluster: int, second: int) -> str:
    """Two subtypes between which a patient lies."""
    first, last = sorted((cluster, second))
    return f"between {subtype_name(first)} and {subtype_name(last)}"
