"""The paper's theorems for the run at hand, in sentences."""

from __future__ import annotations

from cacviz.engine.insights.types import SubtypeTheory, Theorems
from cacviz.engine.scoring.bounds import Generalisation
from cacviz.wording.words import counted, listed, subtype_name, verb

INTRODUCTION = "The paper proves three bounds. Here they are for the open run, with the true value beside each; losses are means over patients, in nats: 0 is certainty and right, and giving everybody the rate is the mark to beat."
HEADINGS = {
    "log_loss": "Theorem 2: the log loss lies between two bounds that fall as outcomes lie further apart",
    "margin": "Theorem 3: the same for DeepCAC's margin loss",
    "general": "Theorem 1: what new patients cannot exceed",
}
LOG_LOSS = "Log loss, nats a patient"
MARGIN = "Margin loss (AM-softmax), nats a patient"
NO_RUN = "Open a run to see the theorems at work on it: each subtype's bounds, and the true values between them."
NO_MARGIN = "Theorem 3 is about DeepCAC's margin loss; this run's method has none."
NOT_TWO = "Theorem 1 is computed for outcomes of two classes; this run has more."


def log_loss_words(found: Theorems) -> list[str]:
    """Whether the bounds hold, whether they say something, and what they say."""
    rows = found.subtypes
    kept = sum(s.log_loss.lower <= s.log_loss.loss <= s.log_loss.upper for s in rows)
    words = [
        f"The true loss on training patients lies between the bounds in {kept} of {counted(len(rows), 'subtype')}."
    ]
    below = [subtype_name(s.cluster) for s in rows if s.log_loss.lower <= 0]
    if below:
        words.append(
            f"The lower bound of {listed(below)} is 0 or less and says nothing: a loss is never below 0. Jensen's bound, on which the paper's rests, does better: {listed([f'{s.log_loss.tight:.2f}' for s in rows if s.log_loss.lower <= 0])}."
        )
    void = [subtype_name(s.cluster) for s in rows if s.log_loss.upper >= s.trivial]
    if void:
        words.append(
            f"The upper bound of {listed(void)} is no better than giving everybody the rate: one patient with extreme odds is enough to widen it."
        )
    worst = max(rows, key=lambda s: s.held_out - s.log_loss.loss)
    if worst.held_out - worst.log_loss.loss > 0.02:
        words.append(
            f"The theorem is about training patients only. On held-out patients {subtype_name(worst.cluster)} loses {worst.held_out:.2f} instead of {worst.log_loss.loss:.2f}{_beyond(worst)}."
        )
    return words


def _beyond(subtype: SubtypeTheory) -> str:
    if subtype.held_out > subtype.trivial:
        return ", more than giving everybody the rate would"
    return ", outside its bounds" if subtype.held_out > subtype.log_loss.upper else ""


def margin_words(found: Theorems) -> list[str]:
    """Whether the bounds as printed hold here, and ours."""
    rows = [s for s in found.subtypes if s.margin is not None]
    margins = [s.margin for s in rows if s.margin is not None]
    words = [
        "The bars are our bounds, which always hold: a tangent below, a chord above (docs/methods.md, The theorems)."
    ]
    broken = [
        s.cluster
        for s in rows
        if s.margin and not s.margin.paper_lower <= s.margin.loss <= s.margin.paper_upper
    ]
    beyond = sum(m.beyond for m in margins)
    if broken:
        words.append(
            f"The paper's own upper bound is broken in {listed([subtype_name(j) for j in broken])}: its proof takes it that nobody is won by more than the margin, and here {counted(beyond, 'patient')} {verb(beyond, 'is', 'are')}."
        )
    elif beyond:
        words.append(
            f"The paper's own bounds hold here, though its proof does not: it takes it that nobody is won by more than the margin, and {counted(beyond, 'patient')} {verb(beyond, 'is', 'are')}."
        )
    weak = sum(m.paper_lower <= 0 for m in margins)
    if weak:
        words.append(
            f"Its lower bound has lost a factor of one half and is 0 or less, so void, in {weak} of {counted(len(rows), 'subtype')}."
        )
    return words


def general_words(found: Theorems) -> list[str]:
    """What theorem 1 says of k and of small subtypes for this run."""
    rows = [s for s in found.subtypes if s.general is not None]
    assert found.one is not None
    words = [whose_words(found)]
    void = [s for s in rows if s.general and s.general.void]
    if len(void) == len(rows):
        words.append(
            "It is void in every subtype: it promises no more than giving everybody the rate. That is usual for such bounds; what they are good for is how they grow."
        )
    elif void:
        words.append(f"It is void in {listed([subtype_name(s.cluster) for s in void])}.")
    least = min(rows, key=lambda s: s.n)
    assert least.general is not None
    words.append(
        f"{subtype_name(least.cluster)} is the smallest, with {counted(least.n, 'training patient')}: {_needed(least.general)}."
    )
    return [*words, *_of_k(found)]


def _of_k(found: Theorems) -> list[str]:
    """One model for all against the subtypes, both by the theorem and in truth."""
    rows = [s.general for s in found.subtypes if s.general is not None]
    if found.n_clusters < 2 or found.one is None or not rows:
        return []
    total = sum(g.n for g in rows)
    loss = sum(g.n * g.loss for g in rows) / total
    spare = sum(g.n * (g.bound - g.loss) for g in rows) / total
    before = found.one.bound - found.one.loss
    gain = found.one.loss - loss
    return [
        f"About k = {found.n_clusters}: splitting lowers the training loss by {gain:.3f} (from {found.one.loss:.3f} to {loss:.3f}), and raises what the theorem adds from {before:.1f} to {spare:.1f}, because each model learns from fewer patients. The theorem therefore cannot show that subtypes help here; held-out patients can, and the verdict of the run is theirs."
    ]


def whose_words(found: Theorems) -> str:
    """Whose models theorem 1 speaks of."""
    if found.own_experts:
        return "The models are the run's own logistic regressions."
    return "This run's risk models are not linear, so the theorem is computed for a logistic regression fitted in each subtype in their place."


def _needed(found: Generalisation) -> str:
    if found.needed == float("inf"):
        return "its model does no better than the rate even on training patients, so no number of patients would make the bound say more"
    if found.needed <= found.n:
        return f"its bound is {found.bound:.2f}, below the {found.trivial:.2f} of giving everybody the rate"
    return f"its bound is {found.bound:.1f} where giving everybody the rate loses {found.trivial:.2f}; with about {_rounded(found.needed):,} patients it would begin to say something"


def _rounded(n: float) -> int:
    """Two digits that count."""
    return int(float(f"{n:.1e}"))


CAUTION = "Two things the proof of theorem 1 asks for are not so here: subtypes should be fixed before the patients are seen, and CAC and DeepCAC form them with the outcomes of the same patients; and its last term should have ln(2k/δ), not ln(k/δ). We use the latter corrected, with δ = 0.05."
