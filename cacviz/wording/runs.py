"""Runs in words: titles that say what differs from the run beside it, and the record of settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cacviz.engine.running.methods import METHODS
from cacviz.engine.types import Choices, RunConfig
from cacviz.wording.choices import NONE_LEFT_OUT, outcome_words, subset_words
from cacviz.wording.methods import method_title
from cacviz.wording.words import counted, some_of

ALWAYS = ("method", "k")


@dataclass(frozen=True, slots=True)
class Told:
    """What can tell a run from another, each as a few words."""

    name: str
    facts: Mapping[str, str]


def told(config: RunConfig, choices: Choices, classes: Sequence[str], name: str = "") -> Told:
    """All that can set a run apart, in the order in which it is said."""
    facts = {"method": method_title(config.method), "k": f"k = {config.n_clusters}"}
    facts["outcome"] = outcome_words(choices.outcome, classes)
    facts["subset"] = f"only {subset_words(choices.subset)}" if choices.subset else "everybody"
    facts["features"] = counted(len(choices.names("feature")), "feature")
    settings = METHODS[config.method].settings if config.method in METHODS else {}
    for key, value in config.settings:
        facts[key] = settings[key].said(value) if key in settings else f"{key} {value}"
    facts["seed"] = f"seed {config.seed}"
    facts["left out"] = (
        f"without {some_of(choices.names('left out'), 2)}"
        if (choices.names("left out"))
        else NONE_LEFT_OUT
    )
    return Told(name, facts)


def run_titles(found: Mapping[str, Told]) -> dict[str, str]:
    """A title of its own for each run, by id: what it is, and what differs from its like.

    `found` comes oldest first; the same again is numbered.
    """
    groups: dict[str, list[str]] = {}
    for key, one in found.items():
        groups.setdefault(_base(one), []).append(key)
    titles: dict[str, str] = {}
    for base, keys in groups.items():
        differing = _differing([found[key] for key in keys])
        for key in keys:
            more = [_fact(found[key], name) for name in differing]
            title = ", ".join([base, *filter(None, more)])
            same = sum(t == title or t.startswith(f"{title} (") for t in titles.values())
            titles[key] = f"{title} ({same + 1})" if same else title
    return {key: titles[key] for key in found}


def _base(one: Told) -> str:
    return one.name or ", ".join(one.facts[name] for name in ALWAYS)


def _differing(group: Sequence[Told]) -> list[str]:
    """Facts that not all of a group share; one that follows from another is not said twice."""
    names = list(dict.fromkeys(name for one in group for name in one.facts))
    found, seen = [], []
    for name in names:
        values = [one.facts.get(name, "") for one in group]
        pattern = [values.index(v) for v in values]
        if len(set(values)) > 1 and pattern not in seen:
            found.append(name)
            seen.append(pattern)
    return found


def _fact(one: Told, name: str) -> str:
    return one.facts.get(name, "")


def settings_words(config: RunConfig, alpha: float | None) -> str:
    """What was asked for; `alpha` is the one that was used, where that is known."""
    method = METHODS.get(config.method)
    taken = method.settings if method else {}
    parts = [method_title(config.method), f"k = {config.n_clusters}"]
    if "alpha" in taken:
        parts += _alpha_words(config, alpha)
    for name, setting in taken.items():
        value: Any = config.get(name)
        if value is None and method is not None:
            value = method.default(name)
        if name not in ("alpha", "tune_alpha") and value is not None:
            parts.append(setting.said(value))
    return ", ".join([*parts, f"seed {config.seed}"])


def _alpha_words(config: RunConfig, alpha: float | None) -> list[str]:
    how = ""
    if config.get("tune_alpha"):
        how = " (tuned by cross-validation)"
    elif config.get("alpha") is None and config.method == "cac":
        how = " (half its critical value)"
    value = config.get("alpha") if alpha is None else alpha
    if value is None and config.method in METHODS:
        value = METHODS[config.method].default("alpha")
    said = "" if value is None else f" {value:.3g}"
    return [f"outcome separation (α){said}{how}"] if said or how else []
