"""The settings of a run in words: those that its method uses."""

from __future__ import annotations

from collections.abc import Mapping

from cacviz.engine.methods import METHODS
from cacviz.engine.types import RunConfig
from cacviz.ui.sidebar import short_title
from cacviz.ui.text import EXPERT_TITLES

# a sentence part a setting; of choices, one a choice
WORDS: dict[str, str | Mapping[str, str]] = {
    "beta": "subtype tightness (β) {:g}",
    "expert": {name: f"risk models: {title}" for name, title in EXPERT_TITLES.items()},
    "separation": {"paper": "separation as in the paper", "balanced": "balanced separation"},
    "refit": {
        "members": "risk models learn from the subtype's members",
        "nearest": "risk models learn from all who are routed to them",
    },
    "choose": {
        "last": "the last round is kept",
        "validation": "the round that is best for validation patients is kept",
    },
    "min_class_size": "fewest patients of an outcome: {}",
    "n_init": "{} starts",
    "max_iter": "at most {} rounds",
    "scaling": "{} scaling",
    "routing": "{} routing",
    "margin": "margin {:g}",
    "scale": "scale {:g}",
    "hidden": "layers {} wide",
    "embedding": "embedding of {} numbers",
    "expert_hidden": "risk models' layers {} wide",
    "pretrain_epochs": "{} epochs before subtypes form",
    "epochs": "{} epochs",
    "batch_size": "batches of {}",
    "learning_rate": "learning rate {:g}",
}


def settings_words(config: RunConfig, alpha: float | None) -> str:
    """What was asked for; `alpha` is the one that was used, where that is known."""
    method = METHODS.get(config.method)
    takes = method.takes if method else ()
    parts = [short_title(config.method), f"k = {config.n_clusters}"]
    if "alpha" in takes:
        parts += _alpha_words(config, alpha)
    used = [*takes, *(["scaling"] if method and not method.gaps else [])]
    for name, words in WORDS.items():
        value = getattr(config, name)
        if name in used and value is not None:
            parts.append(words.format(value) if isinstance(words, str) else words[value])
    return ", ".join([*parts, f"seed {config.seed}"])


def _alpha_words(config: RunConfig, alpha: float | None) -> list[str]:
    how = ""
    if config.tune_alpha:
        how = " (tuned by cross-validation)"
    elif config.alpha is None and config.method == "cac":
        how = " (half its critical value)"
    value = config.alpha if alpha is None else alpha
    told = "" if value is None else f" {value:.3g}"
    return [f"outcome separation (α){told}{how}"] if told or how else []
