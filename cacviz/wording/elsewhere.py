"""A run in another cohort, in words: the verdict, why, and what matched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from cacviz.engine.insights.elsewhere.types import (
    ColumnMatch,
    MatchState,
    Validation,
    Verdict,
    Word,
)
from cacviz.engine.types import Note
from cacviz.engine.types.telling import short_number
from cacviz.wording.tables import heads
from cacviz.wording.words import (
    counted,
    interval_text,
    p_text,
    seconds_words,
    share,
    signed_text,
    subtype_name,
)

Values = Mapping[str, Any]
HEADS: dict[Word, str] = {
    "replicated": "Replicated: the subtypes hold in the other cohort.",
    "in part": "Replicated in part.",
    "not replicated": "Not replicated: the subtypes do not hold in the other cohort.",
    "cannot be told": "It cannot be told whether the subtypes hold there.",
}
RECALIBRATE = "The run's risks need recalibration there before anybody reads them as percentages."
STATES: dict[MatchState, str] = {
    "matched": "matched",
    "another name": "matched, written otherwise",
    "another unit": "looks like another unit",
    "other range": "another range",
    "absent": "missing",
}
PAIR_STATES = {
    "held": "differ there too",
    "reversed": "differ the other way round",
    "weaker": "differ less, if at all",
    "unclear": "not clear there",
}
BY_CONSTRUCTION = (
    "Patients were sent to the subtypes by these very columns, so that profiles agree by construction: the last column says how "
    "far they would agree if the columns had been shuffled and no groups were left. What was found anew is the evidence."
)
OTHER_RECORDS = (
    "This file holds hourly records. Open it on the page Cohort, with the window that the run was "
    "made with, and choose it here."
)
LEAD = (
    "Apply this run to another cohort: another ward, hospital or year. Its subtypes are also looked for anew there, since a rule "
    "always finds patients for its groups, whether or not the groups exist."
)


def verdict_parts(verdict: Verdict) -> list[str]:
    """The reasons, and last the verdict itself."""
    holds = verdict.word in ("replicated", "in part")
    more = f" {RECALIBRATE}" if holds and verdict.calibration == "no" else ""
    return [*why(verdict), HEADS[verdict.word] + more]


def why(verdict: Verdict) -> list[str]:
    """A sentence a reason, the gravest first."""
    return [REASONS[note.code](note.values) for note in verdict.reasons]


def _few(v: Values) -> str:
    return f"Only {counted(v['events'], 'patient has', 'patients have')} the rarest outcome there: too few to judge anything."


def _lost(v: Values) -> str:
    return (
        f"{v['share']:.0%} of the columns that the run uses are missing there or look like another unit: what it says of these "
        "patients cannot be trusted. Convert or add the columns, then validate again."
    )


def _groups(v: Values) -> str:
    if v["answer"] == "unknown":
        return "Subtypes could not be looked for anew there."
    said = {
        "yes": "is found again",
        "partly": "is found again in part",
        "no": "is not found again",
    }[v["answer"]]
    return f"Looked for anew there by the same method, the same cut {said}: adjusted Rand index {v['ari']:.2f} (1 is the same, 0 chance)."


def _cut(v: Values) -> str:
    outcome = (
        "no difference of outcome rates is clear there"
        if v["pairs"]
        else "outcome rates did not clearly differ at home"
    )
    check = (
        f"the check of the run found no more than one cloud of patients (p = {p_text(v['p'])})"
        if v["p"] == v["p"]
        else "whether there is more than one cloud of patients was not checked with the run; check the subtypes on the page Subtypes, then validate again"
    )
    return (
        "That the same cut is found again does not yet show that it parts kinds of patients: one cloud cut in two is cut the same "
        f"way in any sample of it. Nothing else bears it out: {outcome}, and {check}."
    )


def _outcome(v: Values) -> str:
    if not v["pairs"]:
        return "At home outcome rates did not clearly differ between subtypes, so that there is no difference to find again."
    pairs = counted(v["pairs"], "clear difference", "clear differences")
    head = f"Of the {pairs} between outcome rates at home, {v['held']} {'is' if v['held'] == 1 else 'are'} clear there in the same direction"
    tail = {
        "yes": ".",
        "partly": "; the others are not.",
        "no": ": the subtypes do not tell the outcome there as they did.",
        "unknown": ", and the intervals leave open whether the others are.",
    }[v["answer"]]
    return head + tail


def _risk(v: Values) -> str:
    low, high, limit = (v.get(name, float("nan")) for name in ("low", "high", "limit"))
    told = low == low and high == high  # validations of an older version kept no interval
    reach = f" ({low:.2f} to {high:.2f})" if told else ""
    beside = f"AUC {v['auc']:.2f}{reach} there, {v['home']:.2f} at home"
    none = (
        f"The risks hardly rank patients better than chance: the whole interval lies below {limit:.2f} ({beside})."
        if told
        else f"The risks were not seen to rank patients ({beside}); an older version judged so without the interval: validate again."
    )
    return {
        "yes": f"The risks still rank patients ({beside}).",
        "partly": f"The risks rank patients clearly worse ({beside}).",
        "no": none,
        "unknown": f"There are too few events to tell whether the risks rank patients there ({beside}).",
    }[v["answer"]]


def _calibration(v: Values) -> str:
    low, high = v.get("observed_low", float("nan")), v.get("observed_high", float("nan"))
    reach = f" ({low:.2f} to {high:.2f})" if low == low else ""  # older versions kept none
    slope = f"calibration slope {v['slope']:.2f} ({v['low']:.2f} to {v['high']:.2f}), {v['observed']:.2f}{reach} events for one expected"
    if v["answer"] == "unknown":
        unsaid = "Whether the risks mean there what they say cannot be told"
        if not reach or v["low"] != v["low"]:
            return f"{unsaid}."
        first, last = v["near_low"], v["near_high"]
        return f"{unsaid}: for that both intervals must lie between {first:g} and {last:g} ({slope}; 1 and 1 are right)."
    if v["answer"] == "yes":
        return f"The risks mean there what they say ({slope}; 1 and 1 are right)."
    said = []
    if v["slope_off"]:
        extreme = "too extreme: high ones are too high and low ones too low"
        said.append(
            extreme if v["slope"] < 1 else "too timid: high ones are too low, low ones too high"
        )
    if v["level_off"]:
        said.append("too high in general" if v["observed"] < 1 else "too low in general")
    return f"The risks there are {', and '.join(said)} ({slope}; 1 and 1 are right)."


REASONS: dict[str, Callable[[Values], str]] = {
    "few events": _few,
    "columns lost": _lost,
    "groups": _groups,
    "cut only": _cut,
    "outcome": _outcome,
    "risk": _risk,
    "calibration": _calibration,
}


def reason(note: Note) -> str:
    return REASONS[note.code](note.values)


def match_words(matches: Sequence[ColumnMatch]) -> str:
    """How many columns matched, in one line."""
    counts = {state: sum(m.state == state for m in matches) for state in STATES}
    said = [f"{n} {STATES[state]}" for state, n in counts.items() if n]
    return f"Of {counted(len(matches), 'column')}: {', '.join(said)}."


def match_table(matches: Sequence[ColumnMatch]) -> pd.DataFrame:
    """A line a column, what needs a look first."""
    order = ("absent", "another unit", "other range", "another name", "matched")
    ranked = sorted(matches, key=lambda m: order.index(m.state))
    return pd.DataFrame(
        {
            "Column": m.title,
            "Unit": m.unit,
            "": STATES[m.state] + (f": {m.units}" if m.units else ""),
            "There": m.found,
            "Training patients, middle 98%": _range(m),
            "Median there": short_number(m.median) if m.median == m.median else "",
            "Known there": f"{m.known:.0%}" if m.known == m.known else "",
        }
        for m in ranked
    )


def _range(match: ColumnMatch) -> str:
    if match.usual is None:
        return ""
    low, median, high = match.usual
    return f"{short_number(median)} ({short_number(low)} to {short_number(high)})"


def subtype_table(
    found: Validation, titles: Sequence[str], outcomes: Sequence[str]
) -> pd.DataFrame:
    """Each subtype here and there; `outcomes` is what each class is called."""
    event = len(found.classes) - 1
    return pd.DataFrame(
        {
            "Subtype": name,
            "Patients there": f"{s.n:,} ({s.share:.0%})",
            "At home": f"{s.home_share:.0%}",
            f"{outcomes[event]} there": share(s.rates[event]) if s.n else "",
            f"{outcomes[event]} at home": share(s.home_rates[event]),
            "AUC there": interval_text(s.auc, 2) if s.auc else "too few events",
            "Observed / expected": f"{s.observed:.2f}" if s.observed == s.observed else "",
            "Found anew (Jaccard)": f"{s.jaccard:.2f}" if s.jaccard == s.jaccard else "",
            "Profile correlation": f"{s.profile_correlation:.2f}"
            if s.profile_correlation == s.profile_correlation
            else "",
            "… by routing alone": f"{s.profile_chance:.2f}"
            if s.profile_chance == s.profile_chance
            else "",
        }
        for s, name in zip(found.subtypes, heads(titles), strict=True)
    )


def pair_table(found: Validation, outcomes: Sequence[str]) -> pd.DataFrame:
    """The differences that were clear at home."""
    return pd.DataFrame(
        {
            "Subtypes": f"{subtype_name(p.first)} less {subtype_name(p.second)}",
            "Outcome": outcomes[p.code],
            "At home": signed_text(p.home, 3),
            "There": signed_text(p.there, 3),
            "": PAIR_STATES[p.state],
        }
        for p in found.pairs
    )


def figures_sentence(found: Validation) -> str:
    """Discrimination and calibration of all patients, in one sentence."""
    slope = found.calibration_slope
    parts = [
        f"AUC {interval_text(found.auc, 2)} (at home {found.home_auc.value:.2f})",
        f"AUPRC {interval_text(found.auprc_macro, 2)} (at home {found.home_auprc.value:.2f})",
        f"calibration slope {interval_text(slope, 2)}, where 1 is right and less than 1 means risks that are too extreme",
        f"{interval_text(found.level, 2) if found.level else f'{found.observed:.2f}'} events observed for one expected",
    ]
    how = (
        " Risks were recalibrated at home, as chosen on the page Performance."
        if found.recalibrated
        else ""
    )
    return f"{counted(found.n, 'patient')} with an outcome: {'; '.join(parts)}.{how}"


def profile_caption(found: Validation, most: int) -> str:
    """What stands under the profiles side by side."""
    return (
        f"The {min(most, len(found.columns))} features that set subtypes apart most at home; standard deviations from everybody in "
        "the same cohort."
    )


def anew_sentence(found: Validation) -> str:
    """What looking anew was, and how long it took; empty where that is not known."""
    if found.anew_seconds != found.anew_seconds:
        return ""
    return (
        f"To look anew, the method was fitted with the run's own settings to {counted(found.n_anew, 'patient')} there, without its "
        f"risk models; that took {seconds_words(found.anew_seconds)}."
    )
