"""Every method by name, and the one door through which app, command line and benchmarks fit."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from cacviz.engine.exceptions import ConfigError
from cacviz.engine.types import FittedRun, RunConfig, Split

EXPERT_NAMES = ("lr", "svm", "xgb", "lda", "perceptron", "rf", "knn", "sgd", "ridge")
_CAC_FIELDS = (
    "alpha",
    "tune_alpha",
    "separation",
    "refit",
    "min_class_size",
    "choose",
    "n_init",
    "max_iter",
)
_NETWORK_FIELDS = (
    "pretrain_epochs",
    "epochs",
    "batch_size",
    "learning_rate",
    "hidden",
    "embedding",
    "expert_hidden",
)


_BASELINES = (
    (
        "kmeans_z",
        "KM-Z",
        "Learns to describe patients without the outcome, groups them by k-means, then fits a "
        "risk model each.",
        "kmeans_z:KMeansZ",
        (),
    ),
    (
        "dcn_z",
        "DCN-Z",
        "As KM-Z, but the description of patients is drawn towards the groups' centres.",
        "dcn:DCNZ",
        ("beta",),
    ),
    (
        "idec_z",
        "IDEC-Z",
        "As KM-Z, but patients between groups are drawn towards the one they are nearer to.",
        "idec:IDECZ",
        ("beta",),
    ),
    (
        "dmnn",
        "DMNN",
        "Risk models mixed by a gate, all trained together for the outcome; a patient's subtype is "
        "the model with the largest say.",
        "dmnn:DMNN",
        (),
    ),
    (
        "actpc",
        "AC-TPC",
        "Groups patients with alike risk: everyone in a subtype has the subtype's own risk.",
        "actpc:ACTPC",
        ("routing",),
    ),
    (
        "grasp",
        "GRASP",
        "Adds to each patient what alike patients have in common; one risk model for all.",
        "grasp:GRASP",
        (),
    ),
)


@dataclass(frozen=True, slots=True)
class Method:
    """A method: what it is called, where its estimator is, and which settings it takes."""

    name: str
    title: str
    help: str
    where: str  # module:class, imported when it is asked for
    takes: tuple[str, ...] = ()
    clusters: bool = True
    gaps: bool = False  # takes missing values itself

    @property
    def deep(self) -> bool:
        """Whether it loads torch and learns in epochs."""
        return "epochs" in self.takes

    def estimator_class(self):
        module, name = self.where.split(":")
        return getattr(import_module(module), name)


METHODS: dict[str, Method] = {
    m.name: m
    for m in (
        Method(
            "cac",
            "CAC (quick look)",
            "Groups patients so that outcomes stay apart inside each group; seconds.",
            "cacviz.engine.cac:CAC",
            ("expert", *_CAC_FIELDS),
        ),
        Method(
            "deepcac",
            "DeepCAC (full analysis)",
            "Learns to describe patients so that subtypes are tight and outcomes stay apart in "
            "each; a minute or so. Soft routing mixes the risk models of a patient between "
            "subtypes; it scored higher than the paper's hard routing on every cohort tried.",
            "cacviz.engine.deepcac:DeepCAC",
            ("alpha", "beta", "routing", "margin", "scale", *_NETWORK_FIELDS),
            gaps=True,
        ),
        Method(
            "kmeans",
            "k-means, then a risk model each",
            "Groups patients without looking at the outcome; the yardstick for CAC.",
            "cacviz.engine.cac:KMeansExperts",
            ("expert", "n_init"),
        ),
        *(
            Method(
                name,
                title,
                help_,
                f"cacviz.engine.baselines.{where}",
                (*_NETWORK_FIELDS, *takes),
                gaps=True,
            )
            for name, title, help_, where, takes in _BASELINES
        ),
        Method(
            "plain",
            "One risk model for all",
            "The chosen risk model without subtypes.",
            "cacviz.engine.cac:KMeansExperts",
            ("expert",),
            clusters=False,
        ),
        Method(
            "lr",
            "Logistic regression",
            "Plain logistic regression without subtypes.",
            "cacviz.engine.cac:KMeansExperts",
            (),
            clusters=False,
        ),
        Method(
            "gbm",
            "Gradient boosting",
            "Gradient boosting without subtypes.",
            "cacviz.engine.controls:GradientBoosting",
            (),
            clusters=False,
            gaps=True,
        ),
    )
}


def method_named(name: str) -> Method:
    """The method, or a sentence that lists those there are."""
    if name not in METHODS:
        raise ConfigError(f"There is no method '{name}'. Choose one of: {', '.join(METHODS)}.")
    return METHODS[name]


def build_model(config: RunConfig):
    """The unfitted estimator of a configuration; None leaves a method's own default."""
    method = method_named(config.method)
    settings = {name: getattr(config, name) for name in method.takes}
    settings = {k: v for k, v in settings.items() if v is not None}
    if method.clusters:
        settings["n_clusters"] = config.n_clusters
    elif method.where.endswith("KMeansExperts"):
        settings["n_clusters"] = 1
    return method.estimator_class()(**settings, random_state=config.seed)


def fit_run(split: Split, config: RunConfig, *, on_step=None, checkpoint=None) -> FittedRun:
    """Prepare, fit, score on held-out patients and set the controls beside the result."""
    from cacviz.engine.fitting import fit  # loads scikit-learn: not for a page that lists methods

    return fit(split, config, on_step=on_step, checkpoint=checkpoint)
