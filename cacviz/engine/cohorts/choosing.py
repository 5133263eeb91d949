"""What is decided about a table: roles, outcome, kinds, labels, levels, codes, a subgroup.

Choices are small and hold no patient; `making.cohort_of` makes the cohort from a table and them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from difflib import get_close_matches
from typing import Any

from cacviz.engine.exceptions import CohortError
from cacviz.engine.reading.kinds import shorten
from cacviz.engine.types import (
    ALONE,
    ROLES,
    Change,
    Choices,
    Column,
    Condition,
    Kind,
    Outcome,
    Role,
    Step,
)

UNUSED_KINDS = ("date", "text")  # what no method can use as it is
MOST_NAMED = 12  # columns that an error lists


def first_choices(columns: Sequence[Column]) -> Choices:
    """What a file starts with: dates and free text are left out, the rest are features."""
    return Choices(
        tuple(replace(c, role="left out") if c.kind in UNUSED_KINDS else c for c in columns)
    )


def with_roles(choices: Choices, roles: Mapping[str, Role]) -> Choices:
    """Other roles; making a column the outcome changes the outcome.

    Of a role that one column can have, such as patient id, the former holder is left out.
    """
    check_known(roles, choices.columns)
    unknown = [r for r in roles.values() if r not in ROLES]
    if unknown:
        raise CohortError(f"'{shorten(unknown[0])}' is no role. Roles are: {', '.join(ROLES)}.")
    given = {**_released(choices, roles), **roles}
    columns = tuple(replace(c, role=given.get(c.name, c.role)) for c in choices.columns)
    _check_alone(columns)
    outcome = choices.outcome
    asked = [name for name, role in roles.items() if role == "outcome"]
    if asked and (outcome is None or outcome.column != asked[-1]):
        outcome = Outcome(asked[-1])
    elif outcome and roles.get(outcome.column, "outcome") != "outcome":
        outcome = None
    return settled(replace(choices, columns=columns, outcome=outcome))


def _released(choices: Choices, roles: Mapping[str, Role]) -> dict[str, Role]:
    taken = {role for role in roles.values() if role in ALONE}
    return {c.name: "left out" for c in choices.columns if c.role in taken}


def _check_alone(columns: Sequence[Column]) -> None:
    for role in ALONE:
        named = [c.name for c in columns if c.role == role]
        if len(named) > 1:
            raise CohortError(
                f"{len(named)} columns have the role {role} "
                f"({', '.join(map(shorten, named[:4]))}). Keep one and leave the others out."
            )


def with_outcome(choices: Choices, outcome: Outcome | None, former: Role = "left out") -> Choices:
    """Another outcome; `former` is what becomes of the column that was the outcome until now."""
    if outcome:
        check_known([outcome.column], choices.columns)
    before = choices.outcome.column if choices.outcome else None
    columns = tuple(
        replace(c, role=former)
        if c.name == before and (outcome is None or outcome.column != before)
        else c
        for c in choices.columns
    )
    return settled(replace(choices, columns=columns, outcome=outcome))


def settled(choices: Choices) -> Choices:
    """Exactly the outcome's column has that role."""
    name = choices.outcome.column if choices.outcome else None
    if name is not None:
        check_known([name], choices.columns)
    columns = tuple(
        replace(c, role="outcome")
        if c.name == name
        else replace(c, role="left out")
        if c.role == "outcome"
        else c
        for c in choices.columns
    )
    return choices if columns == choices.columns else replace(choices, columns=columns)


def with_kinds(choices: Choices, kinds: Mapping[str, Kind]) -> Choices:
    """Columns read another way, such as codes 1 to 4 as categories."""
    return _with(choices, {name: {"kind": kind} for name, kind in kinds.items()})


def with_missing(choices: Choices, codes: Mapping[str, str]) -> Choices:
    """A value of some columns taken as missing, such as a weight of 0."""
    known = {c.name: c.missing for c in choices.columns}
    check_known(codes, choices.columns)
    added = {n: {"missing": tuple(dict.fromkeys((*known[n], c)))} for n, c in codes.items()}
    outcome = choices.outcome
    if outcome and outcome.positive and codes.get(outcome.column) == outcome.positive:
        choices = replace(choices, outcome=replace(outcome, positive=""))
    return _with(choices, added)


def with_labels(choices: Choices, labels: Mapping[str, tuple[str, str]]) -> Choices:
    """(label, unit) of some columns written out."""
    return _with(choices, {n: {"label": a, "unit": b} for n, (a, b) in labels.items()})


def with_levels(choices: Choices, levels: Mapping[str, Mapping[str, str]]) -> Choices:
    """Names for the codes of some columns, which become categories."""
    return _with(
        choices,
        {n: {"levels": tuple(v.items()), "kind": "category"} for n, v in levels.items() if v},
    )


