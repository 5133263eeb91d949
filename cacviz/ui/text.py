"""Every word on screen that more than one page says, and how user text gets there."""

from __future__ import annotations

import re
import time

from cacviz.engine.types import Scored

TITLE = "cacviz"
STAYS_HERE = "Your data stays on this computer."
RESEARCH_ONLY = "For research; not a medical device."
PAGE_FAILED = (
    "Something on this page went wrong, and it is our fault. Your cohorts and runs are safe on "
    "disk. Reload the page; if it happens again, the log of the app says where."
)
NO_COHORT = "No cohort is open. Open your own data or the demo first."
NO_RUN = (
    "No subtypes yet. They appear here after *Find subtypes*, usually within a minute. "
    "You can also look at the demo."
)
NO_SUCH_RUN = "This run is not on this computer."
SYNTHETIC = "This is a synthetic cohort made by cacviz: no real patients, planted subtypes."
HELP = {
    "method": "How the subtypes are found. CAC takes seconds; deep methods take minutes.",
    "n_clusters": "How many groups of patients to look for. With 1 there are no subtypes.",
    "alpha_cac": (
        "How much the outcome shapes the groups. 0 ignores it (k-means). Above the critical value "
        "the groups can collapse onto the outcome and say nothing about patients."
    ),
    "alpha_deep": "How much the outcome shapes the embedding; the paper uses 5.",
    "beta": "How tightly patients are drawn to the centre of their subtype; the paper uses 20.",
    "routing": (
        "Hard is the paper: a patient's risk comes from the nearest subtype alone. Soft mixes the "
        "subtypes' risk models for patients who lie between them."
    ),
    "margin": "By how much the embedding must prefer a patient's own outcome; the paper uses 0.4.",
    "scale": "How sharply that preference is judged; the paper uses 30.",
    "hidden": "Width of the outer layers of the autoencoder; the paper uses 64.",
    "embedding": "Numbers that describe a patient in the embedding; the paper uses 32.",
    "epochs": "Passes over the patients while subtypes form.",
    "batch_size": "Patients in one training step.",
    "learning_rate": "Size of a training step.",
    "expert": "The kind of risk model that each subtype gets.",
    "separation": (
        "Paper: distance between the mean patients of each outcome. Balanced: cannot collapse for "
        "α up to 1."
    ),
    "refit": "Whose data trains a risk model: the subtype's members, or all who are routed to it.",
    "seed": "The same seed gives the same run.",
    "scaling": "Standard: mean 0, spread 1, clipped at 5. Rank: by order, robust to outliers.",
    "choose": "Keep the last round, or the one that scores best on validation patients.",
    "min_class_size": "Smallest number of patients of an outcome that a subtype must keep.",
}
EXPERT_TITLES = {
    "lr": "Logistic regression",
    "svm": "Linear SVM",
    "xgb": "XGBoost (10 trees)",
    "lda": "Linear discriminant",
    "perceptron": "Perceptron",
    "rf": "Random forest (10 trees)",
    "knn": "5 nearest neighbours",
    "sgd": "Logistic regression by SGD",
    "ridge": "Ridge classifier",
}
STATE_WORDS = {
    "queued": "waiting",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "stopped": "stopped",
    "interrupted": "interrupted",
}
PHASE_WORDS = {
    "starting": "Starting",
    "reading the cohort": "Reading the cohort",
    "preparing": "Preparing the patients",
    "prepare": "Preparing the patients",
    "tune": "Tuning α",
    "cluster": "Finding subtypes",
    "pretrain": "Learning to describe patients",
    "experts": "Fitting the risk models",
    "controls": "Fitting the controls",
    "describe": "Describing the result",
    "saving": "Saving",
    "comparing": "Comparing",
}
METRIC_TITLES = {
    "auprc_macro": "AUPRC (mean over classes)",
    "auprc_positive": "AUPRC (outcome)",
    "auc": "AUC",
    "f1_macro": "F1 (mean over classes)",
    "f1_positive": "F1 (outcome)",
}


def plain(text: object) -> str:
    """User text for Markdown: all ASCII punctuation escaped, so that nothing is fetched or run."""
    words = " ".join(str(text).split())
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", words)


def share(scored: Scored) -> str:
    """A share in per cent with its interval."""
    if scored.value != scored.value:
        return "no held-out patients"
    return f"{scored.value:.1%} ({scored.low:.1%} to {scored.high:.1%})"


def ratio(counts: tuple[int, ...]) -> str:
    """Class ratio in the paper's form: 6.25 : 2.07 : 1, the smallest class as 1."""
    smallest = min((n for n in counts if n), default=0)
    if smallest == 0:
        return "empty"
    return " : ".join(f"{n / smallest:.2f}".rstrip("0").rstrip(".") for n in counts)


def ago(seconds_since_1970: float) -> str:
    """How long ago, in words."""
    gone = max(0.0, time.time() - seconds_since_1970)
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if gone >= size:
            n = int(gone // size)
            return f"{n} {word}{'s' if n > 1 else ''} ago"
    return "just now"


def seconds_words(seconds: float) -> str:
    """A duration in words."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"
