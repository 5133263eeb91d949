"""A treatment's effect by subtype, in words: whether it differs, with which power, and what it is not."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from cacviz.engine.insights.treated.types import (
    EVERYBODY,
    ArmEffect,
    Interaction,
    Treatment,
    TreatmentView,
)
from cacviz.engine.scoring.tests import holm
from cacviz.wording.words import counted, interval_text, listed, p_text, signed_text, verb

LEVEL = 0.05
TELLS_ARM = 2.0  # standard deviations between two arms: no baseline value differs so
FARTHEST = 5.0  # standard deviations: of columns that tell the arm no more is told
LEAD = "Does a treatment work differently in different subtypes? Effects and curves are of held-out patients, who made no subtype."
APART = " The treatment itself made none either."
NONE = (
    "No column of this run is the treatment. Give it the role Treatment on the page Cohort, then find subtypes anew: it must not "
    "shape them."
)
ASSOCIATION = "This treatment was not randomised: who had it may differ in other ways. What stands here is an association and not an effect."
UNSAID = (
    "Was the treatment randomised? Until that is said, read what stands here as an association."
)
RANDOMISED = "Randomised, as you say: differences between the arms are effects of the treatment, up to chance."
HOW = {
    "exact": ", exact test, since cells are small",
    "bootstrap": ", drawn, since cells are small",
}
FOREST = (
    "Points left of the line: fewer outcomes than with the reference. Whiskers: 95% intervals (Newcombe for differences, Woolf "
    "for odds ratios). That one interval excludes no difference while another does not is no proof that subtypes differ: only the "
    "test above can show that, on the scale of odds. With one common odds ratio, risk differences still differ where risks do."
)


def effects_title(randomised: bool | None) -> str:
    """What the forest plot shows: an effect only where the treatment was randomised."""
    return "Effect by subtype" if randomised else "Association by subtype"


def standing_sentence(randomised: bool | None) -> str:
    """What the figures are: effects, or associations."""
    return UNSAID if randomised is None else RANDOMISED if randomised else ASSOCIATION


def verdict_parts(view: TreatmentView, *, randomised: bool | None) -> list[str]:
    """With which power it was looked for, and last whether effects differ between subtypes."""
    found = view.interaction
    if found is None:
        return [
            "Too few held-out patients or events (fewer than ten of either outcome, or one arm or one subtype only) to test whether the treatment works differently between subtypes."
        ]
    word = "effect" if randomised else "association with the outcome"
    p = p_text(found.p)
    level = f"p {p}" if p.startswith("<") else f"p = {p}"
    how = "" if found.how == "chi-square" else HOW[found.how]
    how += f", adjusted for {found.tests} outcomes tested" if found.tests > 1 else ""
    head = f"The treatment's {word} {{}} between the subtypes beyond what one common odds ratio gives ({level}; interaction, {counted(found.n, 'held-out patient')}{how})."
    said = head.format("differs" if found.p < LEVEL else "does not clearly differ")
    return [power_sentence(found), said]


def power_sentence(found: Interaction) -> str:
    """What could have been found with so many patients."""
    if found.power != found.power:
        return "With which power it was looked for is not known: an older version computed it on another scale than the test's."
    two = f"The test is on the scale of odds: odds ratios that differ by a factor of 2 between the largest subtype and the others would be found with a chance of {found.power:.0%}"
    if found.factor != found.factor:
        return f"{two}; no factor of a plausible size would be found reliably: there are too few held-out patients."
    return f"{two}; for a chance of 80% they must differ by a factor of about {found.factor:.1f}."


def imbalance_sentence(found: Treatment, *, randomised: bool | None) -> str:
    """How alike the arms were before treatment."""
    if not found.n_features:
        return "There is no feature to compare the arms by."
    told, chance = (
        _telling(found),
        (
            " In a randomised trial such differences are chance; of a column that was measured after treatment began they "
            "are its effect, and it is no feature of a patient before treatment."
            if randomised
            else " Of a column that was measured after treatment began they may be its effect: leave it out."
        )
        if found.n_imbalanced
        else "",
    )
    n, of = found.n_imbalanced - len(told), found.n_features - len(told)
    apart = (
        f", beside {listed(told)}, which {verb(len(told), 'tells', 'tell')} the arm" if told else ""
    )
    return (
        f"Among all patients of the cohort {n} of {counted(of, 'feature')} {verb(n, 'differs', 'differ')} between the arms by a tenth of a standard "
        f"deviation or more{apart}.{chance}"
    )


def _far(difference: float) -> str:
    return f"{FARTHEST:g} or more" if difference >= FARTHEST else f"{difference:.2f}"


def lead(found: Treatment) -> str:
    """What the page asks, and on whom it rests."""
    return LEAD if _telling(found) else LEAD + APART


def _telling(found: Treatment) -> list[str]:
    """Features that tell the arm, or part of it."""
    return [f"'{i.title}'" for i in found.imbalances if i.difference >= TELLS_ARM]


def log_rank_words(found: Treatment, place: int) -> str:
    """The test of one subtype's arms, adjusted for the other subtypes', or empty."""
    tested = [j for j, s in enumerate(found.survival) if s is not None and s.p == s.p]
    if place not in tested:
        return ""
    curves = found.survival[place]
    assert curves is not None
    p = p_text(holm([found.survival[j].p for j in tested])[tested.index(place)])  # type: ignore[union-attr]
    adjusted = f", adjusted for {len(tested)} subtypes" if len(tested) > 1 else ""
    return (
        f"Log-rank between the arms: p {p if p.startswith('<') else f'= {p}'}{adjusted}; "
        f"{counted(curves.n, 'held-out patient')}. A small p in one subtype and not in another is no "
        "proof that they differ."
    )


def repeats_sentence(found: Treatment) -> str:
    """Features that all but tell the arm, for then the treatment did shape the subtypes; or empty."""
    names = _telling(found)
    if not names:
        return ""
    return (
        f"{listed(names)} {verb(len(names), 'tells', 'tell')} much of the arm, and {verb(len(names), 'was a feature', 'were features')} of this run: the treatment "
        f"helped to make these subtypes. Leave {verb(len(names), 'it', 'them')} out on the page Cohort and find subtypes anew."
    )


def effect_table(found: Treatment, view: TreatmentView, titles: Sequence[str]) -> pd.DataFrame:
    """The forest plot's twin."""
    return pd.DataFrame(
        {
            "Subtype": effect_title(e, titles),
            "Arm": arm_title(found, e.arm),
            "Reference": arm_title(found, found.reference),
            "Events in the arm": f"{e.events:,} of {e.n:,}",
            "Events in the reference": f"{e.events_reference:,} of {e.n_reference:,}",
            "Risk difference": signed_text(e.difference, 3),
            "Odds ratio": interval_text(e.odds_ratio, 2) if e.n and e.n_reference else "not known",
        }
        for e in view.effects
    )


def arm_title(found: Treatment, arm: int) -> str:
    """What an arm is called; a bare code stands behind the name of the treatment."""
    name = found.arms[arm]
    return f"{found.title} {name}" if name.replace(".", "").isdigit() else name


def arm_titles(found: Treatment) -> list[str]:
    return [arm_title(found, arm) for arm in range(len(found.arms))]


def effect_title(effect: ArmEffect, titles: Sequence[str]) -> str:
    return "All held-out patients" if effect.cluster == EVERYBODY else titles[effect.cluster]


def imbalance_table(found: Treatment) -> pd.DataFrame:
    """The features that differ most between the arms."""
    return pd.DataFrame(
        {"Feature": i.title, "Largest difference between arms (sd)": _far(i.difference)}
        for i in found.imbalances
    )
