"""Levels of one column that differ in capitals or blanks alone: m and M, yes and Yes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from cacviz.engine.cohorts.choosing import with_levels
from cacviz.engine.types import Check, Choices, Cohort, Note, Remedy

MOST = 200  # different levels; more are names or free text


def spelling_findings(cohort: Cohort) -> Iterator[Check]:
    """Columns with such levels, told together: most are slips, but genotypes AA and Aa are not."""
    found = {name: _variants(cohort.frame[name]) for name in _words(cohort)}
    names = tuple(name for name, variants in found.items() if variants)
    if names:
        examples = [*next(iter(found[names[0]].items()))]
        remedies = (Remedy(names, spelling=True), Remedy(keep=True))
        yield Check(Note("spelling", values={"examples": examples}), names, remedies)


def _words(cohort: Cohort) -> list[str]:
    """A yes is a yes in any spelling, but classes of the outcome are told apart by theirs."""
    names = cohort.names("feature", "sensitive", "external check", "treatment")
    words = [name for name in names if cohort.column(name).kind == "category"]
    return [*words, *cohort.names("outcome")]


def _variants(values: pd.Series) -> dict[str, str]:
    """Each rarer spelling with the commonest one."""
    if pd.api.types.is_numeric_dtype(values):
        return {}
    counts = values.value_counts()
    if len(counts) > MOST:
        return {}
    first: dict[str, str] = {}
    variants = {}
    for word in map(str, counts.index):  # the commonest first
        usual = first.setdefault(" ".join(word.casefold().split()), word)
        if usual != word:
            variants[word] = usual
    return variants


def same_spelling(cohort: Cohort, columns: Sequence[str]) -> Choices:
    """The choices with such levels taken as one."""
    known = {c.name: dict(c.levels) for c in cohort.choices.columns}
    found = {name: _variants(cohort.frame[name]) for name in columns}
    levels = {name: _renamed(known[name], variants) for name, variants in found.items()}
    changed = with_levels(cohort.choices, levels)
    outcome = changed.outcome
    if outcome is None:
        return changed
    positive = found.get(outcome.column, {}).get(outcome.positive, outcome.positive)
    return replace(changed, outcome=replace(outcome, positive=positive))


def _renamed(levels: Mapping[str, str], variants: Mapping[str, str]) -> dict[str, str]:
    """Names of codes as they stand, each in its commonest spelling."""
    return {code: variants.get(name, name) for code, name in levels.items()} | dict(variants)
