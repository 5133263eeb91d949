"""What a run is asked for and what it found: settings, scores, controls and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from cacviz.engine.types.choices import Note, Outcome

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True, init=False)
class RunConfig:
    """Everything needed to repeat a run; scalars only, so it hashes, prints and caches.

    `settings` are those that were set; for all others a method's constructor has the default.
    Written as `RunConfig("cac", 3, alpha=0.1)`; `config.having(alpha=None)` unsets one.
    """

    method: str
    n_clusters: int
    seed: int
    settings: tuple[tuple[str, Scalar], ...]

    def __init__(
        self,
        method: str = "cac",
        n_clusters: int = 3,
        seed: int = 0,
        settings: tuple[tuple[str, Scalar], ...] = (),
        **more: Scalar | None,
    ) -> None:
        known = {**dict(settings), **more}
        kept = tuple(sorted((k, v) for k, v in known.items() if v is not None))
        for name, value in zip(
            ("method", "n_clusters", "seed", "settings"),
            (method, n_clusters, seed, kept),
            strict=True,
        ):
            object.__setattr__(self, name, value)

    def having(self, **settings: Scalar | None) -> RunConfig:
        """The same with some settings set, or unset by None."""
        return RunConfig(self.method, self.n_clusters, self.seed, self.settings, **settings)

    def get(self, name: str, otherwise: Any = None) -> Any:
        """A setting if it was set."""
        return dict(self.settings).get(name, otherwise)


@dataclass(frozen=True, slots=True)
class Scored:
    """A metric on held-out patients with its 95% bootstrap interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Control:
    """A plain model on the same split, beside which every result stands.

    `key` is k=1 (the same method with one subtype), kmeans, lr or gbm.
    """

    key: str
    method: str
    scores: Mapping[str, Scored]
    difference: Scored  # the run's auprc_macro minus the control's, paired over patients
    p: float  # two-sided, of that difference


Word = Literal["better", "worse", "no clear difference", "not known"]
Size = Literal["a little", "clearly", ""]
Conclusion = Literal[
    "too few",  # held-out patients of a class: nothing is claimed
    "one split",  # of a comparison: nothing to tell chance by
    "helps",
    "helps, but",  # better than one subtype, yet a plain model is better still
    "method",  # better than plain models, but not than itself with one subtype
    "no help",
    "harms",  # worse than the same method with one subtype
    "not shown",
    "untested",  # the method has no k = 1 to stand beside
    "no subtypes",
]


@dataclass(frozen=True, slots=True)
class Standing:
    """A result beside one control, in words: one rule wherever two scores are compared."""

    control: str
    difference: Scored
    p: float  # adjusted for the number of comparisons
    word: Word
    size: Size
    margin: float  # of the score: a tenth of what the control has beyond chance


@dataclass(frozen=True, slots=True)
class Place:
    """A subtype in which the run predicts otherwise than one model for all."""

    cluster: int
    run: float
    control: float
    difference: Scored
    word: Word
    n: int = 0  # held-out patients; 0 in runs that did not count them
    events: int = 0  # of them, with the rarest class


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether subtypes help prediction here, and what that rests on."""

    conclusion: Conclusion
    standings: tuple[Standing, ...] = ()
    places: tuple[Place, ...] = ()
    events: int = 0  # held-out patients of the rarest class
    rarest: str = ""
    n_splits: int = 1
    n_clusters: int = 1
    method: str = ""
    score: float = float("nan")


@dataclass(frozen=True, slots=True)
class ClusterSummary:
    """One cluster: who is in it and how often the outcome is met, as found and held out."""

    cluster: int
    n: int  # training patients, as found
    class_counts: tuple[int, ...]  # training, as found (trained in)
    n_test: int
    test_counts: tuple[int, ...]
    test_rates: tuple[Scored, ...]  # per class, Wilson interval
    n_validation: int = 0


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run found, as scalars and findings: all that a page shows without loading a model."""

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
    notes: tuple[Note, ...]  # collapse, tiny subtypes, suspected leaks, …
    verdict: Verdict | None = None
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
    one: np.ndarray | None = None  # held-out patients × classes, by the same method with k = 1
