"""What a run has to say for itself, in words: collapse, small subtypes, the price of routing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from cacviz.engine.types import ClusterSummary, Control, Scored

FEW_EVENTS = 10  # patients of a class below which a subtype's own risk model is not to be trusted
SMALL_SHARE = 0.05
REPEATS = 0.5  # of what the commonest outcome leaves open, the subtypes tell so much
MATTERS = 0.02  # of AUPRC: a gain that would be worth having
NO_HELP = " Clustering does not help prediction here; the subtypes may still describe patients."
NOT_SHOWN = (
    " A gain from clustering is not shown here, nor ruled out; the subtypes may still describe "
    "patients."
)
GAIN_OF_METHOD = (
    " The gain comes from the method: over one subtype it is not shown. The subtypes may still "
    "describe patients."
)


def subtype_name(cluster: int) -> str:
    """What a cluster is called on screen; the only place that counts from 1."""
    return f"Subtype {cluster + 1}"


def one_outcome_note(cluster: int) -> str:
    """Of a subtype whose patients all have the same outcome."""
    name = subtype_name(cluster)
    return f"{name} has one outcome only: its own risk model has nothing to learn from."


def empty_note(cluster: int) -> str:
    """Of a subtype without patients."""
    return f"{subtype_name(cluster)} is empty. Use fewer subtypes."


def run_notes(
    clusters: Sequence[ClusterSummary],
    classes: Sequence[str],
    *,
    alpha: float | None = None,
    critical: float | None = None,
    routing_agreement: float | None = None,
    said: Sequence[str] = (),
) -> tuple[str, ...]:
    """Everything a reader must know before believing the subtypes, gravest first; once each."""
    collapsed = is_beyond(alpha, critical) and repeats_outcome(clusters)
    notes = (
        *alpha_notes(clusters, alpha, critical),
        *([] if collapsed else _size_notes(clusters, classes)),
        *_routing_notes(routing_agreement),
        *said,
    )
    return tuple(dict.fromkeys(notes))


def is_beyond(alpha: float | None, critical: float | None) -> bool:
    """Whether the separation weight is more than the cohort bears."""
    return alpha is not None and critical is not None and alpha > critical


def repeats_outcome(clusters: Sequence[ClusterSummary]) -> bool:
    """Whether a patient's subtype all but tells the outcome, far beyond the commonest outcome."""
    total = sum(c.n for c in clusters)
    known = sum(max(c.class_counts) for c in clusters)
    commonest = max(sum(counts) for counts in zip(*(c.class_counts for c in clusters), strict=True))
    return total > commonest and (known - commonest) / (total - commonest) >= REPEATS


def alpha_notes(
    clusters: Sequence[ClusterSummary], alpha: float | None, critical: float | None
) -> Iterator[str]:
    """Whether the separation weight is beyond its critical value, and what came of it."""
    if len(clusters) < 2:
        return
    beyond = is_beyond(alpha, critical)
    if beyond and repeats_outcome(clusters):
        yield (
            f"Outcome separation (α) is {alpha:.3g}, beyond its critical value {critical:.3g}, and "
            "the subtypes have collapsed: they repeat the outcome instead of describing patients. "
            "Use a lower α, or leave it empty for half the critical value."
        )
    elif beyond:
        yield (
            f"Outcome separation (α) is {alpha:.3g}, beyond its critical value {critical:.3g}. "
            "Here the cost rewards odd patients more than alike ones; a lower α is safer."
        )
    elif repeats_outcome(clusters):
        yield (
            "The subtypes all but repeat the outcome: in training patients, to know one is nearly "
            "to know the other. They sort patients by outcome more than they tell kinds apart."
        )


def _size_notes(clusters: Sequence[ClusterSummary], classes: Sequence[str]) -> Iterator[str]:
    total = sum(c.n for c in clusters)
    for c in clusters:
        name, least = subtype_name(c.cluster), min(c.class_counts)
        rarest = classes[c.class_counts.index(least)]
        if c.n == 0:
            yield empty_note(c.cluster)
        elif least == 0 and sum(n > 0 for n in c.class_counts) == 1:
            yield one_outcome_note(c.cluster)
        elif least < FEW_EVENTS:
            few = f"{least} training patient{'s' * (least != 1)}"
            yield (
                f"{name} has {few} with outcome “{rarest}”: too few for its own risk model. "
                + ("Use fewer subtypes." if len(clusters) > 1 else "Use a larger cohort.")
            )
        elif len(clusters) > 1 and c.n < SMALL_SHARE * total:
            yield f"{name} holds only {c.n / total:.1%} of the training patients."


def _routing_notes(agreement: float | None) -> Iterator[str]:
    if agreement is not None and agreement < 0.9:
        yield (
            f"Only {agreement:.0%} of training patients are nearest to their own subtype's centre, "
            "so new patients, who come without an outcome, are often sent to another subtype than "
            "patients like them were in. Expect the subtypes to fit new patients less well."
        )


def verdict(
    controls: Sequence[Control], clusters: Sequence[ClusterSummary], classes: Sequence[str]
) -> str:
    """Whether clustering helps prediction here, against every control on the same patients."""
    few = _too_few(clusters, classes)
    known = [c for c in controls if not math.isnan(c.difference.value)]
    if few or not known:
        return few
    what = "these subtypes predict" if len(clusters) > 1 else "this model predicts"
    words = f"On held-out patients {what} the outcome: {'; '.join(_standing(known))}."
    return words + (_tail(known) if len(clusters) > 1 else "")


def _too_few(clusters: Sequence[ClusterSummary], classes: Sequence[str]) -> str:
    held_out = [sum(counts) for counts in zip(*(c.test_counts for c in clusters), strict=True)]
    least = min(held_out)
    if least >= FEW_EVENTS:
        return ""
    have = "patient has" if least == 1 else "patients have"
    return (
        f"Only {least} held-out {have} the outcome “{classes[held_out.index(least)]}”: too few to "
        "tell whether the subtypes predict better or worse than plain models. The scores below "
        "may be far off."
    )


def _standing(controls: Sequence[Control]) -> Iterator[str]:
    for words, told in (
        ("better than", lambda d: d.low > 0),
        ("no clear difference to", lambda d: d.low <= 0 <= d.high),
        ("worse than", lambda d: d.high < 0),
    ):
        titles = [c.title[0].lower() + c.title[1:] for c in controls if told(c.difference)]
        if titles:
            yield f"{words} {listed(titles)}"


def _tail(controls: Sequence[Control]) -> str:
    plain = [c for c in controls if c.name != "kmeans"]  # k-means has subtypes of its own
    better = [c for c in plain if c.difference.low > 0]
    if better and all(c.difference.high > 0 for c in plain):
        own = [c for c in plain if "(k = 1)" in c.title]
        return "" if all(c in better for c in own) else GAIN_OF_METHOD
    return NO_HELP if any(c.difference.high < MATTERS for c in plain) else NOT_SHOWN


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them: a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def interval_text(scored: Scored, digits: int = 3) -> str:
    """A value with its 95 % interval, as in a paper; 0 has no sign."""
    value, low, high = (f"{v:z.{digits}f}" for v in (scored.value, scored.low, scored.high))
    return f"{value} ({low} to {high})"
