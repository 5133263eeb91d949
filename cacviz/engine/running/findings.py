"""What must be known before subtypes are believed: collapse, small ones, routing, one column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from cacviz.engine.reading.kinds import as_words
from cacviz.engine.scoring.agreement import adjusted_rand_index, crossing
from cacviz.engine.types import ClusterSummary, Cohort, Note, Severity

FEW_EVENTS = 10  # patients of a class below which a subtype's own risk model is not to be trusted
SMALL_SHARE = 0.05
REPEATS = 0.7  # of what the commonest outcome leaves open, the subtypes tell so much
LOW_AGREEMENT = 0.9
ALIKE = 0.6  # adjusted Rand index from which subtypes say little beyond a column
FEW_VALUES = 12  # of a number, that may be levels
ONE_LEVEL = 0.9  # of the patients of a subtype and those of a level: so many are both
GONE = "gone"  # in place of a level: not measured


def run_notes(
    clusters: Sequence[ClusterSummary],
    classes: Sequence[str],
    *,
    alpha: float | None = None,
    critical: float | None = None,
    routing_agreement: float | None = None,
    more: Sequence[Note] = (),
) -> tuple[Note, ...]:
    """Everything a reader must know before believing the subtypes, gravest first; once each."""
    collapsed = is_beyond(alpha, critical) and repeats_outcome(clusters)
    notes = (
        *alpha_notes(clusters, alpha, critical),
        *([] if collapsed else _size_notes(clusters, classes)),
        *_routing_notes(routing_agreement),
        *more,
    )
    return tuple(n for i, n in enumerate(notes) if not any(_same(n, m) for m in notes[:i]))


def _same(one: Note, other: Note) -> bool:
    """Whether two notes say the same of the same subtype: a model and its counts both tell it."""
    of = "cluster"
    if of in one.values or of in other.values:
        return one.code == other.code and one.values.get(of) == other.values.get(of)
    return one == other  # of suspected columns there is a note a family


def is_beyond(alpha: float | None, critical: float | None) -> bool:
    """Whether the separation weight is more than the cohort bears."""
    return alpha is not None and critical is not None and alpha > critical


def guesses(clusters: Sequence[ClusterSummary]) -> dict[str, int]:
    """How many outcomes of training patients are guessed wrongly with and without the subtype.

    And of held-out patients, who were assigned without their outcome: by the same guesses.
    """
    counts = np.array([c.class_counts for c in clusters])
    held_out = np.array([c.test_counts or [0] * counts.shape[1] for c in clusters])
    commonest, guess = counts.sum(axis=0).argmax(), counts.argmax(axis=1)
    right = held_out[np.arange(len(guess)), guess].sum()
    return {
        "n": int(counts.sum()),
        "wrong": int(counts.sum() - counts.max(axis=1).sum()),
        "without": int(counts.sum() - counts.sum(axis=0)[commonest]),
        "held_out": int(held_out.sum()),
        "held_out_wrong": int(held_out.sum() - right),
        "held_out_without": int(held_out.sum() - held_out.sum(axis=0)[commonest]),
    }


def repeats_outcome(clusters: Sequence[ClusterSummary]) -> bool:
    """Whether a patient's subtype all but tells the outcome, far beyond the commonest outcome."""
    found = guesses(clusters)
    return found["without"] > 0 and 1 - found["wrong"] / found["without"] >= REPEATS


def alpha_notes(
    clusters: Sequence[ClusterSummary], alpha: float | None, critical: float | None
) -> Iterator[Note]:
    """Whether the separation weight is beyond its critical value, and what came of it."""
    if len(clusters) < 2:
        return
    values = {"alpha": alpha, "critical": critical}
    if is_beyond(alpha, critical):
        collapsed = repeats_outcome(clusters)
        yield Note("collapsed" if collapsed else "beyond critical", "grave", values)
    elif repeats_outcome(clusters):
        yield Note("repeats the outcome", values=guesses(clusters))


