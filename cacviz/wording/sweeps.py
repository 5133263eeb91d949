"""How many subtypes, would they be found again, is there more than one population: in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cacviz.engine.running.sweeps.stability import ClusterStability, Reference, Stability
from cacviz.engine.running.sweeps.suggesting import STRENGTH, Suggestion
from cacviz.engine.running.sweeps.weights import Recommended
from cacviz.engine.types import Note
from cacviz.wording.words import counted, listed, p_text, subtype_name

Values = Mapping[str, Any]


def suggestion_sentence(found: Suggestion) -> str:
    """The answer itself."""
    if not found.known:
        return "How many subtypes there are cannot be told yet."
    if found.k == 1:
        return "No number of subtypes is better than one here."
    return f"{counted(found.k, 'subtype')}: that is what these patients suggest."


def why(found: Suggestion) -> list[str]:
    """Reasons, then doubts, as sentences."""
    return [reason(note) for note in (*found.reasons, *found.doubts)]


def reason(note: Note) -> str:
    """A reason or a doubt as a sentence; a code of another version says its name."""
    say = SENTENCES.get(note.code)
    return say(note.values) if say else f"{note.code}."


def _kept(v: Values) -> str:
    found = v["strength"]
    short = round(found, 2) >= STRENGTH > found  # then two digits would say that it is reached
    return f"prediction strength {found:.{3 if short else 2}f}"


def _twins(v: Values) -> str:
    n = counted(v["n"], "cohort")
    return f"{n} drawn with the same correlations and no subtypes"


def _found_again(v: Values) -> str:
    return (
        f"With k = {v['k']}, subtypes found in one half of the patients are found again by the other "
        f"half ({_kept(v)}; {v['limit']} is asked for)."
    )


def _beyond(v: Values) -> str:
    return (
        f"They lie further apart (separation score {v['silhouette']:.3f}) than in any of {_twins(v)} "
        f"(mean {v['twins']:.3f}; p = {p_text(v['p'])})."
    )


def _more_not(v: Values) -> str:
    return f"With k = {v['k']} a subtype is no longer found again by the other half ({_kept(v)})."


def _more_less(v: Values) -> str:
    return (
        f"With k = {v['k']} they are found again too, but lie less far beyond what one population "
        f"would show (separation score {v['silhouette']:.3f}; {v['twins']:.3f} without subtypes)."
    )


def _none_again(v: Values) -> str:
    return (
        "Whatever k, the two halves of the patients do not find the same subtypes: the best is "
        f"k = {v['k']} ({_kept(v)}; {v['limit']} is asked for)."
    )


def _as_one(v: Values) -> str:
    return (
        f"With k = {v['k']} the halves agree ({_kept(v)}), but the subtypes lie not clearly further apart "
        f"(separation score {v['silhouette']:.3f}) than in {_twins(v)} (mean {v['twins']:.3f}; "
        f"p = {p_text(v['p'])}): a single stretched cloud is also cut alike by both halves."
    )


def _apart_not_again(v: Values) -> str:
    return (
        f"There is some structure beyond one population (k = {v['k']}: separation score "
        f"{v['silhouette']:.3f}, {v['twins']:.3f} without subtypes), yet not as subtypes that come back."
    )


def _nearly(v: Values) -> str:
    return f"k = {v['k']} comes near ({_kept(v)}): more patients might settle it."


def _not_proof(v: Values) -> str:
    return "This does not show that there are no subtypes: few patients or noisy columns hide them."


def _largest(v: Values) -> str:
    return f"{v['k']} is the largest number that was looked at: look at larger ones too."


def _few_events(v: Values) -> str:
    patients = counted(v["n"], "training patient")
    return f"With k = {v['k']} a subtype has only {patients} of a class: too few for its own risk model."


def _small(v: Values) -> str:
    return f"With k = {v['k']} the smallest subtype holds {v['share']:.1%} of the patients."


def _seeds(v: Values) -> str:
    return (
        f"Another seed gives other subtypes (adjusted Rand index {v['ari']:.2f}): what is found hangs "
        "on the start and on who is learned from."
    )


def _weak(v: Values) -> str:
    return (
        f"{subtype_name(v['cluster'])} is not found again in resamples (Jaccard {v['jaccard']:.2f}): "
        "do not name it."
    )


def _others(v: Values) -> str:
    ks = listed([f"k = {k}" for k in v["others"]])
    return f"{ks} would stand as well: coarser or finer subtypes of the same patients."


def _no_better(v: Values) -> str:
    return (
        f"They do not predict the outcome better: AUPRC {v['auprc']:.3f}, with one subtype "
        f"{v['one']:.3f} (mean of {counted(v['fits'], 'fit')})."
    )


def _better(v: Values) -> str:
    return (
        f"AUPRC is {v['auprc']:.3f}, with one subtype {v['one']:.3f} (mean of "
        f"{counted(v['fits'], 'fit')}); Compare tells whether that is more than chance."
    )


def _not_compared(v: Values) -> str:
    return (
        "They were not compared with cohorts without subtypes (none are drawn of hourly records, nor where "
        "patients have several rows), and a single stretched cloud is also cut alike by both halves: structure "
        "beyond one population is not shown."
    )


def _not_looked(v: Values) -> str:
    return "Too little has been fitted so far to tell whether subtypes would be found again."


SENTENCES: dict[str, Callable[[Values], str]] = {
    "found again": _found_again,
    "beyond one population": _beyond,
    "more not found again": _more_not,
    "more less apart": _more_less,
    "none found again": _none_again,
    "as one population": _as_one,
    "apart but not again": _apart_not_again,
    "nearly": _nearly,
    "not proof of one": _not_proof,
    "largest looked at": _largest,
    "sweep few events": _few_events,
    "sweep small": _small,
    "seeds differ": _seeds,
    "a cluster not again": _weak,
    "others as well": _others,
    "predicts no better": _no_better,
    "predicts better": _better,
    "not compared": _not_compared,
    "not looked": _not_looked,
}

WORDS = {
    "stable": "stable",
    "pattern": "pattern only",
    "not stable": "not stable: do not name it",
}
STABILITY_HELP = "The training patients were drawn anew with replacement, and subtypes found anew. Jaccard is the share of patients that this subtype and the one most like it have in common; from 0.75 it counts as found again, below 0.6 there is no pattern to speak of (Hennig 2007)."


def stability_line(found: ClusterStability) -> str:
    """A subtype in resamples, in a line: found again in 87 of 100 resamples (Jaccard 0.81): stable."""
    return (
        f"Found again in {found.found_again} of {counted(found.resamples, 'resample')} "
        f"(Jaccard {found.jaccard:.2f}): {WORDS[found.word]}"
    )


def check_sentences(found: Stability) -> list[str]:
    """What the check of a run says beyond its subtypes one by one."""
    said = [_structure(found)]
    if found.smooth.n and found.smooth.p <= 0.05 < found.structure.p:
        said.append(
            f"Beside cohorts whose columns have one hump each it is p = {p_text(found.smooth.p)}: here "
            "single columns with two humps may be all the structure there is."
        )
    said.append(_outcome(found.outcome))
    said += _agreements(found)
    return said


def _structure(found: Stability) -> str:
    r = found.structure
    if not r.n:
        return "Whether there is structure beyond one population was not looked at."
    shown = r.p <= 0.05
    verdict = (
        "Structure beyond one population"
        if shown
        else "Structure beyond one population is not shown"
    )
    means = (
        f"This says that the patients are not one cloud, not that there are {found.k} kinds of them."
        if shown
        else "This does not say that they are one cloud: few patients or noisy columns hide structure."
    )
    return (
        f"{verdict}: p = {p_text(r.p)}. The subtypes' separation score in the features is {r.value:.3f}; in "
        f"{counted(r.n, 'cohort')} with the same columns and correlations but no subtypes it is "
        f"{r.mean:.3f} on average. {means}"
    )


def _outcome(r: Reference) -> str:
    if not r.n:
        return "Whether the subtypes carry outcome information was not looked at."
    verdict = "The subtypes carry outcome information"
    if r.p > 0.05:
        verdict = "It is not shown that the subtypes carry outcome information"
    return (
        f"{verdict}: p = {p_text(r.p)}. On held-out patients subtype and outcome go together with "
        f"Cramér's V {r.value:.2f}; with the outcome dealt out at random {r.n} times, {r.mean:.2f} on "
        "average. This says nothing of whether a plain model would know as much."
    )


def _agreements(found: Stability) -> list[str]:
    said = []
    if found.strength == found.strength:
        said.append(
            f"Between halves of the patients: prediction strength {found.strength:.2f}, adjusted Rand "
            f"index {found.halves:.2f}."
        )
    if found.seeds == found.seeds:
        said.append(f"Between seeds: adjusted Rand index {found.seeds:.2f}.")
    return said


def weights_sentence(found: Recommended) -> str:
    """Which α and β to take, and how far that can be trusted."""
    named = [("α", found.alpha), ("β", found.beta)]
    which = listed([f"{sign} = {value:.3g}" for sign, value in named if value is not None])
    if found.changed:
        return (
            f"{which} has the highest AUPRC of {counted(found.points, 'point')} ({found.auprc:.3f}; "
            f"{found.own_auprc:.3f} at the present point), by more than seeds differ. It was chosen on "
            "the patients it is scored on: expect a little less on new ones."
        )
    return (
        f"Stay with {which} (AUPRC {found.auprc:.3f}): none of {counted(found.points, 'point')} is "
        "better by more than seeds differ."
    )


ABLATED = {
    None: "Nothing left out",
    "alpha": "Without outcome separation (α = 0)",
    "beta": "Without tightness (β = 0)",
    "margin": "Without the margin of the separation (m = 0)",
}
ABLATIONS_HELP = "Means over seeds at the present point, one term of the objective left out at a time. Where a row predicts as well as the first, that term does not help prediction here; it may still keep the subtypes apart. α and β are left out where 0 is among the values asked for."
