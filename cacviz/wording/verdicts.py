"""Does clustering help here? The verdict of a run, and of a comparison over splits, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cacviz.engine.types import Conclusion, Place, Scored, Standing, Verdict
from cacviz.wording.methods import method_title
from cacviz.wording.words import (
    bracketed_text,
    counted,
    interval_text,
    listed,
    signed_text,
    subtype_name,
)

CONTROLS = {
    "k=1": "the same method with one subtype (k = 1)",
    "kmeans": "k-means with the same risk models",
    "lr": "logistic regression",
    "gbm": "gradient boosting",
}
PLAIN = ("lr", "gbm")
DESCRIBE = "The subtypes may still describe patients."
TAILS: dict[Conclusion, str] = {  # one split may speak of itself alone
    "helps": "Clustering helps prediction {here}.",
    "helps, but": "Clustering helps this method {here}, yet a plain model without subtypes predicts "
    "better still.",
    "method": f"It predicts better than a plain model; whether the subtypes add to that is not shown. {DESCRIBE}",
    "no help": f"Clustering does not help prediction {{here}}. {DESCRIBE}",
    "harms": f"Clustering makes prediction worse {{here}}. {DESCRIBE}",
    "not shown": f"A gain from clustering is not shown {{here}}, nor is it ruled out. {DESCRIBE}",
    "untested": "Whether clustering helps is untested: with one subtype this method gives everyone "
    f"the same risk, so there is nothing to compare it with. {DESCRIBE}",
}
SAME = "it gives exactly the risks of"
FAR_OFF = "the scores of this one split may be far off."
ONE_SPLIT = "This is one split of the patients; Compare repeats it over several."


def control_title(key: str) -> str:
    """A control in a table or a sentence."""
    return CONTROLS.get(key, key)


def verdict_sentence(verdict: Verdict, outcome: str = "the outcome") -> str:
    """The verdict in words: what was compared, how it stands, and what follows."""
    return " ".join(verdict_parts(verdict, outcome))


def verdict_parts(verdict: Verdict, outcome: str = "the outcome") -> list[str]:
    """Its sentences one by one; the last says what follows."""
    if verdict.conclusion == "too few":
        return [_too_few(verdict)]
    if verdict.conclusion == "one split":
        return [_so_far(verdict)]
    said = "; ".join(_standings(verdict.standings))
    parts = [f"{_subject(verdict, outcome)}: {said}."] if said else []
    parts += _places(verdict)
    if verdict.n_splits == 1 and said:
        parts += [ONE_SPLIT]
    return [*parts, tail] if (tail := _tail(verdict)) else parts


def of_itself(verdict: Verdict, parts: Sequence[str]) -> str:
    """Of a run's verdict what is left to say once several splits have said what follows."""
    return " ".join(p for p in parts if p not in (ONE_SPLIT, _tail(verdict)))


def comparison_parts(found: Sequence[Verdict], outcome: str = "the outcome") -> list[str]:
    """The verdict of the best with subtypes, and how the others stand; the last says what follows."""
    *parts, last = verdict_parts(found[0], outcome)
    others = [said for v in found[1:] if v.conclusion != "one split" and (said := _stands(v))]
    return [*parts, *others, last]


def _stands(verdict: Verdict) -> str:
    """How another method stands beside the controls, in words alone: the table has the figures."""
    said = []
    for word, size in (
        *(("better", "clearly"), ("better", "a little")),
        *(("worse", "a little"), ("worse", "clearly")),
    ):
        found = [s for s in verdict.standings if (s.word, s.size) == (word, size)]
        if found:
            said.append(f"{size} {word} than {listed([control_title(s.control) for s in found])}")
    level = [s for s in verdict.standings if s.control == "k=1" and s.word == "no clear difference"]
    how = SAME if level and is_nothing(level[0].difference) else "no clear difference from"
    itself = f"; {how} {control_title('k=1')}" if level else ""
    return f"By AUPRC {entry_title(verdict)} is {listed(said)}{itself}." if said else ""


def over_splits(found: Verdict, best: Verdict) -> list[str]:
    """What a comparison says of a run's own method and k; the last says what follows."""
    said = "; ".join(_standings(found.standings)) or "no control can be told from it"
    parts = [
        f"Compare repeated this over {found.n_splits} splits of the patients. {entry_title(found)} has a mean AUPRC of "
        f"{found.score:.3f} there: {said}."
    ]
    if (found.method, found.n_clusters) != (best.method, best.n_clusters):
        parts.append(f"Of the methods with subtypes {entry_title(best)} did best there.")
    return [*parts, _tail(found)]


