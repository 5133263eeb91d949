"""The page Method in sentences: what each picture shows, from the numbers that it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cacviz.wording.words import counted

WAYS = {
    "one": "One model for all",
    "kmeans": "k-means, a model a subtype",
    "cac": "CAC, a model a subtype",
}
ENOUGH = 0.01  # of AUC: less than this is no difference that 2,000 new patients can show

HEADINGS = {
    "alpha": "1. What α does",
    "apart": "2. When a model of its own pays for each subtype",
    "margin": "3. How DeepCAC pushes outcomes apart",
    "border": "4. A patient at the border of two subtypes",
    "stages": "5. DeepCAC in three stages",
    "held_out": "6. Why some patients are kept apart",
}
ONE_SENTENCE = {
    "alpha": "CAC starts from k-means and moves one patient at a time: each move must lower the cost, which is how scattered subtypes are **minus α times the gap between patients with and without the event inside each subtype**.",
    "apart": "Subtypes pay where they can be told apart *and* their risk factors differ; where all share one risk, splitting only leaves fewer patients to learn from.",
    "margin": "A network learns in small batches, in which no subtype's gap can be measured, so DeepCAC turns each patient's description into a direction and asks that it lies nearer to its own outcome's direction than to the other's, by a margin m.",
    "border": "The paper sends a patient to one subtype (hard); near a border two almost equal patients can then get quite different risks. So cacviz mixes the subtypes' risks unless you choose otherwise (soft): the nearer a subtype's centre, the more its risk counts.",
    "stages": "First a network learns to describe patients in 32 numbers; then it pulls subtypes together and outcomes apart; then each subtype gets its risk model.",
    "held_out": "A risk model always looks better on the patients it learned from, and more subtypes look better still, so only patients from whom nothing was learned may judge.",
}


def alpha_words(times: float, alpha: float, critical: float) -> str:
    """Where α stands: 0, below its critical value, or beyond."""
    if times == 0:
        return "α = 0: outcomes do not count; these are the subtypes of k-means, give or take a few patients at their borders."
    where = f"α = {alpha:.3f}, {times:g} × its critical value ({critical:.3f})"
    if times < 1:
        return f"{where}: outcomes count a little; subtypes stay groups of similar patients."
    return f"{where}: the gap now counts for more than likeness. A subtype gains by sending away nearly all patients of one outcome, however alike they are; the further beyond, the surer it does."


def round_words(number: int, moves: Sequence[int], costs: Sequence[float]) -> str:
    """What happened in a round."""
    last = len(moves) - 1
    if number == 0:
        return f"Start: the subtypes of k-means, cost {costs[0]:,.0f}. Move on to see what CAC changes; it ends after {counted(last, 'round')}."
    if moves[number] == 0:
        return f"Round {number}: nobody moves any more, so CAC ends. {_fell(costs)}"
    fell = costs[number - 1] - costs[number]
    return f"Round {number} of {last}: {counted(moves[number], 'move')}, the cost falls by {fell:,.1f} to {costs[number]:,.0f}."


def _fell(costs: Sequence[float]) -> str:
    if costs[0] - costs[-1] < 0.05:
        return f"The cost stayed at {costs[0]:,.0f}."
    return f"The cost fell from {costs[0]:,.1f} to {costs[-1]:,.1f}."


def ending_words(counts: Sequence[Sequence[int]], moved: int, n: int) -> str:
    """What the subtypes are in the end: k-means give or take, other groups, or the outcome."""
    fewest = min(min(row) for row in counts)
    each = "; ".join(f"{row[1]} with and {row[0]} without" for row in counts)
    if fewest < 5:
        return f"Collapsed: patients with and without the event by subtype: {each}. A subtype with {fewest} of one outcome has nothing to learn a risk from, and a new patient, whose outcome nobody knows, cannot be sent to it by outcome. Take α back below its critical value."
    if moved == 0:
        return f"In the end nobody has left the subtype that k-means gave: {each}."
    return f"In the end {counted(moved, 'patient')} of {n} {'is' if moved == 1 else 'are'} in another subtype than k-means gave: {each}."


def apart_words(scores: Mapping[str, float], moved: int) -> str:
    """Which of three ways predicts best for new patients, and whether CAC differs from k-means."""
    one, kmeans, cac = (scores[name] for name in ("one", "kmeans", "cac"))
    gain = max(kmeans, cac) - one
    if gain > ENOUGH:
        first = (
            f"Here subtypes pay: AUC {max(kmeans, cac):.2f} instead of {one:.2f} on new patients."
        )
    elif gain < -ENOUGH:
        first = f"Here subtypes cost: AUC {max(kmeans, cac):.2f} instead of {one:.2f} on new patients, because each model learned from fewer."
    else:
        first = f"Here subtypes make no difference: AUC {max(kmeans, cac):.2f} and {one:.2f} on new patients."
    same = f"CAC moved {counted(moved, 'patient')} away from k-means"
    if abs(cac - kmeans) <= ENOUGH:
        return f"{first} {same}, and predicts as well as k-means: k-means finds groups so far apart by itself."
    better = "better" if cac > kmeans else "worse"
    return f"{first} {same}, and predicts {better} ({cac:.2f} against {kmeans:.2f})."


def margin_words(margin: float, won: int, n: int, gap: float, before: float) -> str:
    """What the margin has done."""
    start = f"Before, the two outcomes' middles were {before:.0f}° apart; now {gap:.0f}°."
    if margin == 0:
        return f"{start} Without a margin it is enough that a patient's own outcome is the nearer direction: {won} of {n} are there."
    return f"{start} With m = {margin:.1f} a patient is told safely only beyond the grey part of the rim: {won} of {n} are, and the others go on being pushed."


def border_words(share: float, hard: float, soft: float, jump: float) -> str:
    """One patient's risk by both routings, and the jump at the border."""
    return f"This patient belongs {1 - share:.0%} to Subtype 1 and {share:.0%} to Subtype 2: hard routing says {hard:.0%}, soft routing {soft:.0%}. At the border hard routing jumps by {100 * jump:.0f} percentage points between two patients who hardly differ."


