"""Every method by name, with the settings it takes, and how one is built."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from cacviz.engine.exceptions import ConfigError
from cacviz.engine.running.defaults import default_of
from cacviz.engine.running.settings import CAC_ALPHA, COMMON, DISTANCE_BETA, Setting
from cacviz.engine.types import RunConfig

CAC_SETTINGS = (CAC_ALPHA, "tune_alpha", "separation", "refit", "min_class_size", "choose")
CAC_MORE = ("n_init", "max_iter", "scaling")
NETWORK = (
    *("pretrain_epochs", "epochs", "batch_size", "learning_rate", "hidden", "embedding"),
    "expert_hidden",
)


@dataclass(frozen=True, slots=True)
class Method:
    """A method: what it is called, where its estimator is, and which settings it takes.

    `takes` names settings of the catalogue, or brings a method's own.
    """

    name: str
    title: str
    help: str
    where: str  # module:class, imported when it is asked for
    takes: tuple[str | Setting, ...] = ()
    clusters: bool = True
    gaps: bool = False  # takes missing values itself
    learns_from_validation: bool = False  # its risk models do: none are left to recalibrate on
    reads: Literal["table", "series"] = "table"  # a row a patient, or hours and static features
    short: str = ""  # the title in a sentence

    @property
    def deep(self) -> bool:
        """Whether it loads torch and learns in epochs."""
        return "epochs" in self.settings

    @property
    def settings(self) -> dict[str, Setting]:
        """The settings that it takes, by name."""
        found = [COMMON[t] if isinstance(t, str) else t for t in self.takes]
        return {setting.name: setting for setting in found}

    def default(self, name: str) -> Any:
        """The default of a setting, as the constructor that takes it has it."""
        prepares = self.settings[name].prepares
        return default_of(PREPARATION if prepares else self.where, name)

    def estimator_class(self):
        module, name = self.where.split(":")
        return getattr(import_module(module), name)


PREPARATION = "cacviz.engine.preparation.preparing:Preparation"
_DEEP, _CAC = "cacviz.engine.deep", "cacviz.engine.cac.cac"
_BASELINES = "cacviz.engine.deep.baselines"
METHODS: dict[str, Method] = {
    m.name: m
    for m in (
        Method(
            "cac",
            "CAC (quick look)",
            "Groups patients so that outcomes stay apart inside each group.",
            f"{_CAC}:CAC",
            ("expert", *CAC_SETTINGS, *CAC_MORE),
            short="CAC",
        ),
        Method(
            "deepcac",
            "DeepCAC (full analysis)",
            "Learns to describe patients so that subtypes are tight and outcomes stay apart in "
            "each. A subtype gets a risk model of its own only if that predicts patients who were "
            "left out better.",
            f"{_DEEP}.deepcac:DeepCAC",
            ("alpha", "beta", "routing", "margin", "scale", *NETWORK),
            gaps=True,
            learns_from_validation=True,
            short="DeepCAC",
        ),
        Method(
            "kmeans",
            "k-means, then a risk model each",
            "Groups patients without looking at the outcome; the yardstick for CAC.",
            f"{_CAC}:KMeansExperts",
            ("expert", "n_init", "scaling"),
            short="k-means",
        ),
        Method(
            "kmeans_z",
            "KM-Z",
            "Learns to describe patients without the outcome, groups them by k-means, then fits a "
            "risk model each.",
            f"{_BASELINES}.kmeans_z:KMeansZ",
            NETWORK,
            gaps=True,
        ),
        Method(
            "dcn_z",
            "DCN-Z",
            "As KM-Z, but the description of patients is drawn towards the groups' centres.",
            f"{_BASELINES}.dcn:DCNZ",
            (*NETWORK, DISTANCE_BETA),
            gaps=True,
        ),
        Method(
            "idec_z",
            "IDEC-Z",
            "As KM-Z, but patients between groups are drawn towards the one they are nearer to.",
            f"{_BASELINES}.idec:IDECZ",
            (*NETWORK, DISTANCE_BETA),
            gaps=True,
        ),
        Method(
            "dmnn",
            "DMNN",
            "Risk models mixed by a gate, all trained together for the outcome; a patient's "
            "subtype is the model with the largest say.",
            f"{_BASELINES}.dmnn:DMNN",
            NETWORK,
            gaps=True,
        ),
        Method(
            "actpc",
            "AC-TPC",
            "Groups patients whose risk is similar: everyone in a subtype has the subtype's risk.",
            f"{_BASELINES}.actpc:ACTPC",
            (*NETWORK, "routing"),
            gaps=True,
        ),
        Method(
            "grasp",
            "GRASP",
            "Adds to each patient what similar patients have in common; one risk model for all.",
            f"{_BASELINES}.grasp:GRASP",
            NETWORK,
            gaps=True,
        ),
        Method(
            "deepcac_ts",
            "DeepCAC-TS (hourly records)",
            "As DeepCAC, but subtypes are of the course of a stay, hour by hour; risk models read "
            "the hours, their summaries and what does not change. Minutes.",
            f"{_DEEP}.sequences.deepcac_ts:DeepCACTS",
            ("alpha", "beta", "routing", "margin", "scale", *NETWORK),
            gaps=True,
            learns_from_validation=True,
            reads="series",
            short="DeepCAC-TS",
        ),
        Method(
            "grasp_ts",
            "GRASP-TS (hourly records)",
            "As GRASP, on the hours of a stay.",
            f"{_BASELINES}.grasp_ts:GRASPTS",
            NETWORK,
            gaps=True,
            reads="series",
            short="GRASP-TS",
        ),
        Method(
            "actpc_ts",
            "AC-TPC-TS (hourly records)",
            "As AC-TPC, on the hours of a stay.",
            f"{_BASELINES}.actpc_ts:ACTPCTS",
            (*NETWORK, "routing"),
            gaps=True,
            reads="series",
            short="AC-TPC-TS",
        ),
        Method(
            "plain",
            "One risk model for all",
            "The chosen risk model without subtypes.",
            f"{_CAC}:KMeansExperts",
            ("expert", "scaling"),
            clusters=False,
        ),
        Method(
            "lr",
            "Logistic regression",
            "Logistic regression without subtypes; its penalty is chosen by cross-validation.",
            "cacviz.engine.running.plain_models:PenalisedLogistic",
            (),
            clusters=False,
            gaps=True,
            learns_from_validation=True,
        ),
        Method(
            "gbm",
            "Gradient boosting",
            "Gradient boosting without subtypes, cross-fitted: the mean of four.",
            "cacviz.engine.running.plain_models:GradientBoosting",
            (),
            clusters=False,
            gaps=True,
            learns_from_validation=True,
        ),
    )
}


def method_named(name: str) -> Method:
    """The method, or a sentence that lists those there are."""
    if name not in METHODS:
        raise ConfigError(f"There is no method '{name}'. Choose one of: {', '.join(METHODS)}.")
    return METHODS[name]


def methods_for(series: bool) -> list[str]:
    """The methods of a cohort with hourly series, or without, in the registry's order."""
    return [name for name, method in METHODS.items() if series or method.reads == "table"]


def build_model(config: RunConfig):
    """The unfitted estimator of a configuration; what was not set is the constructor's default."""
    method = method_named(config.method)
    taken = method.settings
    settings = {k: v for k, v in config.settings if k in taken and not taken[k].prepares}
    if method.clusters:
        settings["n_clusters"] = config.n_clusters
    elif method.where.endswith("KMeansExperts"):
        settings["n_clusters"] = 1
    return method.estimator_class()(**settings, random_state=config.seed)