def _size_notes(clusters: Sequence[ClusterSummary], classes: Sequence[str]) -> Iterator[Note]:
    total = sum(c.n for c in clusters)
    in_all = [sum(c.class_counts[i] for c in clusters) for i in range(len(classes))]
    rare = [i for i, n in enumerate(in_all) if n < FEW_EVENTS]  # no number of subtypes helps
    for i in rare if len(classes) - len(rare) > 1 else ():
        yield Note("rare class", values={"class": classes[i], "n": in_all[i]})
    told = [i for i in range(len(classes)) if i not in rare or len(classes) - len(rare) < 2]
    for c in clusters:
        counts = [c.class_counts[i] for i in told]
        least, of = min(counts), {"cluster": c.cluster, "k": len(clusters)}
        if c.n == 0:
            yield Note("empty subtype", values=of)
        elif least == 0 and sum(n > 0 for n in c.class_counts) == 1:
            yield Note("one outcome", values=of)
        elif least < FEW_EVENTS:
            rarest = classes[told[counts.index(least)]]
            yield Note("few events", values=of | {"n": least, "class": rarest})
        elif len(clusters) > 1 and c.n < SMALL_SHARE * total:
            yield Note("small subtype", values=of | {"share": c.n / total})


def _routing_notes(agreement: float | None) -> Iterator[Note]:
    if agreement is not None and agreement < LOW_AGREEMENT:
        yield Note("routing", values={"agreement": agreement})


def column_notes(cohort: Cohort, clusters: np.ndarray, rows: np.ndarray) -> list[Note]:
    """A note where one category, yes/no feature or its being measured all but makes the subtypes.

    `level` is GONE where what tells the subtypes apart is whether the column was measured.
    """
    if len(np.unique(clusters[rows])) < 2:
        return []
    found = _repeated_column(cohort, clusters, rows)
    told = {note.values["column"] for note in found}
    return found + [
        n for n in level_notes(cohort, clusters, rows) if n.values["column"] not in told
    ]


def _repeated_column(cohort: Cohort, clusters: np.ndarray, rows: np.ndarray) -> list[Note]:
    alike: dict[tuple[str, str], float] = {}
    for name in cohort.names("feature"):
        values = cohort.frame[name].iloc[rows]
        gone = values.isna().to_numpy()
        kind = cohort.column(name).kind
        if kind in ("category", "yesno") or (kind == "number" and values.nunique() <= FEW_VALUES):
            alike[name, ""] = _agreement(pd.factorize(as_words(values))[0], clusters[rows])
        if 0 < gone.mean() < 1:
            alike[name, GONE] = _agreement(gone.astype(int), clusters[rows])
    if not alike:
        return []
    # of a category with gaps, "not measured" is the reason where it alone tells as much
    best = max(alike, key=lambda key: (alike[key] + 0.02 * (key[1] == GONE), key))
    if alike[best] < ALIKE:
        return []
    same = {name for (name, _), index in alike.items() if index >= ALIKE} - {best[0]}
    values = {"column": best[0], "title": cohort.column(best[0]).title, "level": best[1]}
    values |= {"also": [cohort.column(n).title for n in cohort.names("feature") if n in same]}
    # that a value is there at all may be a fact of its own: who was ventilated, say
    severity: Severity = "warning" if best[1] == GONE else "grave"
    return [Note("repeats a column", severity, values | {"index": alike[best]})]


def level_notes(cohort: Cohort, clusters: np.ndarray, rows: np.ndarray) -> list[Note]:
    """A note for each subtype that is little more than the patients of one level of one feature."""
    inside = [(j, clusters[rows] == j) for j in np.unique(clusters[rows])]
    best: dict[int, dict[str, Any]] = {}
    for name in cohort.names("feature"):
        for level, having in _levels(cohort, name, rows):
            for j, own in inside:
                both = int((own & having).sum())
                share = both / int((own | having).sum())
                if share >= ONE_LEVEL and share > best.get(j, {}).get("share", 0):
                    found: dict[str, Any] = {"column": name, "title": cohort.column(name).title}
                    found |= {"level": level, "cluster": int(j), "share": share, "both": both}
                    best[j] = found | {"n": int(own.sum()), "having": int(having.sum())}
    return [Note("is a level", values=best[j]) for j in sorted(best)]


def _levels(cohort: Cohort, name: str, rows: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Each level of a category or yes/no column, and GONE, with who has it."""
    values = cohort.frame[name].iloc[rows]
    if (gone := values.isna().to_numpy()).any():
        yield GONE, gone
    if cohort.column(name).kind in ("category", "yesno"):
        words = as_words(values).to_numpy()
        for level in pd.unique(words[~gone]):
            yield str(level), words == level


def _agreement(codes: np.ndarray, clusters: np.ndarray) -> float:
    return adjusted_rand_index(crossing(codes + 1, clusters))  # code -1 is not known