def with_one_spelling(choices: Choices, found: Mapping[str, Mapping[str, str]]) -> Choices:
    """Levels of some columns taken as one: each rarer spelling as the commonest, the event too."""
    known = {c.name: dict(c.levels) for c in choices.columns}
    levels = {
        name: {code: variants.get(said, said) for code, said in known[name].items()}
        | dict(variants)
        for name, variants in found.items()
    }
    changed, outcome = with_levels(choices, levels), choices.outcome
    if outcome is None:
        return changed
    positive = found.get(outcome.column, {}).get(outcome.positive, outcome.positive)
    return replace(changed, outcome=replace(outcome, positive=positive))


def with_subset(choices: Choices, conditions: Iterable[Condition]) -> Choices:
    """Only patients who meet all conditions."""
    conditions = tuple(conditions)
    check_known([c.column for c in conditions], choices.columns)
    return replace(choices, subset=conditions)


def with_kept(choices: Choices, code: str, columns: Iterable[str]) -> Choices:
    """Suspicions that the user has looked at and keeps as they are."""
    said = [(code, name) for name in columns]
    return replace(choices, kept=tuple(dict.fromkeys((*choices.kept, *said))))


def _with(choices: Choices, changes: Mapping[str, Mapping[str, Any]]) -> Choices:
    check_known(changes, choices.columns)
    columns = tuple(replace(c, **changes.get(c.name, {})) for c in choices.columns)
    return replace(choices, columns=columns)


def changes_between(before: Choices, after: Choices) -> tuple[Change, ...]:
    """What one set of choices changed in the other, field by field."""
    found = [
        Change(old.name, f.name, getattr(old, f.name), getattr(new, f.name))
        for old, new in zip(before.columns, after.columns, strict=True)
        for f in fields(Column)
        if getattr(old, f.name) != getattr(new, f.name)
    ]
    for name in ("outcome", "subset", "kept"):
        if getattr(before, name) != getattr(after, name):
            found.append(Change("", name, getattr(before, name), getattr(after, name)))
    return tuple(found)


def can_undo(choices: Choices, step: Step) -> bool:
    """Whether nothing that the step decided was decided anew since."""
    return all(_value(choices, change) == change.after for change in step.changes)


def undone(choices: Choices, step: Step) -> Choices:
    """The choices without this step."""
    columns = {c.name: c for c in choices.columns}
    whole: dict[str, Any] = {}
    for change in step.changes:
        if change.column:
            column = columns[change.column]
            columns[change.column] = replace(column, **{change.field: change.before})
        else:
            whole[change.field] = change.before
    return settled(replace(choices, columns=tuple(columns.values()), **whole))


def _value(choices: Choices, change: Change) -> Any:
    if not change.column:
        return getattr(choices, change.field)
    column = next((c for c in choices.columns if c.name == change.column), None)
    return getattr(column, change.field, None)


def carried_over(choices: Choices, earlier: Choices) -> Choices:
    """What was decided about a file's columns earlier, for the columns of another file.

    Columns that the other file lacks are passed over; so is an outcome that it lacks.
    """
    known = {c.name: c for c in earlier.columns}
    columns = tuple(
        replace(known[c.name], kind=known[c.name].kind) if c.name in known else c
        for c in choices.columns
    )
    names = {c.name for c in columns}
    outcome = earlier.outcome if earlier.outcome and earlier.outcome.column in names else None
    return settled(replace(choices, columns=columns, outcome=outcome))


def relabelled(choices: Choices, today: Choices) -> Choices:
    """A run's choices with the labels and units of today: they change no figure."""
    known = {c.name: c for c in today.columns}
    columns = tuple(
        replace(c, label=known[c.name].label, unit=known[c.name].unit) if c.name in known else c
        for c in choices.columns
    )
    return replace(choices, columns=columns)


def check_known(names: Iterable[str], columns: Sequence[Column]) -> None:
    """Raise where there is no such column, with the names that come close."""
    known = [c.name for c in columns]
    for name in names:
        if name in known:
            continue
        close = get_close_matches(name, known, n=3, cutoff=0.6)
        same = [k for k in known if k.casefold() == name.casefold()]
        hint = ", ".join(map(shorten, dict.fromkeys([*same, *close])))
        asked = f"Did you mean: {hint}?" if hint else _columns_there(known)
        raise CohortError(f"There is no column '{shorten(name)}'. {asked}")


def _columns_there(known: Sequence[str]) -> str:
    """The columns of a small table by name; a large one's are too many to read."""
    if len(known) > MOST_NAMED:
        return f"It has {len(known)} others; check the name."
    return f"The table has: {', '.join(map(shorten, known))}."
