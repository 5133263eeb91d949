"""What flows between the rooms: frozen, no behaviour beyond derived values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd

Kind = Literal["number", "yesno", "category", "date", "text"]
Role = Literal[
    "feature", "outcome", "patient id", "time", "event", "sensitive", "external check", "ignore"
]
KINDS: tuple[Kind, ...] = ("number", "yesno", "category", "date", "text")
ROLES: tuple[Role, ...] = (
    "feature",
    "outcome",
    "patient id",
    "time",
    "event",
    "sensitive",
    "external check",
    "ignore",
)
TRAIN, VALIDATION, TEST, UNUSED = 0, 1, 2, -1


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a cohort: what it holds and what it is for."""

    name: str
    kind: Kind
    role: Role = "feature"
    label: str = ""
    unit: str = ""

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


@dataclass(frozen=True, slots=True, eq=False)
class Cohort:
    """Patients as rows, with each column's kind and role, and the outcome as class codes."""

    name: str
    frame: pd.DataFrame
    columns: tuple[Column, ...]
    outcome: Outcome | None
    y: np.ndarray  # class code per row, -1 where the outcome is missing
    classes: tuple[str, ...]
    fingerprint: str

    @property
    def n_patients(self) -> int:
        return len(self.frame)

    def names(self, *roles: Role) -> list[str]:
        return [c.name for c in self.columns if c.role in roles]

    def column(self, name: str) -> Column:
        return next(c for c in self.columns if c.name == name)


@dataclass(frozen=True, slots=True)
class Remedy:
    """What a Fix button does: give these columns another role, or take one value as missing."""

    label: str
    columns: tuple[str, ...] = ()
    role: Role = "ignore"
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A finding about a cohort: what, where, how grave, and the remedies, the likeliest first."""

    name: str
    text: str
    columns: tuple[str, ...] = ()
    grave: bool = False
    remedies: tuple[Remedy, ...] = ()

    @property
    def remedy(self) -> Remedy | None:
        return self.remedies[0] if self.remedies else None


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """A cohort with each patient's part: TRAIN, VALIDATION, TEST, or UNUSED without an outcome."""

    cohort: Cohort
    part: np.ndarray
    seed: int

    def rows(self, *parts: int) -> np.ndarray:
        return np.flatnonzero(np.isin(self.part, parts))


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything needed to repeat a run; scalars only, so it hashes, prints and caches.

    None means the method's own default.
    """

    method: str = "cac"
    n_clusters: int = 3
    alpha: float | None = None
    tune_alpha: bool = False
    beta: float | None = None
    expert: str = "lr"
    separation: str = "paper"
    refit: str = "members"
    min_class_size: int = 1
    choose: str = "last"
    n_init: int = 10
    max_iter: int = 100
    scaling: str = "standard"
    routing: str | None = None
    epochs: int | None = None
    pretrain_epochs: int | None = None
    batch_size: int | None = None
    learning_rate: float | None = None
    margin: float | None = None
    scale: float | None = None
    hidden: int | None = None
    embedding: int | None = None
    expert_hidden: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Scored:
    """A metric on held-out patients with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Control:
    """A plain model on the same split, beside which every result stands."""

    name: str
    title: str
    scores: Mapping[str, Scored]
    difference: Scored  # the run's auprc_macro minus the control's, paired over patients


@dataclass(frozen=True, slots=True)
class ClusterSummary:
    """One cluster: who is in it and how often the outcome is met, as found and held out."""

    cluster: int
    n: int  # training patients, as found
    class_counts: tuple[int, ...]  # training, as found (trained in)
    n_test: int
    test_counts: tuple[int, ...]
    test_rates: tuple[Scored, ...]  # per class, Wilson interval


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run found, as scalars and words: everything a page shows without loading a model."""

    config: RunConfig
    cohort_name: str
    fingerprint: str
    outcome: Outcome
    classes: tuple[str, ...]
    clusters: tuple[ClusterSummary, ...]
    test: Mapping[str, Scored]
    controls: tuple[Control, ...]
    silhouette: float
    routing_agreement: float | None
    alpha: float | None  # as used
    critical_alpha: float | None
    seconds: float
    notes: tuple[str, ...]  # collapse, tiny subtypes, …: said in words
    history: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class FittedRun:
    """A finished run: the summary, an array entry per patient of the cohort, and the model."""

    summary: RunSummary
    part: np.ndarray  # TRAIN, VALIDATION, TEST or UNUSED
    clusters: np.ndarray  # as the method found them (training) or routed (all others)
    proba: np.ndarray  # patients × classes
    map2d: np.ndarray  # patients × 2, PCA of the prepared features or embedding
    preparation: Any
    model: Any
