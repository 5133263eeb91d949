"""Risk factors in words: what the explainers are, how far they follow, what counts as a factor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from cacviz.engine.insights.judged.types import Performance
from cacviz.engine.insights.types import Beeswarm, Effect, Mark, Student, View
from cacviz.engine.types import Cohort, Note
from cacviz.wording.factor_tables import CLEAR_WAY
from cacviz.wording.words import interval_text, listed, subtype_name, verb

CHANCE = 0.5  # of the area under the ROC curve
EXPLAINS = 0.7  # as `insights.explainers.students` has it; a test holds the two together
PLAIN_YES = ("yes", "1", "true", "y", "present", "positive")
LEAD = (
    "For each subtype a simplified explainer (gradient boosting) was fitted to the risks that the run gives its "
    "patients. It is another model: how well it follows is told first."
)
BARS = (
    "Bars: share of the explainer's gain, with the way in which the factor moves the risk. A column counts as a factor "
    "only if it tells more of the outcome than copies of itself whose values were shuffled among patients."
)
NOT_EXPLAINED = (
    "No subtype has a risk model that could be explained. Use fewer subtypes or a larger cohort, so that each has patients "
    "enough to learn from."
)
SHARED_RISK = (
    "In this run all subtypes share one risk model. What differs below is which of its factors matter among the patients of "
    "a subtype, not how they act: unique does not mean a mechanism of its own."
)
NO_FACTOR = (
    "No column tells more of the outcome here than shuffled copies of itself: with so few events, or so little to learn, "
    "no factor can be told from chance."
)
UNTESTED = (
    "Too few patients with the outcome, or without it, to test here whether a column tells more than chance, so none is "
    "called a risk factor."
)
NOISE = (
    "The explainer uses these columns, but shuffled copies of them tell as much of the outcome: they may be noise, or too "
    "weak to be seen among so few patients. Columns that it does not use are not listed."
)
NOT_TRIED = (
    "The explainer uses these columns. Whether they tell more of the outcome than shuffled copies of themselves was not "
    "tested: there are too few patients with the outcome, or without it."
)
GONE_END = " not measured"  # of the title of a factor that is a gap
SUSPICION = (
    "That something has no value is no cause: the test was not ordered, the thing did not happen (no ventilation, say), or it stands in "
    "another record. It may not hold elsewhere."
)
NO_MARK = "no mark: next to no weight in its subtype, or not tested in another"
UNIQUE = "Unique: found in one subtype alone. That is no proof that it acts differently there."
ONE_FEATURE = (
    "What the simplified explainer says, on average, of the subtype's held-out patients (of 200 of them, where there are more) if "
    "all had this value and kept all others. Subtypes in which the feature is no factor are not drawn."
)


class Told(NamedTuple):
    """A sentence and its tone."""

    tone: Literal["good", "poor", "none"]
    text: str


def shared_risk(notes: Sequence[Note]) -> str:
    """That the subtypes have no risk models of their own, where that is so; or empty."""
    return SHARED_RISK if any(note.code == "shared risk" for note in notes) else ""


SIGNS = ("≤", "<", ">", "≥")  # of a class that was cut: > 13 needs no other sign


def risk_of(cohort: Cohort, code: int) -> str:
    """What the risk is a risk of: the outcome, and the class unless that is a plain yes."""
    assert cohort.outcome is not None  # a run has one
    title, name = cohort.column(cohort.outcome.column).title, cohort.classes[code]
    if name.lower() in PLAIN_YES:
        return title
    return f"{title} {name}" if name[:1] in SIGNS else f"{title} = {name}"


def fidelity_sentence(view: View) -> Told:
    """How far the explainers follow, over all subtypes."""
    known = [s for s in view.students if s.state in ("explains", "hints")]
    if not known:
        return Told("none", NOT_EXPLAINED)
    good = [s for s in known if s.explains]
    figures = f"mean R² {view.mean_r2:.2f}; {EXPLAINS:g} or more is close"
    if len(good) == len(known):
        who = "all explainers follow the risks"
        if len(known) < len(view.students):
            number = "one explainer" if len(known) == 1 else f"{len(known)} explainers"
            who = f"the {number} that could be fitted {verb(len(known), 'follows', 'follow')} the risks"
        tone: Literal["good", "none"] = "good" if len(known) == len(view.students) else "none"
        return Told(tone, f"On held-out patients {who} closely ({figures}).")
    if good:
        return Told(
            "poor",
            f"On held-out patients {len(good)} of {len(known)} explainers {verb(len(good), 'follows', 'follow')} the risks closely ({figures}). "
            "Read the factors of the others as hints.",
        )
    return Told(
        "poor",
        f"On held-out patients no explainer follows the risks closely ({figures}): read all factors as hints.",
    )


def no_factor(student: Student) -> str:
    """Why a subtype that was explained has no risk factor."""
    return UNTESTED if student.untested else NO_FACTOR


def unproven(student: Student, most: int) -> tuple[str, str]:
    """A title and a sentence for the columns that an explainer uses and that are no factors."""
    title = "Not tested" if student.untested else "Not told from chance"
    number = f"{'the strongest ' if len(student.noise) >= most else ''}{len(student.noise)}"
    gain = sum(factor.importance for factor in student.noise)
    return (
        f"{title} ({number}, with {gain:.0%} of the gain)",
        NOT_TRIED if student.untested else NOISE,
    )


def student_sentence(student: Student) -> str:
    """How far one explainer can be believed."""
    if student.state == "too few":
        return "Too few patients to explain it."
    if student.state == "constant":
        return "Its risk model gives every patient the same risk: there is nothing to explain."
    share = f"R² {student.r2:.2f}"
    if student.explains:
        return f"The simplified explainer follows the risks of this subtype closely ({share})."
    hints = ": read its factors as hints only" if student.factors else ""
    return f"The simplified explainer does not follow the risks of this subtype closely ({share}, {EXPLAINS:g} is needed){hints}."


def not_ranked(found: Performance | None, code: int, cluster: int) -> str:
    """That a subtype's risks are not shown to be better than chance, where that is so; or empty."""
    views = found.views if found else ()
    judged = [j for v in views if v.code == code for j in v.judged if j.group.kind == "subtype"]
    scores = [j.auc for j in judged if j.group.cluster == cluster and j.auc is not None]
    if not scores or scores[0].low > CHANCE:
        return ""
    return (
        "The run's risks are not shown to order this subtype's held-out patients better than chance: "
        f"AUC {interval_text(scores[0], 2)}. The factors are what the model uses, no more."
    )


