"""What a run has to say for itself: a sentence for each code of a note."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cacviz.engine.reading.kinds import quoted, shorten
from cacviz.engine.running.findings import GONE
from cacviz.engine.types import Note
from cacviz.wording.checks import coded, short_stays
from cacviz.wording.leaks import doubt_sentence, leak_sentence
from cacviz.wording.words import counted, listed, subtype_name, subtype_number, verb

Values = Mapping[str, Any]
LEFT_OPEN = "That was left open when this run was made."
NEARLY_THE_SAME = 0.8  # of an adjusted Rand index: less is a part only
OF_OWN_MODELS = ("few events", "one outcome")


def sentence(note: Note) -> str:
    """The note as a sentence; a code of another version says its name."""
    say = SENTENCES.get(note.code)
    return say(note.values) if say else f"{note.code}."


def sentences(notes: Sequence[Note]) -> list[tuple[Note, str]]:
    """The first note of each kind with a sentence for all of its kind, in their order.

    Eight small subtypes are one thing to know, not eight.
    """
    kinds: dict[str, list[Note]] = {}
    for number, note in enumerate(notes):
        alike = note.code if note.code in TOGETHER else f"{note.code} {number}"
        kinds.setdefault(alike, []).append(note)
    return [
        (alike[0], sentence(alike[0]) if len(alike) == 1 else TOGETHER[alike[0].code](alike))
        for alike in kinds.values()
    ]


def told(notes: Sequence[Note]) -> list[Note]:
    """Without what means nothing beside another: a shared risk model is nobody's own."""
    shared = any(note.code == "shared risk" for note in notes)
    return [n for n in notes if not (shared and n.code in OF_OWN_MODELS)]


def _all_few_events(notes: Sequence[Note]) -> str:
    said = listed([f"{_number(n)} ({n.values['n']:,} with “{n.values['class']}”)" for n in notes])
    return (
        f"Subtypes {said} have too few training patients of an outcome for risk models of their "
        "own. Use fewer subtypes."
    )


def _all_small(notes: Sequence[Note]) -> str:
    said = listed([f"{_number(n)} ({n.values['share']:.1%})" for n in notes])
    return f"Subtypes {said} hold few of the training patients."


def _all_empty(notes: Sequence[Note]) -> str:
    return f"Subtypes {listed([_number(n) for n in notes])} are empty. Use fewer subtypes."


def _all_one_outcome(notes: Sequence[Note]) -> str:
    return (
        f"Subtypes {listed([_number(n) for n in notes])} have one outcome only each: their own "
        "risk models have nothing to learn from."
    )


def _number(note: Note) -> str:
    return subtype_number(note.values["cluster"])


TOGETHER: dict[str, Callable[[Sequence[Note]], str]] = {
    "few events": _all_few_events,
    "small subtype": _all_small,
    "empty subtype": _all_empty,
    "one outcome": _all_one_outcome,
}


def _collapsed(v: Values) -> str:
    return (
        f"Outcome separation (α) is {v['alpha']:.3g}, beyond its critical value "
        f"{v['critical']:.3g}, and the subtypes have collapsed: they repeat the outcome instead of "
        "describing patients. Use a lower α, or leave it empty for half the critical value."
    )


def _beyond(v: Values) -> str:
    return (
        f"Outcome separation (α) is {v['alpha']:.3g}, beyond its critical value "
        f"{v['critical']:.3g}. From there on a subtype gains by taking in a few odd patients; a "
        "lower α is safer."
    )


def _errors(v: Values) -> str:
    if "wrong" not in v:  # runs of earlier versions
        return "far less often than without it"
    said = f"in {v['wrong']:,} of {v['n']:,}, without it in {v['without']:,}"
    if v.get("held_out"):
        said += f"; of held-out patients in {v['held_out_wrong']:,} of {v['held_out']:,}, without it in {v['held_out_without']:,}"
    return said


def _repeats_outcome(v: Values) -> str:
    return (
        "The subtypes go by the outcome: who guesses a training patient's outcome by the subtype errs "
        f"{_errors(v)}. Read them as groups of risk more than as kinds of patients."
    )


def _few_events(v: Values) -> str:
    remedy = "Use fewer subtypes." if v["k"] > 2 else "Use a larger cohort."
    return (
        f"{subtype_name(v['cluster'])} has {counted(v['n'], 'training patient')} with the outcome "
        f"“{v['class']}”: too few to trust its own risk model. {remedy}"
    )


def _rare_class(v: Values) -> str:
    return (
        f"Only {counted(v['n'], 'training patient has', 'training patients have')} the outcome “{v['class']}”: its "
        "risk cannot be learned with any number of subtypes. On Cohort, leave out these patients or merge classes."
    )


def _small(v: Values) -> str:
    return f"{subtype_name(v['cluster'])} holds only {v['share']:.1%} of the training patients."


def _empty(v: Values) -> str:
    return f"{subtype_name(v['cluster'])} is empty. Use fewer subtypes."


def _one_outcome(v: Values) -> str:
    name = subtype_name(v["cluster"])
    return f"{name} has one outcome only: its own risk model has nothing to learn from."


def _revived(v: Values) -> str:
    return (
        f"{subtype_name(v['cluster'])} lost all its patients and was started anew (first in epoch "
        f"{v['epoch']})."
    )


