"""Looks at one column after another: ids, empty and constant ones, dates, codes for missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from cacviz.engine.reading.kinds import as_numbers, shorten, word
from cacviz.engine.reading.levels import spellings
from cacviz.engine.types import Check, Cohort, Column, Note, Remedy

UNIQUE_SHARE = 0.99
UNUSABLE = {"date": "dates", "text": "text"}
_ID_NAME = re.compile(
    r"(^|[_\W])(id|ids|nbr|mrn|ssn|uuid|guid|key|record|recordid|pid|pidnum|seqno|seq|rownum|index|"
    r"patient|pat|pt|ptid|subject|subj|u?subjid|encounter|admission|stay|case|fall|hadm|icustay|"
    r"unnamed)([_\W\d]|$)|"
    r"(record|patient(en)?|pat|subject|encounter|hadm|stay|case|fall)_?(id|no|nr|num|number|nummer|nbr)$|"
    r"unique_?pid$|^(nip|ipp|nhc|cpr|bsn|dni|nir|seqn|prontu\w*|historia\w*)([_\W]|$)",
    re.IGNORECASE,
)
_CODED = r"cpt|drg|icd\d*|plz|zip|inst|entidad\w*|municip\w*|sector|country|county|diagnosis|dx"
_CODE_NAME = re.compile(
    rf"^(?!.*(year|age|date|time|day|num|since))(.*[_\W])?({_CODED})([_\W\d]|$)|"
    r"^hosp(ital)?_?(num|no|nr)$|cl[ai]ss?ifi[ck]a|klassifi[ck]|"
    r"(^|[_\W])(id|code|cd|type)$|"
    r"^(hospital|ward|unit|clinic|site|type|source|provider|cent(er|re)|region)s?$|"
    r"(hospital|ward|unit|clinic|site|type|source|provider|cent(er|re)|region)_?(id|code|cd)$",
    re.IGNORECASE,
)
_PATIENT_NAME = re.compile(
    r"pat|pt_?id|^pt|subj|mrn|pid|record|person|paci|pazi|^(nip|ipp|nhc|cpr|bsn|dni)([_\W]|$)|prontu|historia",
    re.IGNORECASE,
)
_ENDS_AS_ID = re.compile(r"(id|nr|num|nummer)$", re.IGNORECASE)  # RANDID, if all are different
_ID_VALUE = re.compile(r"[a-z]{0,3}[-_/ ]?\d+", re.IGNORECASE)
_NONE_NAME = re.compile(  # of these, none is a number like any other
    r"(number|num|times|duration|dauer|anzahl|minutes|hours|days|tage|stunden|dias|jours|dagen)"
    r"([_\W]?\d+)?$|^n_|^(days|hours|dias|jours|tage)_|free_?days",
    re.IGNORECASE,
)
_ORDERED_NAME = re.compile(
    r"grade|stage|score|count|^n_|num|nodes|parity|gravid|child|dose|degree|class|nyha|asa|killip|"
    r"karnof|ecog|level|visits|times|size|year|month|day|hour|vessel",
    re.IGNORECASE,
)
_LOW_CODES = (-1, -9, -99, -999, -9999)
_HIGH_CODES = (  # refused, does not apply, not known
    *(77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 7777, 8888, 9997, 9998, 9999, 99999, 999999),
)
FEW_CODES, MANY_CODES = 6, 500  # different numbers; so many only of a column called a code
CODE_VALUES = 20  # of a feature that can be a code of the arm
TELLS_ARM = 0.95  # of the patients whose arm is known from the feature alone
BEYOND_GUESS = 0.1  # more than by always guessing the commonest arm


class Facts(NamedTuple):
    """One column, counted once: its different values in order, and how often each is there."""

    column: Column
    values: np.ndarray
    counts: np.ndarray
    n_rows: int

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def known(self) -> int:
        return int(self.counts.sum())

    @property
    def share(self) -> float:
        """Different values per known one: 1 where no two patients are alike."""
        return len(self.values) / max(self.known, 1)


def column_findings(cohort: Cohort) -> Iterator[Check]:
    """What is odd about columns taken by themselves; alike findings are told together."""
    names = cohort.names("feature", "outcome")
    counted = [_count(cohort.frame[name], cohort.column(name)) for name in names]
    for look in _LOOKS:
        yield from look(counted, cohort)


def leave_out(names: Sequence[str]) -> Remedy:
    """Leave out all of these columns."""
    return Remedy(tuple(names), "left out")


def _count(values: pd.Series, column: Column) -> Facts:
    if pd.api.types.is_numeric_dtype(values):
        distinct, counts = np.unique(as_numbers(values.dropna()), return_counts=True)
    else:
        counted = values.value_counts()
        distinct, counts = counted.index.to_numpy(), counted.to_numpy()
    return Facts(column, distinct, counts, len(values))


def _check_ids(counted: Sequence[Facts], cohort: Cohort) -> Iterator[Check]:
    """Columns that name patients: the likeliest becomes the patient id, or all are left out."""
    found = [f for f in counted if f.column.role != "outcome" and _is_id_like(f)]
    if not found:
        return
    names = tuple(f.name for f in found)
    called = [f for f in found if _PATIENT_NAME.search(f.name)]
    # one who comes back has a number of the stay of their own each time, and the same of the person
    likely = min(called, key=lambda f: f.share >= 1, default=None)
    if likely is None and len(found) == 1:
        likely = found[0]
    examples = [shorten(word(v), 20) for v in found[0].values[:2]]
    repeats = likely is not None and likely.share < 1
    note = Note("id-like", "grave", {"examples": examples, "repeats": repeats})
    remedies = [leave_out(names)]
    if likely is not None and not cohort.names("patient id"):
        place = 0 if _PATIENT_NAME.search(likely.name) else 1
        remedies.insert(place, Remedy((likely.name,), "patient id"))
    yield Check(note, names, tuple(remedies))


def _is_id_like(facts: Facts) -> bool:
    """Whole numbers or words that name rows: nearly all different, or called an id."""
    if facts.known < 20 or facts.share < 0.5:
        return False
    named = bool(_ID_NAME.search(facts.name))
    unique = facts.share >= UNIQUE_SHARE
    if facts.column.kind in ("category", "text"):
        return named or (unique and all(_ID_VALUE.fullmatch(str(v)) for v in facts.values))
    numbers = facts.values
    if facts.column.kind != "number" or not np.array_equal(numbers, np.floor(numbers)):
        return False
    counted = unique and len(np.unique(np.diff(numbers))) <= 2
    as_long = len(word(numbers[0])) == len(word(numbers[-1]))  # a BNP has two digits or five
    as_long = as_long or bool(_ENDS_AS_ID.search(facts.name))
    return named or counted or (unique and facts.known >= 200 and as_long)


def _check_constant(counted: Sequence[Facts], cohort: Cohort) -> Iterator[Check]:
    empty = tuple(f.name for f in counted if len(f.values) == 0)
    if empty:
        yield Check(Note("all missing"), empty, (leave_out(empty),))
    same = [f for f in counted if len(f.values) == 1 and f.known == f.n_rows]
    if same:
        names = tuple(f.name for f in same)
        value = shorten(word(same[0].values[0])) if len(same) == 1 else ""
        yield Check(Note("constant", values={"value": value}), names, (leave_out(names),))


def _check_kinds(counted: Sequence[Facts], cohort: Cohort) -> Iterator[Check]:
    for kind, code in UNUSABLE.items():
        names = tuple(f.name for f in counted if f.column.kind == kind)
        if names:
            yield Check(Note(code), names, (leave_out(names),))
    many = [f for f in counted if _is_near_unique(f) and not _is_id_like(f)]
    if many:
        names = tuple(f.name for f in many)
        values = {"distinct": len(many[0].values), "n": many[0].known}
        yield Check(Note("near-unique", values=values), names, (leave_out(names),))


def _is_near_unique(facts: Facts) -> bool:
    return facts.column.kind == "category" and len(facts.values) > 20 and facts.share > 0.5


def _check_codes(counted: Sequence[Facts], cohort: Cohort) -> Iterator[Check]:
    """Numbers 1 to 4 may be codes of a category: the user is asked."""
    names = tuple(f.name for f in counted if f.column.role == "feature" and _is_code_like(f))
    if names:
        remedies = (Remedy(names, kind="category"), Remedy(keep=True))
        yield Check(Note("codes", "hint"), names, remedies)


def _is_code_like(facts: Facts) -> bool:
    """A few whole numbers from 0 on without a name that says how many or how far; or so called."""
    values = facts.values
    if facts.column.kind != "number" or len(values) < 2 or facts.known < 20:
        return False
    called = bool(_CODE_NAME.search(facts.name)) and facts.share < 0.5
    usual = values if called else values[: _first_apart(values)]  # 1 and 2, and 98 for not known
    if len(usual) > (MANY_CODES if called else FEW_CODES):
        return False
    whole = np.array_equal(values, np.floor(values)) and values[0] >= 0
    return bool(whole and (called or (usual[-1] <= 9 and not _ORDERED_NAME.search(facts.name))))


def _check_missing_codes(counted: Sequence[Facts], cohort: Cohort) -> Iterator[Check]:
    """-1, 999 or an impossible 0 that may stand for 'not measured': columns with the same code."""
    found: dict[str, dict[str, int]] = {}
    for facts in counted:
        if cohort.series is not None and facts.name.endswith("_count"):
            continue  # how often it was measured, counted here
        place = _missing_code(facts)
        if place is not None:
            code = word(facts.values[place])
            found.setdefault(code, {})[facts.name] = int(facts.counts[place])
    zeros = found.get("0", {})
    if zeros:  # a file that writes 0 for not measured does so in its emptiest columns, too
        zeros |= {f.name: int(f.counts[0]) for f in counted if _impossible_zero(f)}
    for code, counts in found.items():
        names = tuple(sorted(counts, key=lambda name: -counts[name]))
        values = {"value": code, "counts": [counts[name] for name in names]}
        note = Note("possible missing code", values=values)
        yield Check(note, names, (Remedy(names, missing=code), Remedy(keep=True)))


def _missing_code(facts: Facts) -> int | None:
    """The place of a value that stands apart, first or last, and that several patients have."""
    values = facts.values
    if facts.column.kind != "number" or len(values) < 5:
        return None
    often = facts.counts >= max(3, 0.002 * facts.known)
    low, high = values[0], values[-1]
    if low in _LOW_CODES and values[1] >= 0 and often[0]:
        return 0
    usual = values[: _first_apart(values)]
    if high in _HIGH_CODES and usual[-1] < 0.5 * high and often[-1]:
        return -1
    usual_zero = facts.counts[0] == facts.counts.max()  # taken alone, that is a value
    return 0 if _impossible_zero(facts) and not usual_zero else None


def _impossible_zero(facts: Facts) -> bool:
    """Nobody has a blood pressure of 0 when the next one is 24."""
    values = facts.values
    if facts.column.kind != "number" or len(values) < 5 or values[0] != 0:
        return False
    often = facts.counts[0] >= max(3, 0.002 * facts.known)
    far = values[1] >= max(3, 0.1 * _median(values[1:], facts.counts[1:]))
    return bool(often and far and not _NONE_NAME.search(facts.name))


def _first_apart(values: np.ndarray) -> int:
    """The place from which only codes such as 97, 98 and 99 follow; the end where there is none."""
    place = len(values)
    while place > 1 and values[place - 1] in _HIGH_CODES:
        place -= 1
    apart = place < len(values) and values[place - 1] < 0.5 * values[place]
    return place if apart else len(values)


def _median(values: np.ndarray, counts: np.ndarray) -> float:
    return float(values[np.searchsorted(np.cumsum(counts), counts.sum() / 2)])


_LOOKS: tuple[Callable[[Sequence[Facts], Cohort], Iterator[Check]], ...] = (
    _check_ids,
    _check_kinds,
    _check_constant,
    _check_missing_codes,
    _check_codes,
)


def treatment_findings(cohort: Cohort) -> Iterator[Check]:
    """Features from which the arm follows (`whole`), or that follow from the arm."""
    for treatment in cohort.names("treatment"):
        arms = cohort.frame[treatment]
        told = tuple(n for n in cohort.names("feature") if _tells(cohort.frame[n], arms))
        if told:
            whole = [_follows(pd.crosstab(cohort.frame[n], arms).to_numpy()) for n in told]
            note = Note("tells the treatment", values={"treatment": treatment, "whole": whole})
            yield Check(note, told, (leave_out(told),))


def _tells(values: pd.Series, arms: pd.Series) -> bool:
    """Whether nearly everybody's arm follows from the value, or the value from the arm."""
    known = values.notna().to_numpy() & arms.notna().to_numpy()
    if values[known].nunique() > CODE_VALUES or arms[known].nunique() < 2:
        return False
    table = pd.crosstab(values[known], arms[known]).to_numpy()
    return np.min(table.shape) > 1 and (_follows(table) or _follows(table.T))


def _follows(table: np.ndarray) -> bool:
    """Whether the columns of a table of counts follow from its rows, far beyond a guess."""
    right, usual = table.max(axis=1).sum(), table.sum(axis=0).max()
    n = max(int(table.sum()), 1)
    return bool(right >= TELLS_ARM * n and right - usual >= BEYOND_GUESS * n)


def spelling_findings(cohort: Cohort) -> Iterator[Check]:
    """Columns with such levels, told together: most are slips, but genotypes AA and Aa are not."""
    found = {name: spellings(cohort.frame[name]) for name in _spelled(cohort)}
    names = tuple(name for name, variants in found.items() if variants)
    if names:
        examples = [*next(iter(found[names[0]].items()))]
        remedies = (Remedy(names, spelling=True), Remedy(keep=True))
        yield Check(Note("spelling", values={"examples": examples}), names, remedies)


def _spelled(cohort: Cohort) -> list[str]:
    """A yes is a yes in any spelling, but classes of the outcome are told apart by theirs."""
    names = cohort.names("feature", "sensitive", "external check", "treatment")
    words = [name for name in names if cohort.column(name).kind == "category"]
    return [*words, *cohort.names("outcome")]
