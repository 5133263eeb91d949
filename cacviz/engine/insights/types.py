"""What is worth showing of a run: plain numbers and words, frozen, ready to be stored and drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cacviz.engine.scoring.bounds import Generalisation, LossBounds, MarginBounds

FEW = 5  # patients below which a count is hidden where the user asks for it
TOP = 10  # features a subtype's risk factors and the stability of a rank speak of
Shape = Literal["number", "yesno", "category"]
Mark = Literal["all", "some", "unique", ""]
StudentState = Literal["explains", "hints", "too few", "constant"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One feature in one set of patients; for yes/no, `mean` is the share of yes.

    `counts` has the patients of each level, None where it is hidden (`small_cells`); `hidden`:
    nothing of so few patients is shown.
    """

    n: int  # patients with a known value
    missing: int
    mean: float = float("nan")
    sd: float = float("nan")
    median: float = float("nan")
    low: float = float("nan")  # quartiles
    high: float = float("nan")
    least: float = float("nan")
    most: float = float("nan")
    counts: tuple[int | None, ...] = ()
    hidden: bool = False


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
    place: int = 0  # of the column in the cohort


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
    stability: float = float("nan")  # share of resamples in which it is among the strongest
    p: float = float("nan")  # that copies of it with patients shuffled tell as much of the outcome
    counts: bool = True  # it beats its shuffled copies


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
    state: StudentState = "too few"
    r2: float = float("nan")  # to the expert's probabilities, on held-out patients
    rank_correlation: float = float("nan")
    auprc_teacher: float = float("nan")
    auprc_student: float = float("nan")
    factors: tuple[RiskFactor, ...] = ()
    noise: tuple[RiskFactor, ...] = ()  # what the explainer uses, but cannot be told from chance
    effects: tuple[Effect, ...] = ()

    @property
    def explains(self) -> bool:
        return self.state == "explains"

    @property
    def untested(self) -> bool:
        """Whether too few patients had, or had not, the outcome to tell factors from noise."""
        none = bool(self.noise) and not self.factors
        return none and all(math.isnan(factor.p) for factor in self.noise)


@dataclass(frozen=True, slots=True, eq=False)
class Beeswarm:
    """SHAP values of some patients of one subtype: patients × its risk factors."""

    cluster: int
    names: tuple[str, ...]
    shap: np.ndarray  # in log-odds of the last class
    values: np.ndarray  # the features themselves, in their own units
    of: tuple[str, ...] = ()  # where values are of a level: which


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The simplified explainers of all subtypes for the risk of one class."""

    code: int
    students: tuple[Student, ...]
    beeswarms: tuple[Beeswarm, ...]
    mean_r2: float


@dataclass(frozen=True, slots=True, eq=False)
class Students:
    """All simplified explainers of a run: of two classes the event's, of more one view each."""

    views: tuple[View, ...]


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
    events: int
    times: tuple[float, ...]
    survival: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    at_risk: tuple[int, ...]


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


@dataclass(frozen=True, slots=True)
class Described:
    """What is ready first: profiles, tests, names and survival."""

    profiles: Profiles
    tests: tuple[HeldOutTest, ...]
    names: tuple[str, ...]
    survival: Survival | None


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """One variable in one subtype: an entry an hour, NaN where nothing can be told."""

    cluster: int
    n: int  # patients of the subtype
    counts: np.ndarray  # of these, with a value in the hour
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True, slots=True)
class SubtypeTheory:
    """What the paper's theorems promise a subtype, and what came true; losses in nats a patient."""

    cluster: int
    n: int
    n_held_out: int
    trivial: float  # the loss of giving everybody the subtype's rate
    log_loss: LossBounds
    held_out: float
    margin: MarginBounds | None  # of methods with class vectors
    general: Generalisation | None  # for two outcomes


@dataclass(frozen=True, slots=True)
class Theorems:
    """The theorems for a run, subtype by subtype, and theorem 1 without subtypes."""

    subtypes: tuple[SubtypeTheory, ...]
    one: Generalisation | None
    own_experts: bool  # whether theorem 1 speaks of the run's experts or of models in their place
    n_clusters: int
