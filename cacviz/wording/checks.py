"""What a check found in a cohort, and what its buttons do, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cacviz.engine.reading.kinds import quoted, shorten
from cacviz.engine.types import Check
from cacviz.wording.leaks import FAMILY_TITLES, doubt_sentence, leak_sentence
from cacviz.wording.words import counted, listed, verb

MOST = 8  # columns that a sentence names with their counts
NO_PATIENTS = "Use a larger cohort or choose other cut points."
MERGE = (
    "Leave these patients out, or merge classes: a data dictionary can give two levels one name."
)


def check_sentence(check: Check) -> str:
    """The finding as a sentence; columns are named in single quotes."""
    return SENTENCES[check.code](check)


def check_title(check: Check) -> str:
    """A few words for a list of findings."""
    if check.code == "leak":
        return FAMILY_TITLES.get(check.note.values["code"], "Known late")
    return TITLES.get(check.code, check.code.capitalize())


def _named(check: Check) -> str:
    return quoted(check.columns)


def _unknown(check: Check) -> str:
    v = check.note.values
    return (
        f"{counted(v['n'], 'patient has', 'patients have')} '{shorten(v['outcome'])}' {v['class']}, "
        f"which is taken as a class beside {', '.join(v['others'])}. If it means that nobody knows, "
        "treat it as missing: these patients are then left out."
    )


def _too_few(check: Check) -> str:
    v = check.note.values
    return (
        f"Only {counted(v['n'], 'patient has', 'patients have')} '{shorten(v['outcome'])}' "
        f"{v['class']}: too few to learn from and to test on. {MERGE if check.remedies else NO_PATIENTS}"
    )


def _few(check: Check) -> str:
    v = check.note.values
    return (
        f"{counted(v['n'], 'patient has', 'patients have')} '{shorten(v['outcome'])}' {v['class']}, of whom about "
        f"{v['held_out']} will be held out: below {v['needed']} one run cannot tell whether subtypes predict better than "
        "none. Its subtypes describe; Compare over several splits tells more."
    )


def _treatment(check: Check) -> str:
    treatment, n = shorten(check.note.values["treatment"]), len(check.columns)
    whole = check.note.values.get("whole") or [True] * n
    tells = [c for c, all_of_it in zip(check.columns, whole, strict=True) if all_of_it]
    part = [c for c in check.columns if c not in tells]
    said = (
        [
            f"{quoted(tells)} {verb(len(tells), 'tells', 'each tell')} nearly everybody's '{treatment}'"
        ]
        if tells
        else []
    )
    said += (
        [f"{quoted(part)} {verb(len(part), 'follows', 'follow')} from '{treatment}'"]
        if part
        else []
    )
    return (
        f"{' and '.join(said)}, so the treatment would shape the subtypes through {verb(n, 'it', 'them')}: leave "
        f"{verb(n, 'it', 'them')} out."
    )


def _missing_outcome(check: Check) -> str:
    v = check.note.values
    rows = counted(v["n"], "row is", "rows are")
    return (
        f"'{shorten(v['outcome'])}' is missing in {v['n']:,} of {v['of']:,} rows; these {rows} left "
        "out."
        if v["n"] > 1
        else f"'{shorten(v['outcome'])}' is missing in 1 of {v['of']:,} rows; it is left out."
    )


def _size(check: Check) -> str:
    v = check.note.values
    return (
        f"{counted(v['n'], 'patient')} and {counted(v['features'], 'feature')}: fewer than "
        f"{v['least']} patients a feature, so results may not hold for other patients. Leave out "
        "features that matter less."
    )


def _duplicates(check: Check) -> str:
    pairs = check.note.values["pairs"]
    shown = [
        f"'{shorten(a)}' {'' if place else 'says '}the same as '{shorten(b)}'"
        for place, (a, b) in enumerate(pairs[:6])
    ]
    more = (
        f"; {counted(n, 'more pair is', 'more pairs are')} alike"
        if (n := len(pairs) - 6) > 0
        else ""
    )
    return (
        f"In every patient {listed(shown)}{more}, or its reverse, in other words or another unit."
    )


def _left_out(check: Check) -> str:
    said = f"Dates and free text are left out: {_named(check)}."
    if late := check.note.values.get("late"):
        said += f" Compute no feature from {quoted(late)}: known late, or only with one outcome."
    return said


def _repeats(check: Check) -> str:
    v = check.note.values
    return (
        f"{counted(v['patients'], 'patient has', 'patients have')} several rows ({v['rows']:,} rows "
        "in all). The split is by patient, so nobody is both learned from and tested on."
    )


def _identical(check: Check) -> str:
    n = check.note.values["n"]
    return (
        f"{counted(n, 'row is', 'rows are')} identical to another one. If {verb(n, 'it is', 'they are')} "
        f"the same patient, take {verb(n, 'it', 'them')} out of the export, or say which column is the patient id."
    )


def _ids(check: Check) -> str:
    v, n = check.note.values, len(check.columns)
    text = (
        f"{_named(check)} {verb(n, 'looks like an id', 'look like ids')} "
        f"({', '.join(v['examples'])}, …): {verb(n, 'it names', 'they name')} patients and "
        f"{verb(n, 'measures', 'measure')} nothing."
    )
    if v["repeats"]:
        text += " Some appear in several rows, so the split should keep them together."
    return text


def _empty(check: Check) -> str:
    return f"{_named(check)} {verb(len(check.columns), 'is', 'are')} empty: nothing was measured."


def _constant(check: Check) -> str:
    value = check.note.values["value"]
    how = f"is {value}" if value else "have one value each"
    return f"{_named(check)} {how} in every patient."


def _unusable(check: Check) -> str:
    what = "dates" if check.code == "dates" else "free text"
    are = "they are" if check.code == "dates" else "it is"
    holds = verb(len(check.columns), "holds", "hold")
    return f"{_named(check)} {holds} {what}, which no method can use as {are}."


def _near_unique(check: Check) -> str:
    v, n = check.note.values, len(check.columns)
    example = f" ({v['distinct']:,} in {v['n']:,} patients)" if n == 1 else ""
    return (
        f"{_named(check)} {verb(n, 'has', 'have')} too many different values{example}: nothing "
        f"can be learned from {verb(n, 'it', 'them')}."
    )


def _missing_code(check: Check) -> str:
    return (
        f"{coded(check.columns, check.note.values)}, away from all other values. If that means "
        "not measured, treat it as missing."
    )


def coded(columns: Sequence[str], values: Mapping[str, Any]) -> str:
    """In how many patients each of the columns has the code."""
    counts = values["counts"]
    first = f"'{shorten(columns[0])}' is {values['value']} in {counted(counts[0], 'patient')}"
    rest = [f"'{shorten(c)}' in {n:,}" for c, n in zip(columns[1:MOST], counts[1:], strict=False)]
    if (more := len(columns) - MOST) > 0:
        rest.append(f"{counted(more, 'more column')} in up to {counts[MOST]:,}")
    return listed([first, *rest])


def _codes(check: Check) -> str:
    n = len(check.columns)
    return (
        f"{_named(check)} {verb(n, 'holds', 'hold')} whole numbers that may be codes. "
        f"{verb(n, 'Is it a category', 'Are they categories')} in code, such as 1 = ward, 2 = ICU? "
        "Numbers are compared by size, categories are not."
    )


def _spelling(check: Check) -> str:
    n = len(check.columns)
    one, other = (f"“{shorten(e, 20)}”" for e in check.note.values["examples"])
    such = "" if n == 1 else "such as "
    return (
        f"{_named(check)} {verb(n, 'has', 'have')} levels that differ in capitals or blanks only, "
        f"{such}{other} and {one}. If they mean the same, take them as one."
    )


def _gaps(check: Check) -> str:
    names = check.columns
    shown = [f"'{shorten(n)}'" for n in names[:3]]
    shown += [counted(len(names) - 3, "more column")] if len(names) > 3 else []
    return (
        f"Whether {listed(shown)} {verb(len(names), 'was', 'were')} measured goes with the outcome, so a missing value is a sign in "
        "itself; “not measured” is used as a feature where it helps. That is sound where it is "
        "known before the outcome what was measured."
    )


def _follow_up(check: Check) -> str:
    time, event = (f"'{shorten(c)}'" for c in check.columns)
    v = check.note.values
    return (
        f"'{shorten(v['outcome'])}' is just {event} by {time} = {v['day']:.6g}: these seem to be a follow-up time and its "
        "event, from which the outcome was made. As time and event they give survival curves; as features they give the "
        "outcome away."
    )


def short_stays(v: Mapping[str, Any]) -> str:
    """That a short stay may have ended in death."""
    return (
        f"Of {counted(v['n'], 'patient')} with '{shorten(v['outcome'])}' {v['class']}, {v['died']:,} died (by "
        f"'{shorten(v['column'])}'): they did not go home early. What is said of short stays is of recovery and of death together; a "
        "subgroup of survivors, or death as an outcome of its own, tells them apart."
    )


SENTENCES: dict[str, Callable[[Check], str]] = {
    "short stays": lambda check: short_stays(check.note.values),
    "unknown outcome": _unknown,
    "too few of a class": _too_few,
    "few of a class": _few,
    "tells the treatment": _treatment,
    "missing outcome": _missing_outcome,
    "follow-up": _follow_up,
    "few patients per feature": _size,
    "duplicate columns": _duplicates,
    "left out": _left_out,
    "repeated patients": _repeats,
    "identical rows": _identical,
    "id-like": _ids,
    "all missing": _empty,
    "constant": _constant,
    "dates": _unusable,
    "text": _unusable,
    "near-unique": _near_unique,
    "possible missing code": _missing_code,
    "codes": _codes,
    "spelling": _spelling,
    "missing not at random": _gaps,
    "leak": lambda check: leak_sentence(check.note.values),
    "doubt": lambda check: doubt_sentence(check.note.values),
}
TITLES = {
    "short stays": "Stays that death cut short",
    "follow-up": "A follow-up time and its event",
    "tells the treatment": "Tells the treatment",
    "near-unique": "Too many different values",
    "few of a class": "Few patients with an outcome",
    "all missing": "Empty columns",
    "constant": "The same in everybody",
    "doubt": "Too good to be true",
    "id-like": "Patient ids",
    "codes": "Perhaps codes of a category",
    "spelling": "Spelled in two ways",
    "possible missing code": "Perhaps a code for not measured",
    "missing not at random": "Not measured is information",
    "dates": "Dates",
    "text": "Free text",
}
