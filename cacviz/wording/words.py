"""Small words: counts, lists, shares, intervals, durations, and what a subtype is called."""

from __future__ import annotations

import time
from collections.abc import Sequence

from cacviz.engine.reading.kinds import shorten
from cacviz.engine.types import Scored

NOT_KNOWN = "not known"


def subtype_name(cluster: int) -> str:
    """What a cluster is called on screen; the only place that counts from 1."""
    return f"Subtype {cluster + 1}"


def subtype_number(cluster: int) -> str:
    """The number alone, where "Subtype" stands beside it; counts as `subtype_name` does."""
    return subtype_name(cluster).removeprefix("Subtype ")


def subtype_title(cluster: int, name: str = "") -> str:
    """Number and name together, alike in every chart, legend and table."""
    number = subtype_name(cluster)
    return number if name in ("", number) else f"{number}: {name}"


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them: a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def some_of(names: Sequence[str], most: int) -> str:
    """The first names and how many more there are: a, b and 13 more."""
    shown = [shorten(n, 30) for n in names[:most]]
    return listed([*shown, f"{len(names) - most:,} more"] if len(names) > most else shown)


def counted(n: int, word: str, words: str = "") -> str:
    """A number with its noun: 1 patient, 3,000 patients."""
    return f"{n:,} {word if n == 1 else words or word + 's'}"


def patients_words(rows: int, people: int = 0) -> str:
    """3,000 patients; or 101,766 stays of 71,518 patients, where some have several."""
    if not 0 < people < rows:
        return counted(rows, "patient")
    return f"{counted(rows, 'stay')} of {counted(people, 'patient')}"


def stays_sentence(rows: int, people: int) -> str:
    """What "patients" stand for where some have several stays; empty where nobody has."""
    if not 0 < people < rows:
        return ""
    return (
        f"{patients_words(rows, people)}: each stay counts as a patient of its own, but for tests, "
        "which take the first stay of each."
    )


def verb(n: int, one: str, many: str) -> str:
    """The verb that goes with a count: 1 column is, 2 columns are."""
    return one if n == 1 else many


def interval_text(scored: Scored, digits: int = 3) -> str:
    """A value with its 95% interval, as in a paper; 0 has no sign."""
    if scored.value != scored.value:
        return NOT_KNOWN
    value, low, high = (f"{v:z.{digits}f}" for v in (scored.value, scored.low, scored.high))
    limits = f"{low} to {high}" if scored.low == scored.low else "no interval"
    return f"{value} ({limits})"


def signed_text(scored: Scored, digits: int = 3) -> str:
    """A difference with its 95% interval; 0 has no sign."""
    if scored.value != scored.value:
        return NOT_KNOWN
    value, low, high = (_signed(v, digits) for v in (scored.value, scored.low, scored.high))
    return value if scored.low != scored.low else f"{value} ({low} to {high})"


def bracketed_text(scored: Scored, digits: int = 3) -> str:
    """A difference with its 95% interval behind what it is of: (+0.042, -0.002 to +0.081)."""
    value, low, high = (_signed(v, digits) for v in (scored.value, scored.low, scored.high))
    return f"({value})" if scored.low != scored.low else f"({value}, {low} to {high})"


def _signed(value: float, digits: int) -> str:
    """With its sign, unless it is 0 as far as it is told."""
    text = f"{value:+z.{digits}f}"
    return text if float(text) else text.lstrip("+")


def share(scored: Scored) -> str:
    """A share in per cent with its interval."""
    if scored.value != scored.value:
        return "no held-out patients"
    return f"{scored.value:.1%} ({scored.low:.1%} to {scored.high:.1%})"


def whole_share(value: float) -> str:
    """A share without digits; 100% and 0% are said of all and of none alone."""
    text = f"{value:.0%}"
    if (text == "100%" and value < 1) or (text == "0%" and value > 0):
        return f"{min(max(value, 0.001), 0.999):.1%}"
    return text


def ratio(counts: tuple[int, ...]) -> str:
    """Class ratio in the paper's form: 6.25 : 2.07 : 1, the smallest class as 1."""
    smallest = min((n for n in counts if n), default=0)
    if smallest == 0:
        return "empty"
    return " : ".join(f"{n / smallest:.2f}".rstrip("0").rstrip(".") for n in counts)


def numbers(titles: Sequence[str]) -> list[str]:
    """Subtypes by their number alone, where names have no room; their colour and place say who."""
    return [subtype_name(j) for j in range(len(titles))]


def ago(seconds_since_1970: float) -> str:
    """How long ago, in words."""
    gone = max(0.0, time.time() - seconds_since_1970)
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if gone >= size:
            return f"{counted(int(gone // size), word)} ago"
    return "just now"


def seconds_words(seconds: float) -> str:
    """A duration in words."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"


def about_seconds(seconds: float) -> str:
    """A duration that is only guessed, in round words."""
    if seconds < 8:
        return "a few seconds"
    if seconds < 90:
        return f"{round(seconds / 5) * 5} seconds"
    return counted(round(seconds / 60), "minute")


def p_text(p: float) -> str:
    """A p-value as papers print it; empty where there is none."""
    if p != p:
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
