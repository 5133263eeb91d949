"""What a run has to say for itself, in words: collapse, small subtypes, the price of routing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cacviz.engine.types import ClusterSummary, Control, Scored

FEW_EVENTS = 10  # patients of a class below which a subtype's own risk model is not to be trusted
SMALL_SHARE = 0.05
COLLAPSED = 5


def subtype_name(cluster: int) -> str:
    """What a cluster is called on screen; the only place that counts from 1."""
    return f"Subtype {cluster + 1}"


def run_notes(
    clusters: Sequence[ClusterSummary],
    classes: Sequence[str],
    *,
    alpha: float | None = None,
    critical: float | None = None,
    routing_agreement: float | None = None,
    said: Sequence[str] = (),
) -> tuple[str, ...]:
    """Everything a reader must know before believing the subtypes, gravest first."""
    return (
        *alpha_notes(clusters, alpha, critical),
        *([] if is_collapsed(clusters) and alpha is not None else _size_notes(clusters, classes)),
        *_routing_notes(routing_agreement),
        *said,
    )


def is_collapsed(clusters: Sequence[ClusterSummary]) -> bool:
    """Whether a subtype has next to nobody of some class that is found elsewhere."""
    return len(clusters) > 1 and min(min(c.class_counts) for c in clusters) < COLLAPSED


def alpha_notes(
    clusters: Sequence[ClusterSummary], alpha: float | None, critical: float | None
) -> Iterator[str]:
    """Whether the separation weight is beyond its critical value, and what came of it."""
    if alpha is None or critical is None or len(clusters) < 2:
        return
    beyond = alpha > critical
    if beyond and is_collapsed(clusters):
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
    elif is_collapsed(clusters):
        yield (
            f"A subtype has fewer than {COLLAPSED} training patients of one outcome: too few for "
            f"its own risk model. Lower α (now {alpha:.3g}) or use fewer subtypes."
        )


def _size_notes(clusters: Sequence[ClusterSummary], classes: Sequence[str]) -> Iterator[str]:
    total = sum(c.n for c in clusters)
    for c in clusters:
        name, least = subtype_name(c.cluster), min(c.class_counts)
        rarest = classes[c.class_counts.index(least)]
        if c.n == 0:
            yield f"{name} is empty. Use fewer subtypes."
        elif least == 0 and sum(n > 0 for n in c.class_counts) == 1:
            yield f"{name} has one outcome only; its risk is a constant, not a model."
        elif least < FEW_EVENTS:
            yield (
                f"{name} has {least} training patients with outcome “{rarest}”: too few for its "
                "own risk model. Use fewer subtypes or a lower α."
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


def verdict(controls: Sequence[Control]) -> str:
    """Whether clustering helps prediction here, against every control on the same patients."""
    if not controls:
        return ""
    better = [c.title.lower() for c in controls if c.difference.low > 0]
    worse = [c.title.lower() for c in controls if c.difference.high < 0]
    level = [c.title.lower() for c in controls if c.difference.low <= 0 <= c.difference.high]
    parts = []
    if better:
        parts.append(f"better than {listed(better)}")
    if level:
        parts.append(f"no clear difference to {listed(level)}")
    if worse:
        parts.append(f"worse than {listed(worse)}")
    plain = [c for c in controls if c.name != "kmeans"]  # k-means has subtypes of its own
    helps = any(c.difference.low > 0 for c in plain) and all(c.difference.high > 0 for c in plain)
    tail = " Clustering does not help prediction here; the subtypes may still describe patients."
    tail = "" if helps else tail
    return f"On held-out patients these subtypes predict the outcome: {'; '.join(parts)}.{tail}"


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them: a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def interval_text(scored: Scored, digits: int = 3) -> str:
    """A value with its 95 % interval, as in a paper."""
    return f"{scored.value:.{digits}f} ({scored.low:.{digits}f} to {scored.high:.{digits}f})"
