"""How good the risks are, in words: what is judged, on whom, and when nothing can be told."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from cacviz.engine.insights.judged.types import ENOUGH, Calibration, Group, Judged, Performance
from cacviz.engine.scoring.shares import wilson
from cacviz.engine.types import Cohort, Scored
from cacviz.wording.words import counted, interval_text, share

LEAD = "Held-out patients only: none of them was seen when subtypes and risk models were made{nor}."
SHARED = "All subtypes share one risk model here: the scores below are of that model, and with one subtype they are the same."
NOR = ", nor when risks were recalibrated"
BESIDE = {
    "k=1": "one model for all (k = 1)",
    "lr": "one model for all (logistic regression)",
    "itself": "",
}
FAR_SLOPE = 0.2  # of the slope from 1: then risks are said to be too extreme or too timid
NET_BENEFIT = (
    "Net benefit counts the events that would be treated, less the others treated, weighed by the threshold's odds "
    "(Vickers and Elkin 2006). The higher a curve, the better it chooses whom to treat, if treatment works. The band is of this run "
    "alone: whether it is more than one model for all is told on Subtypes and Compare."
)
SENSITIVE = (
    "Give a column such as sex or insurance the role “sensitive” on the page Cohort, and a new run tells how well its "
    "groups are served."
)
TAUGHT = (
    "Validation patients taught this model too, so they cannot be used to recalibrate its risks."
)
TAKE_BACK = (
    "These risks were once recalibrated on validation patients who had taught the model, which can make them worse. Take it "
    "back: predictions of new patients have it until then."
)
MANY_CLASSES = "The curves are of the risks as the run gave them; recalibration moves classes against each other a little."


def group_title(group: Group, titles: Sequence[str], cohort: Cohort) -> str:
    """What a group is called: everybody, a subtype, a level of a sensitive column."""
    if group.kind == "all":
        return "Everybody"
    if group.kind == "subtype":
        return titles[group.cluster]
    return f"{cohort.column(group.column).title}: {group.level}"


def lead(*, recalibrated: bool) -> str:
    """On whom risks are judged."""
    return LEAD.format(nor=NOR if recalibrated else "")


def too_few(judged: Judged, what: str) -> str:
    """Why there is no figure."""
    others = judged.n - judged.events
    if judged.n == 0:
        return "No held-out patient is in this group."
    if judged.events < ENOUGH:
        return (
            f"Too few events: {judged.events} of {counted(judged.n, 'held-out patient')} had {what}. Below {ENOUGH} no "
            "score, curve or interval can be relied on."
        )
    return (
        f"Too few patients without {what}: {others} of {counted(judged.n, 'held-out patient')}. Below {ENOUGH} no score, "
        "curve or interval can be relied on."
    )


def other_scores(n_classes: int) -> str:
    """That these scores are not those of verdicts, which are of all classes."""
    auc = "" if n_classes == 2 else "; their AUC, too, is a mean over classes"
    return (
        "Verdicts and comparisons use the mean of the AUPRCs of all classes instead: AUPRC (mean over classes), of which chance "
        f"is {1 / n_classes:.2f} here{auc}."
    )


def summary_sentence(judged: Judged, what: str, n_classes: int = 2) -> str:
    """Who is judged, and how well; of more classes than two, one against the others."""
    assert judged.auc is not None
    assert judged.auprc is not None
    against = "" if n_classes == 2 else " against all others"
    return (
        f"{counted(judged.n, 'held-out patient')}, {judged.events:,} with {what}: {share(judged.rate)}. AUC{against} "
        f"{interval_text(judged.auc, 2)}, chance 0.50; AUPRC of {what} alone {interval_text(judged.auprc, 2)}, "
        f"chance {judged.rate.value:.2f}."
    )


def calibration_sentence(found: Calibration) -> str:
    """What slope and intercept mean here."""
    slope, large = found.slope, found.intercept
    if slope.value != slope.value:
        return "The calibration slope has no finite value here."
    words = (
        f"Slope {interval_text(slope, 2)}, intercept {interval_text(large, 2)}; 1 and 0 are right."
    )
    if slope.high < 1 - FAR_SLOPE / 4 and slope.low <= 0:
        words += " Higher risks do not clearly go with more events: the risks tell little or nothing here."
    elif slope.high < 1 - FAR_SLOPE / 4 and slope.value < 1 - FAR_SLOPE:
        words += " The risks are too extreme: high ones too high, low ones too low."
    elif slope.low > 1 + FAR_SLOPE / 4 and slope.value > 1 + FAR_SLOPE:
        words += " The risks are too timid: high ones too low, low ones too high."
    if large.low > 0:
        words += " On the whole they are too low."
    elif large.high < 0:
        words += " On the whole they are too high."
    return words


def no_shares(*, hidden: bool) -> str:
    """Why the table at a threshold has no shares beside it."""
    return f"No shares are told: {'counts are hidden' if hidden else 'too few events'}."


def recalibrated_sentence(after: Calibration) -> str:
    """What becomes of the calibration where recalibration was chosen for a run."""
    return (
        "Recalibration on validation patients was chosen for this run, and its predictions of new patients have it. Held-out "
        f"patients after it: {calibration_sentence(after)}"
    )


def brier_sentence(found: Calibration) -> str:
    """How far risks are from what happened, and whether that is less than without any model."""
    worse = found.brier.value >= found.brier_chance
    return (
        f"Brier score {interval_text(found.brier, 3)}; 0 is perfect, and the same risk for everybody gives "
        f"{found.brier_chance:.3f}.{' As they are, these risks are no better than that.' if worse else ''}"
    )


def remedy_sentence(performance: Performance, learned: bool) -> str:
    """What recalibration is, and from whom it was learned; `learned`: they taught the model too."""
    if learned:
        return TAUGHT
    if performance.remedy is None:
        return "These risks cannot be recalibrated: fewer than ten validation patients of some class, or no finite answer."
    n = performance.remedy.n
    return (
        f"Recalibration shifts and stretches all risks on the log scale, as learned from {counted(n, 'validation patient')}; "
        "it changes no subtype."
    )


def confusion(event: Sequence[bool], flagged: Sequence[bool]) -> dict[str, int]:
    """Counts of the four kinds of patients."""
    pairs = list(zip(event, flagged, strict=True))
    return {
        "found": sum(e and f for e, f in pairs),
        "missed": sum(e and not f for e, f in pairs),
        "false": sum(f and not e for e, f in pairs),
        "spared": sum(not f and not e for e, f in pairs),
    }


def shares_of(counts: dict[str, int]) -> dict[str, Scored]:
    """Sensitivity, specificity and predictive values with Wilson intervals."""
    found, missed, false, spared = (counts[k] for k in ("found", "missed", "false", "spared"))
    return {
        "Sensitivity": wilson(found, found + missed),
        "Specificity": wilson(spared, spared + false),
        "PPV": wilson(found, found + false),
        "NPV": wilson(spared, spared + missed),
    }


def share_words(scored: Scored) -> str:
    return "nobody" if scored.value != scored.value else share(scored)


def flag_sentence(counts: dict[str, int], what: str) -> str:
    """What the threshold does to a hundred patients, or to a thousand."""
    n = sum(counts.values())
    events, flagged = counts["found"] + counts["missed"], counts["found"] + counts["false"]
    if n == 0:
        return "Nobody is in this group."
    of = 100 if 10 * events >= n else 1000  # of a rare outcome a hundred would round too much
    having, found = round(of * events / n), round(of * counts["found"] / n)
    found = min(found, having)  # so that what is told adds up
    return (
        f"Of {of:,} such patients {of * flagged / n:.0f} are flagged. {having} have {what}: "
        f"{found} of them are flagged and {having - found} are missed."
    )


def table_sentence(what: str, at: float) -> str:
    """What the columns of the table of groups are."""
    return (
        f"Missed (false-negative rate): share of those with {what} whose risk is below {at:.1%}. Slope and intercept (with the "
        "slope held at 1) are those of calibration: 1 and 0 are right."
    )


def group_table(rows: Sequence[dict[str, object]]) -> pd.DataFrame:
    """All groups side by side."""
    return pd.DataFrame(list(rows))


def group_row(judged: Judged, title: str, missed: Scored, recalibrated: bool) -> dict[str, object]:
    """One group in the table; words where events are few."""
    found = judged.after if recalibrated and judged.after else judged.calibration
    few = f"fewer than {ENOUGH} events" if judged.events < ENOUGH else f"fewer than {ENOUGH} others"
    told = judged.told and found is not None and judged.auc is not None
    return {
        "Group": title,
        "Patients": judged.n,
        "Events": judged.events,
        "Share": share(judged.rate),
        "AUC": interval_text(judged.auc, 2) if told and judged.auc else few,
        "Missed (FNR)": share_words(missed) if judged.events >= ENOUGH else few,
        "Slope": interval_text(found.slope, 2) if told and found else few,
        "Intercept": interval_text(found.intercept, 2) if told and found else few,
    }
