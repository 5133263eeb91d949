"""A rule that fits on a card, what it was asked to be, and how far it agrees with the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cacviz.engine.types import Scored

MOST = 6  # variables that a card has room for
USUAL = 5
Form = Literal["tree", "points"]
WantedForm = Literal["any", "tree", "points"]
VariableKind = Literal["number", "yesno", "category"]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a rule shall be: at most so many variables, without some, in one form or either."""

    most: int = USUAL
    without: tuple[str, ...] = ()
    form: WantedForm = "any"


@dataclass(frozen=True, slots=True)
class Band:
    """Some values of a variable, and the points they give to each subtype.

    Of a number those above `low` up to `high`; of any other the levels.
    """

    low: float = float("-inf")
    high: float = float("inf")
    levels: tuple[str, ...] = ()
    points: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A variable on the card: its bands, and what counts where it was not measured."""

    name: str
    title: str
    unit: str
    kind: VariableKind
    typical: str  # the value that stands in where none is known
    bands: tuple[Band, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """Where a path through the tree ends: a band of each variable on it, and whose patients."""

    bands: tuple[tuple[str, Band], ...]  # (variable, its values), the first asked first
    cluster: int
    n: int  # training patients


@dataclass(frozen=True, slots=True)
class Rule:
    """A tree (its leaves) or points (a band gives each subtype some; the most points win)."""

    form: Form
    n_clusters: int
    lines: tuple[Line, ...]
    leaves: tuple[Leaf, ...] = ()
    start: tuple[int, ...] = ()  # points that everybody has

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(line.name for line in self.lines)


@dataclass(frozen=True, slots=True)
class Agreement:
    """A rule beside the full model on held-out patients; shares have 95% intervals."""

    n: int
    kappa: Scored
    same: Scored  # share of patients in the same subtype
    sensitivity: tuple[Scored, ...]  # of the model's patients of a subtype, those the rule finds
    ppv: tuple[Scored, ...]  # of those that the rule puts there, the model's


@dataclass(frozen=True, slots=True)
class Price:
    """What a rule of so many variables is worth."""

    n_variables: int
    form: Form
    variables: tuple[str, ...]
    learned: float  # kappa within the training patients, cross-validated: this one chooses
    kappa: Scored  # on held-out patients


@dataclass(frozen=True, slots=True)
class Bedside:
    """The rule, its agreement, what fewer or more variables would give, and the risk it tells."""

    wish: Wish
    rule: Rule
    agreement: Agreement
    prices: tuple[Price, ...]
    rates: tuple[tuple[Scored, ...], ...]  # by the rule's subtype and class, held out
    model_rates: tuple[tuple[Scored, ...], ...]
    sizes: tuple[int, ...]  # held-out patients by the rule's subtype
    n_train: int
    unrestricted: Scored | None = None  # kappa where nothing is vetoed
    passed_over: tuple[str, ...] = ()  # categories of too many levels for a card