def opposed(view: View) -> list[str]:
    """Columns that raise the risk in one subtype and lower it in another, in words."""
    raises: dict[str, list[int]] = {}
    lowers: dict[str, list[int]] = {}
    for student in view.students:
        for factor in student.factors:
            if factor.mark and abs(factor.direction) >= CLEAR_WAY:
                way = raises if factor.direction > 0 else lowers
                way.setdefault(factor.of or factor.title, []).append(student.cluster)
    return [
        f"{name} raises the risk in {_of(raises[name])} and lowers it in {_of(lowers[name])}."
        for name in raises
        if name in lowers
    ]


def _of(clusters: list[int]) -> str:
    return listed([subtype_name(j) for j in clusters])


def mark_words(mark: Mark, explained: int, total: int) -> str:
    """Shared by all, by some, or unique; of how many, where not all could be explained."""
    of = "" if explained == total else f" of the {explained} that could be explained"
    return {
        "all": f"shared by all{of}",
        "some": f"shared by some{of}",
        "unique": f"unique{' among' + of.removeprefix(' of') if of else ''}",
        "": "",
    }[mark]


def swarm_caption(swarm: Beeswarm, outcome: str) -> str:
    """How to read the SHAP values of a subtype."""
    said = [
        f"A point a patient ({len(swarm.shap):,} of those from whom the explainer did not learn: held out, or there to tune by, and so "
        f"to stop it). Right of 0 the factor raises the risk of {outcome}, left of 0 it lowers it."
    ]
    said += ["A category is drawn by its strongest level: high is yes."] if any(swarm.of) else []
    said += ["Grey circles: not measured."] if np.isnan(swarm.values).any() else []
    return " ".join(said)


def effect_caption(view: View, effects: Sequence[tuple[int, Effect]]) -> str:
    """How to read the curves of one feature; of which it is the being measured that counts."""
    numbers = {cluster for cluster, effect in effects if not effect.words}
    name, title = effects[0][1].name, effects[0][1].title
    found = [
        subtype_name(s.cluster)
        for s in view.students
        if s.cluster in numbers and any(f.name == name and f.of for f in s.factors)
    ]
    if not found:
        return ONE_FEATURE
    return (
        f"{ONE_FEATURE} In {listed(found)} it is mostly whether {title} was measured that moves the risk; the curve is of "
        "patients with a value."
    )
