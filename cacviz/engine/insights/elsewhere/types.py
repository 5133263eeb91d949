"""What becomes of a run's subtypes in another cohort, and what that says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from cacviz.engine.types import Cohort, Note, RunSummary, Scored

Word = Literal["replicated", "in part", "not replicated", "cannot be told"]
Answer = Literal["yes", "partly", "no", "unknown"]
MatchState = Literal["matched", "another name", "another unit", "other range", "absent"]
PairState = Literal["held", "reversed", "weaker", "unclear"]


class Home(NamedTuple):
    """The run where it was made; its patients may be elsewhere."""

    summary: RunSummary
    clusters: np.ndarray
    part: np.ndarray
    cohort: Cohort | None
    structure: float = float("nan")  # p of its check for more than one cloud; NaN: not checked


@dataclass(frozen=True, slots=True)
class ColumnMatch:
    """A column that the run uses, here and there."""

    name: str
    title: str
    unit: str
    state: MatchState
    found: str = ""  # its name there
    known: float = float("nan")  # share of patients there with a value
    usual: tuple[float, float, float] | None = None  # low, median, high of training patients
    median: float = float("nan")  # there
    units: str = ""  # what it looks like: µmol/L instead of mg/dL


@dataclass(frozen=True, slots=True)
class Pair:
    """Two subtypes whose rates of a class clearly differed at home, and how they do there."""

    first: int
    second: int
    code: int  # of the class
    home: Scored  # difference of the rates
    there: Scored
    state: PairState


@dataclass(frozen=True, slots=True)
class Counterpart:
    """One subtype there, patients sent to it by the run."""

    cluster: int
    n: int
    share: float
    home_share: float
    rates: tuple[Scored, ...]  # by class
    home_rates: tuple[Scored, ...]  # held-out patients of the run
    profile: tuple[float, ...]  # standardised means, there
    home_profile: tuple[float, ...]
    profile_correlation: float
    profile_chance: float  # the same where columns were shuffled: routing alone makes so much
    jaccard: float  # with the likest subtype found anew
    events: int
    auc: Scored | None = None  # None where there are too few events
    observed: float = float("nan")  # events over those expected


@dataclass(frozen=True, slots=True)
class Verdict:
    """Four questions answered, and what follows; the word is of the first three."""

    word: Word
    groups: Answer  # are the same groups found when they are looked for anew?
    outcome: Answer  # do their outcome rates differ as at home?
    risk: Answer  # are the risks still right?
    reasons: tuple[Note, ...]
    calibration: Answer = "unknown"  # do the risks mean there what they say?


@dataclass(frozen=True, slots=True)
class Validation:
    """A run in another cohort."""

    cohort: str
    outcome: str
    n: int
    n_without: int  # patients without an outcome there
    classes: tuple[str, ...]
    columns: tuple[str, ...]  # of the profiles
    subtypes: tuple[Counterpart, ...]
    matches: tuple[ColumnMatch, ...]
    auc: Scored
    home_auc: Scored
    auprc_macro: Scored
    home_auprc: Scored
    calibration_slope: Scored
    observed: float  # events over those expected, all patients
    ari: float
    n_anew: int
    pairs: tuple[Pair, ...]
    verdict: Verdict
    notes: tuple[Note, ...] = ()
    anew_seconds: float = float("nan")  # that looking anew took
    level: Scored | None = None  # `observed` with its interval; None in older validations
    recalibrated: bool = False  # whether the risks judged are those recalibrated at home