def noise_words(clusters: int, learned: float, held_out: float) -> str:
    """What a risk model of pure noise looks like."""
    many = "one model for all" if clusters == 1 else f"{clusters} subtypes with a model each"
    return f"The outcome here is a coin toss: there is nothing to find. With {many} the AUC is {learned:.2f} on the patients learned from and {held_out:.2f} on held-out patients; chance is 0.50."


PARTS_OF_A_RUN = (
    (
        "56% to learn from",
        "Filling gaps, scaling and subtypes are fitted on these patients alone, and the risk models of CAC.",
    ),
    (
        "19% to tune by",
        "No subtype is learned from them. They decide which round or epoch is kept, when training ends and how far the subtypes' risk models may differ; DeepCAC and the plain models beside every run learn their risks from them too.",
    ),
    (
        "25% held out",
        "Nothing is fitted on them. They are sent to subtypes without their outcome, and judge once, at the end: every headline number is theirs.",
    ),
)


def stage_words(phase: str, epoch: int, silhouette: float, ari: float) -> str:
    """What one sees at a moment of the trace."""
    if phase == "pretrain":
        return f"Stage 1, epoch {epoch}: the network learns to describe patients so that the description gives their values back; it knows neither outcomes nor subtypes. The separation score (silhouette) of the three subtypes that the demo was made with is {silhouette:.2f}; 1 would be far apart, 0 on top of one another."
    if phase == "cluster":
        return f"Stage 2, epoch {epoch}: patients are drawn to the centre of their subtype (β) and outcomes apart (α). Separation score of the demo's three subtypes: {silhouette:.2f}."
    return f"Stage 3: the description stays as it is, and each subtype gets its risk model. The subtypes found agree with the three that the demo was made with to {ari:.2f} (adjusted Rand index; 1 is the same, 0 is chance)."


PRECOMPUTED = "Computed beforehand on the demo cohort (DeepCAC as in the paper, hard routing, seed 0) and kept with the app: training takes a minute, so this one picture is not live. All others are computed while you look."

INTRODUCTION = "CAC (clustering-aware classification) looks for subtypes, k of them, that are alike inside *and* tell who has the event; k-means, the usual way, looks at likeness alone. DeepCAC does it with a network. Here are both in six pictures: move the sliders. Everything is computed while you look, on made-up patients, except picture 5, which says so."
CAPTIONS = {
    "alpha": "Filled: with the event; open: without. The thick line in each subtype joins the middles of the two: its length is the gap that α rewards.",
    "apart": "Shade: predicted risk, teal low, plum high. Red diamonds: patients with the event. ×: the centre of a subtype. CAC has half its critical α. Learned from these 150 patients, judged by 2,000 new ones.",
    "margin": "Inner ring: where patients pointed at first. Rim: where they settle between the margin and a description that still gives their values back. Arrows: the directions that stand for the two outcomes.",
}
HELP = {
    "alpha": "1 is the critical value: the smallest π(1 − π) of the k-means subtypes, π being the share of patients with the event.",
    "inner": "How far patients with and without the event lie apart inside a subtype, in standard deviations.",
    "outer": "How far the two groups of patients lie apart, in standard deviations.",
    "turned": "The same: high values mean risk in both groups. Opposite: they mean risk in one group and safety in the other.",
}
DIAL_TITLE = "Risk factors in the second subtype: 0 as in the first, 1 opposite"
