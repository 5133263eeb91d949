"""One catalogue of settings: from it come the form, the flags, the help and the record of a run.

A default stands in the constructor of the method's estimator and nowhere else; `defaults` reads it
there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cacviz.engine.types import Scalar

Form = Literal["number", "whole", "choice", "flag"]
Part = Literal["weight", "drawer"]  # where the form has it: in sight, or among more settings


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a method: its name, its range, and the words for it.

    `record` is how the record of a run says it: a format, or for choices one text each in `choices`
    as (value, title, record).
    """

    name: str
    title: str
    help: str
    form: Form
    record: str = "{}"
    choices: tuple[tuple[str, str, str], ...] = ()
    low: float = 0
    high: float | None = None
    step: float = 1
    digits: int = 3
    part: Part = "drawer"
    prepares: bool = False  # a setting of the preparation, not of the estimator

    def values(self) -> list[str]:
        return [value for value, *_ in self.choices]

    def titled(self, value: Scalar) -> str:
        """A value as the form shows it."""
        return next((t for v, t, _ in self.choices if v == value), str(value))

    def said(self, value: Scalar) -> str:
        """A value as the record of a run says it."""
        if self.form == "choice":
            return next((r for v, _, r in self.choices if v == value), f"{self.name} {value}")
        return self.record.format(value)


def _expert(value: str, title: str) -> tuple[str, str, str]:
    return value, title, f"risk models: {title}"