def _tail(verdict: Verdict) -> str:
    """What follows. That subtypes help does not say that they are needed: see plain models."""
    here = "here" if verdict.n_splits > 1 else "on this split"
    level = [s for s in verdict.standings if s.control in PLAIN and s.word == "no clear difference"]
    if verdict.conclusion != "helps" or not level:
        return TAILS.get(verdict.conclusion, "").format(here=here)
    titles = listed([control_title(s.control) for s in level])
    verb = "is" if len(level) == 1 else "are"
    return (
        f"Clustering helps this method {here}; {titles} without subtypes {verb} not clearly behind."
    )


def entry_title(verdict: Verdict) -> str:
    return f"{method_title(verdict.method)} with {counted(verdict.n_clusters, 'subtype')}"


def _subject(verdict: Verdict, outcome: str) -> str:
    if verdict.n_splits > 1:
        return (
            f"Over {verdict.n_splits} splits {entry_title(verdict)} predicts {outcome} with an AUPRC "
            f"of {verdict.score:.3f} (mean over classes and splits)"
        )
    what = "these subtypes predict" if verdict.n_clusters > 1 else "this model predicts"
    if any(s.control == "k=1" and is_nothing(s.difference) for s in verdict.standings):
        what = "the one risk model that all subtypes share predicts"
    return f"On held-out patients {what} {outcome} with an AUPRC of {verdict.score:.3f} (mean over classes)"


def _standings(standings: tuple[Standing, ...]) -> Iterator[str]:
    for word, size, said in (
        ("better", "clearly", "clearly better than"),
        ("better", "a little", "a little better than"),
        ("no clear difference", "", "no clear difference from"),
        ("worse", "a little", "a little worse than"),
        ("worse", "clearly", "clearly worse than"),
    ):
        found = [s for s in standings if (s.word, s.size) == (word, size)]
        if told := [s for s in found if not is_nothing(s.difference)]:
            yield f"{said} {listed([_beside(s) for s in told])}"
    if same := [s for s in standings if is_nothing(s.difference)]:
        yield f"{SAME} {listed([control_title(s.control) for s in same])}"


def is_nothing(difference: Scored) -> bool:
    """Whether two models give the same risks, on every resample."""
    return difference.value == difference.low == difference.high == 0


def _beside(standing: Standing) -> str:
    """A control with the difference from it: better by so much; of no clear one, in brackets."""
    title = control_title(standing.control)
    gap = standing.difference
    if standing.word == "no clear difference":
        return f"{title} {_with_remark(bracketed_text(standing.difference), _corrected(standing))}"
    if standing.word == "worse":
        return f"{title} by {interval_text(Scored(-gap.value, -gap.high, -gap.low))}"
    return f"{title} by {signed_text(standing.difference)}"


def _corrected(standing: Standing) -> str:
    """An interval looks at one control alone; the word takes all of them into account."""
    apart = standing.difference.low > 0 or standing.difference.high < 0
    return "not clear once all controls are taken into account" if apart else ""


def _with_remark(bracketed: str, remark: str) -> str:
    """A remark inside the brackets, so that a list goes on behind them."""
    return f"{bracketed[:-1]}; {remark})" if remark else bracketed


def _places(verdict: Verdict) -> Iterator[str]:
    for place in verdict.places:
        if place.word in ("better", "worse"):
            yield (
                f"{subtype_name(place.cluster)}{_of_how_many(place)}: AUPRC {place.run:.3f} against {place.control:.3f} "
                f"of one model for all: {signed_text(place.difference)}."
            )


def _of_how_many(place: Place) -> str:
    if not place.n:
        return ""
    return f" ({counted(place.n, 'held-out patient')}, {place.events:,} of the rarest class)"


def _so_far(verdict: Verdict) -> str:
    """The best with subtypes after a split or two, and how far the controls are from it."""
    gaps = [
        f"{signed_text(s.difference)} against {control_title(s.control)}" for s in verdict.standings
    ]
    return (
        f"So far {entry_title(verdict)} has the highest AUPRC of all with subtypes, {verdict.score:.3f}"
        f"{': ' if gaps else ''}{listed(gaps) if gaps else ''}. Three splits or more are needed to tell "
        "a difference from chance."
    )


def _too_few(verdict: Verdict) -> str:
    return (
        f"Only {counted(verdict.events, 'held-out patient has', 'held-out patients have')} the "
        f"outcome “{verdict.rarest}”: too few for one split to tell whether the subtypes predict "
        f"better or worse than plain models. Compare over several splits instead; {FAR_OFF}"
    )


def worse_words(verdict: Verdict | None) -> str:
    """That the risks of a run are worse than those of one model for all, where its split says so."""
    if verdict is None or verdict.conclusion != "harms":
        return ""
    return "On this split the run's risks are worse than those of one model for all: see Subtypes."


def few_words(verdict: Verdict | None) -> str:
    """What stands over the scores of a run with so few events; nothing where there are enough."""
    if verdict is None or verdict.conclusion != "too few":
        return ""
    n = counted(verdict.events, "held-out patient has", "held-out patients have")
    return f"Only {n} the outcome “{verdict.rarest}”: {FAR_OFF}"
