"""What is decided about a table, and what is found: kinds, roles, choices, notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["number", "yesno", "category", "date", "text"]
Role = Literal[
    "feature",
    "outcome",
    "patient id",
    "time",
    "event",
    "treatment",
    "sensitive",
    "external check",
    "left out",
]
KINDS: tuple[Kind, ...] = ("number", "yesno", "category", "date", "text")
ROLES: tuple[Role, ...] = (
    *("feature", "outcome", "patient id", "time", "event", "treatment", "sensitive"),
    *("external check", "left out"),
)
ALONE: tuple[Role, ...] = ("patient id", "time", "event", "treatment")  # one column at most
Origin = Literal["file", "example", "synthetic"]
Severity = Literal["grave", "warning", "hint"]


@dataclass(frozen=True, slots=True)
class Note:
    """A finding by its code, how grave it is, and the values it speaks of; `wording` says it."""

    code: str
    severity: Severity = "warning"
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a cohort: what it holds, what it is for, and how its values are read.

    `missing` are values that mean "not measured"; `levels` are (code, name) pairs.
    """

    name: str
    kind: Kind
    role: Role = "feature"
    label: str = ""
    unit: str = ""
    missing: tuple[str, ...] = ()
    levels: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        return self.label or self.name


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the outcome column becomes classes: as it is, cut at points, or cut at quantiles."""

    column: str
    cuts: tuple[float, ...] = ()
    quantiles: int = 0
    positive: str = ""  # of two classes, the one whose risk is shown; empty = told from the words


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on patients: a number within limits (both belong to it), or some levels."""

    column: str
    low: float | None = None
    high: float | None = None
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choices:
    """What was decided about a table: enough, with the table, to make the cohort.

    `kept` are suspicions that the user has looked at and answered: (finding, column).
    """

    columns: tuple[Column, ...]
    outcome: Outcome | None = None
    subset: tuple[Condition, ...] = ()
    kept: tuple[tuple[str, str], ...] = ()

    def names(self, *roles: Role) -> list[str]:
        return [c.name for c in self.columns if c.role in roles]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that was decided: which field of which column, from what to what.

    Of the outcome, the subset and answered suspicions, `column` is empty.
    """

    column: str
    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Step:
    """What was done at once, and when; `choosing.undone` takes it back."""

    when: float  # seconds since 1970, UTC
    changes: tuple[Change, ...]