_ALPHA = "Outcome separation (α)"
COMMON: dict[str, Setting] = {
    s.name: s
    for s in (
        Setting(
            "alpha",
            _ALPHA,
            "How much the outcome shapes the embedding: it multiplies the paper's term as it "
            "stands (the paper uses 5). At 0 the term is gone; far above 1, patients of one "
            "outcome are drawn together whatever else they have in common.",
            "number",
            "outcome separation (α) {:.3g}",
            high=1000,
            part="weight",
        ),
        Setting(
            "beta",
            "Subtype tightness (β)",
            "How tightly patients are drawn to the centre of their subtype: it multiplies the "
            "paper's term as it stands (the paper uses 20, before an unsquared norm). At 0 "
            "subtypes are only read off the embedding; far above, patients of a subtype become "
            "hard to tell apart.",
            "number",
            "subtype tightness (β) {:.3g}",
            high=1000,
            step=5,
            part="weight",
        ),
        Setting("tune_alpha", "Tune α", "Choose α by cross-validation.", "flag", "α tuned"),
        Setting(
            "expert",
            "Risk model of each subtype",
            "The kind of risk model that each subtype gets.",
            "choice",
            choices=(
                _expert("lr", "Logistic regression"),
                _expert("svm", "Linear SVM"),
                _expert("xgb", "XGBoost (10 trees)"),
                _expert("lda", "Linear discriminant"),
                _expert("perceptron", "Perceptron"),
                _expert("rf", "Random forest (10 trees)"),
                _expert("knn", "5 nearest neighbours"),
                _expert("sgd", "Logistic regression by SGD"),
                _expert("ridge", "Ridge classifier"),
            ),
        ),
        Setting(
            "routing",
            "Routing",
            "Hard is the paper: a patient's risk comes from the nearest subtype alone. Soft mixes "
            "the subtypes' risk models for patients who lie between them.",
            "choice",
            choices=(("soft", "Soft", "soft routing"), ("hard", "Hard", "hard routing")),
        ),
        Setting(
            "separation",
            "Separation",
            "Paper: distance between the mean patients of each outcome. Balanced: cannot collapse "
            "for α up to 1.",
            "choice",
            choices=(
                ("paper", "As in the paper", "separation as in the paper"),
                ("balanced", "Balanced", "balanced separation"),
            ),
        ),
        Setting(
            "refit",
            "Risk models learn from",
            "Whose data trains a risk model: the subtype's members, or all who are routed to it.",
            "choice",
            choices=(
                ("members", "The subtype's members", "risk models learn from members"),
                (
                    "nearest",
                    "All who are routed to it",
                    "risk models learn from all routed to them",
                ),
            ),
        ),
        Setting(
            "choose",
            "Round to keep",
            "Keep the last round, or the one that scores best on validation patients.",
            "choice",
            choices=(
                ("last", "The last", "the last round is kept"),
                ("validation", "The best on validation patients", "the best round is kept"),
            ),
        ),
        Setting(
            "min_class_size",
            "Fewest patients of an outcome",
            "Smallest number of patients of an outcome that a subtype must keep.",
            "whole",
            "fewest patients of an outcome: {}",
            low=1,
            high=500,
        ),
        Setting("n_init", "Starts", "k-means starts.", "whole", "{} starts", low=1, high=100),
        Setting(
            "max_iter", "Rounds", "Most rounds.", "whole", "at most {} rounds", low=1, high=1000
        ),
        Setting(
            "scaling",
            "Scaling",
            "Standard: mean 0, spread 1, clipped at 5. Rank: by order, robust to outliers.",
            "choice",
            choices=(
                ("standard", "Standard", "standard scaling"),
                ("rank", "By rank", "scaled by rank"),
            ),
            prepares=True,
        ),
        Setting(
            "hidden",
            "Width of the layers",
            "Width of the outer layers of the autoencoder; the paper uses 64.",
            "whole",
            "layers {} wide",
            low=1,
            high=2048,
            step=8,
        ),
        Setting(
            "embedding",
            "Size of the embedding",
            "Numbers that describe a patient in the embedding; the paper uses 32.",
            "whole",
            "embedding of {} numbers",
            low=1,
            high=512,
            step=2,
        ),
        Setting(
            "expert_hidden",
            "Width of the risk models",
            "Width of the layer in each risk model; the paper uses 30.",
            "whole",
            "risk models' layers {} wide",
            low=1,
            high=512,
            step=2,
        ),
        Setting(
            "pretrain_epochs",
            "Epochs before subtypes form",
            "Passes over the patients while the description of patients is learned.",
            "whole",
            "{} epochs before subtypes form",
            high=2000,
            step=5,
        ),
        Setting(
            "epochs",
            "Epochs",
            "Passes over the patients while subtypes form.",
            "whole",
            "{} epochs",
            low=1,
            high=20_000,
            step=5,
        ),
        Setting(
            "batch_size",
            "Batch size",
            "Patients in one training step.",
            "whole",
            "batches of {}",
            low=1,
            high=4096,
            step=32,
        ),
        Setting(
            "margin",
            "Margin",
            "By how much the embedding must prefer a patient's own outcome; the paper uses 0.4.",
            "number",
            "margin {:g}",
            high=2,
            step=0.05,
        ),
        Setting(
            "scale",
            "Scale",
            "How sharply that preference is judged; the paper uses 30.",
            "number",
            "scale {:g}",
            low=0.1,
            high=200,
        ),
        Setting(
            "learning_rate",
            "Learning rate",
            "Size of a training step.",
            "number",
            "learning rate {:g}",
            low=0.00001,
            high=1,
            step=0.0005,
            digits=4,
        ),
    )
}
CAC_ALPHA = Setting(
    "alpha",
    _ALPHA,
    "How much the outcome shapes the groups. At 0 it has no say (k-means). Above the critical "
    "value the groups can collapse onto the outcome and say nothing about patients.",
    "number",
    "outcome separation (α) {:.3g}",
    high=1,
    step=0.001,
    part="weight",
)
DISTANCE_BETA = Setting(
    "beta",
    "Subtype tightness (β)",
    "How tightly patients are drawn to the centre of their subtype, on this method's own scale.",
    "number",
    "subtype tightness (β) {:.3g}",
    high=1000,
    part="weight",
)
EXPERT_NAMES = tuple(COMMON["expert"].values())
