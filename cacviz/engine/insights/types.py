"""What is worth showing of a run: plain numbers and words, frozen, ready to be stored and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

FEW = 5  # patients below which a cell shows nothing that could point at one of them
TOP = 10  # features a subtype's risk factors and the stability of a rank speak of
Shape = Literal["number", "yesno", "category"]
Mark = Literal["all", "some", "unique", ""]
MARK_WORDS = {"all": "shared by all", "some": "shared by some", "unique": "unique", "": ""}
NOT_SHOWN = "not shown"  # in place of a count that is small, or that would give a small one away


@dataclass(frozen=True, slots=True)
class Cell:
    """One feature in one set of patients; NaN or None where fewer than FEW patients stand behind.

    `counts` has the patients of each level; for yes/no, `mean` is the share of yes.
    """

    n: int  # patients with a known value
    missing: int
    mean: float = float("nan")
    sd: float = float("nan")
    median: float = float("nan")
    low: float = float("nan")  # quartiles
    high: float = float("nan")
    counts: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class FeatureProfile:
    """One feature in all subtypes, with how far it sets them apart.

    `circular_p` describes: the feature made the subtypes, so it tests nothing.
    """

    name: str
    title: str
    unit: str
    shape: Shape
    role: str
    levels: tuple[str, ...]
    cells: tuple[Cell, ...]
    overall: Cell
    effect: float  # largest standardised mean difference between two subtypes
    pair: tuple[int, int]  # between which
    association: float  # eta squared, or Cramér's V
    standing: tuple[float, ...]  # each subtype against everybody, in standard deviations
    standing_level: str  # the level that `standing` speaks of; empty for numbers
    effect_held_out: float  # the same difference in patients that made no subtype
    stability: float  # share of bootstrap samples in which it ranks within the top
    test: str
    circular_p: float
    circular_q: float


@dataclass(frozen=True, slots=True)
class Profiles:
    """Every feature, the most distinguishing first, and the patients it was computed on."""

    features: tuple[FeatureProfile, ...]
    sizes: tuple[int, ...]
    held_out_sizes: tuple[int, ...]
    top: int  # how many ranks count as the top for `stability`


@dataclass(frozen=True, slots=True)
class HeldOutTest:
    """A real test: a variable kept out of clustering, on patients kept out of training."""

    name: str
    title: str
    role: str
    test: str
    n: int
    p: float
    p_adjusted: float  # Holm, over all tests of the run
    significant: bool
    effect: float
    effect_name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class RiskFactor:
    """One feature of a subtype's simplified explainer."""

    name: str
    title: str
    unit: str
    importance: float  # share of the gain, all features of a subtype add to 1
    permutation: float  # R² to the expert lost on held-out patients when it is shuffled
    mark: Mark
    direction: float  # rank correlation of its values with their SHAP values
    of: str = ""  # what those values are of, where not the feature's own: Sex = F


@dataclass(frozen=True, slots=True)
class Effect:
    """How a subtype's risk moves with one feature, all else as it is (partial dependence)."""

    name: str
    title: str
    unit: str
    values: tuple[float, ...]
    words: tuple[str, ...]  # for levels, in place of values
    risk: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Student:
    """The simplified explainer of one subtype, and how far it can be believed."""

    cluster: int
    n_train: int
    n_test: int
    r2: float = float("nan")  # to the expert's probabilities, on held-out patients
    rank_correlation: float = float("nan")
    auprc_teacher: float = float("nan")
    auprc_student: float = float("nan")
    explains: bool = False
    sentence: str = ""
    factors: tuple[RiskFactor, ...] = ()
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Beeswarm:
    """SHAP values of some patients of one subtype: patients × its risk factors."""

    cluster: int
    names: tuple[str, ...]
    shap: np.ndarray  # in log-odds of the last class
    values: np.ndarray  # the features themselves, in their own units
    of: tuple[str, ...] = ()  # where values are of a level: which


@dataclass(frozen=True, slots=True, eq=False)
class Students:
    """All simplified explainers of a run."""

    students: tuple[Student, ...]
    beeswarms: tuple[Beeswarm, ...]
    mean_r2: float
    outcome: str  # what the risk of SHAP values and effects is a risk of


@dataclass(frozen=True, slots=True, eq=False)
class Silhouettes:
    """Separation score of each training patient (or of a sample), and k-means beside it."""

    rows: np.ndarray
    clusters: np.ndarray
    values: np.ndarray
    mean: float
    kmeans: float  # k-means on the same space
    n: int  # training patients; more than rows where a sample stands for all


@dataclass(frozen=True, slots=True)
class Curve:
    """Kaplan–Meier estimate of one subtype, with numbers at risk at the ticks."""

    cluster: int
    n: int
    events: int | None
    times: tuple[float, ...]
    survival: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    at_risk: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Survival:
    """Survival by subtype on held-out patients, and log-rank between them."""

    time: str
    unit: str
    event: str
    curves: tuple[Curve, ...]
    ticks: tuple[float, ...]
    n: int
    p: float  # unadjusted; what may be said is in the held-out tests


@dataclass(frozen=True, slots=True, eq=False)
class PatientMap:
    """Patients in two dimensions, for orientation and not as proof."""

    rows: np.ndarray  # of the cohort
    positions: np.ndarray  # rows × 2
    space: str  # of what: "embedding" or "features"
    n: int  # patients of the cohort; more than rows where a sample was drawn
    note: str


@dataclass(frozen=True, slots=True)
class Described:
    """What is ready first: profiles, tests, names and survival."""

    profiles: Profiles
    tests: tuple[HeldOutTest, ...]
    names: tuple[str, ...]
    survival: Survival | None


@dataclass(frozen=True, slots=True, eq=False)
class Insights:
    """All that is known of a run; a part is None until its step is done."""

    described: Described | None = None
    silhouettes: Silhouettes | None = None
    students: Students | None = None
    map: PatientMap | None = None
