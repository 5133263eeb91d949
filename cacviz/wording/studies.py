"""Comparisons in words: entries, means, and what is compared with what."""

from __future__ import annotations

from cacviz.engine.running.studies import CONTROLS
from cacviz.engine.running.study_statistics import Entry
from cacviz.engine.scoring.resampling import Mean
from cacviz.engine.types import Standing
from cacviz.wording.methods import method_title
from cacviz.wording.verdicts import is_nothing
from cacviz.wording.words import counted


def entry_title(entry: Entry) -> str:
    """What an entry is called in a table or a sentence."""
    method, k = entry
    title = method_title(method)
    return title if method in CONTROLS else f"{title} with {counted(k, 'subtype')}"


def mean_text(mean: Mean) -> str:
    """Mean ± sd, as in a paper; the mean alone of one split."""
    return f"{mean.mean:.3f}" + ("" if mean.sd != mean.sd else f" ± {mean.sd:.3f}")


def standing_words(standing: Standing) -> str:
    """How a result stands beside a control: clearly better, no clear difference, not known yet."""
    if standing.word == "not known":
        return "not known yet"
    if is_nothing(standing.difference):
        return "the same risks"
    return f"{standing.size} {standing.word}".strip()


def agreement_words(index: float, first: int, second: int) -> str:
    """How far two runs divide the patients alike, by the adjusted Rand index and their numbers of subtypes."""
    if index >= 0.8 and first != second:
        return f"The runs divide most patients alike, though into {first} and {second} subtypes."
    if index >= 0.8:
        return "Both runs find nearly the same subtypes."
    return (
        "The subtypes agree in part."
        if index >= 0.4
        else "The two runs divide the patients differently."
    )