def _routing(v: Values) -> str:
    return (
        f"Only {v['agreement']:.0%} of training patients are nearest to the centre of their own "
        "subtype. New patients, who come without an outcome, will often be sent to another subtype "
        "than similar patients were in, so expect the subtypes to fit new patients less well."
    )


def _repeats_column(v: Values) -> str:
    much = "little more than" if v["index"] >= NEARLY_THE_SAME else "to a large part"
    what = f"whether “{v['title']}” has a value (was measured, or happened at all)"
    if v["level"] != GONE:
        what = f"the levels of “{v['title']}”"
    same = (
        "One of them is the patients without a value in “{}”. ".format(v["title"])
        if v["level"] == GONE
        else ""
    )
    also = v.get("also") or ()
    others = f"{quoted(also)} {verb(len(also), 'tells', 'tell')} nearly the same. " if also else ""
    which = (
        "these columns out or make them external checks"
        if also
        else "the column out or make it an external check"
    )
    return (
        f"These subtypes are {much} {what} (adjusted Rand index {v['index']:.2f}). {same}{others}"
        f"To see what else sets patients apart, leave {which}."
    )


def _is_level(v: Values) -> str:
    what = f"“{v['title']}” is {v['level']}"
    if v["level"] == GONE:
        what = f"“{v['title']}” was not measured"
    return (
        f"{subtype_name(v['cluster'])} is little more than the patients in whom {what}: {v['both']:,} of its "
        f"{counted(v['n'], 'training patient')}, and {v['both']:,} of the {v['having']:,} of whom that holds."
    )


def _open_ids(v: Values) -> str:
    n = len(v["columns"])
    return (
        f"{quoted(v['columns'])} {verb(n, 'looks like an id', 'look like ids')} and "
        f"{verb(n, 'is', 'are')} among the features: {verb(n, 'it measures', 'they measure')} nothing. {LEFT_OPEN}"
    )


def _open_zeros(v: Values) -> str:
    return (
        f"{coded(v['columns'], v)}, away from all other values. If that means not measured, the subtypes "
        f"show in part who was measured, and means, names and rules count it as a value. {LEFT_OPEN}"
    )


def _open_twins(v: Values) -> str:
    said = [f"'{shorten(a)}' and '{shorten(b)}'" for a, b in v["pairs"][:6]]
    said += [f"{counted(len(v['pairs']) - 6, 'more pair')}"] if len(v["pairs"]) > 6 else []
    return (
        f"{'; '.join(said)} tell the same, and both were used: what they tell counts twice in the clustering and on a card. "
        f"{LEFT_OPEN}"
    )


def _open_codes(v: Values) -> str:
    n = len(v["columns"])
    return (
        f"{quoted(v['columns'])} {verb(n, 'was', 'were')} compared by size, though the numbers may be "
        f"codes of {verb(n, 'a category', 'categories')}; then “low” and “high” mean nothing. {LEFT_OPEN}"
    )


def _kmeans(v: Values) -> str:
    if v["moved"] == 0:
        moved = "no patient left"
    else:
        moved = f"{v['moved']:,} of {counted(v['n'], 'training patient')} left"
    nearly = "" if v["moved"] == 0 else "nearly "
    return (
        f"At α = {v['alpha']:.3g}, {moved} the k-means start: these are {nearly}the k-means subtypes, "
        "which did not look at the outcome."
    )


def _tuned(v: Values) -> str:
    words = (
        f"α = {v['alpha']:.3g} ({v['fraction']:.0%} of its critical value) was chosen by "
        f"{v['folds']}-fold cross-validation among training patients: AUPRC {v['best']:.3f}, and "
        f"{v['plain']:.3f} at α = 0."
    )
    if v["best"] - v["plain"] <= v["gain_sd"]:
        words += " The folds disagree on whether that is a gain, so the choice matters little here."
    return words


def _own_risk(v: Values) -> str:
    return (
        "Each subtype has a risk model of its own: for patients left out while it was learned the "
        f"AUPRC is {v['auprc']:.3f}, with one risk model for all {v['shared']:.3f}."
    )


def _shared_risk(v: Values) -> str:
    return (
        "The subtypes share one risk model: patients left out while it was learned were not "
        "predicted clearly better by models of the subtypes' own."
    )


def _one_selected(v: Values) -> str:
    return (
        f"The method collapsed: {v['share']:.0%} of training patients are in one subtype. Its "
        "subtypes say little here; use another method or fewer subtypes."
    )


SENTENCES: dict[str, Callable[[Values], str]] = {
    "short stays": short_stays,
    "collapsed": _collapsed,
    "beyond critical": _beyond,
    "repeats the outcome": _repeats_outcome,
    "few events": _few_events,
    "rare class": _rare_class,
    "small subtype": _small,
    "empty subtype": _empty,
    "one outcome": _one_outcome,
    "revived": _revived,
    "routing": _routing,
    "repeats a column": _repeats_column,
    "is a level": _is_level,
    "id-like": _open_ids,
    "possible missing code": _open_zeros,
    "codes": _open_codes,
    "duplicate columns": _open_twins,
    "k-means subtypes": _kmeans,
    "tuned alpha": _tuned,
    "own risk": _own_risk,
    "shared risk": _shared_risk,
    "collapsed selector": _one_selected,
    "leak": leak_sentence,
    "doubt": doubt_sentence,
}
