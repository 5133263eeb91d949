"""The bedside rule in words: the rule itself, how far it agrees, what it costs to leave one out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from cacviz.engine.insights.bedside.types import Agreement, Band, Bedside, Line, Price, Rule
from cacviz.wording.words import counted, interval_text, listed, subtype_name, whole_share

GOOD, FAIR = 0.8, 0.6
FEW_VARIABLES, NEARLY_ALL = (
    2,
    0.9,
)  # a rule of so few, agreeing so well: the columns are the subtypes
SWAPPED = 0.01  # of patients: two rates less apart than this have no order
APART = 1 / 3  # of the run's outcome rate: so far from it the rule tells another risk
HALF = 0.5  # of a subtype's patients: a rule that finds fewer does not hold for it
FORM_TITLES = {"any": "Whichever agrees better", "tree": "Questions (a tree)", "points": "Points"}
LEAD = (
    "The subtypes as a rule that fits on a card: a few values, no computer. It is learned and chosen on training patients; how "
    "far it agrees with the run is told on held-out patients."
)
CURVE = (
    "Kappa: agreement with the run on held-out patients beyond chance (1 is perfect, 0 is chance); whiskers: 95% interval. "
    "The rule was chosen by its agreement within the training patients. Dotted: from there on a rule may stand in for the run."
)
SHARES = (
    "Found by the rule (its sensitivity): of the held-out patients whom the run puts into a subtype, the share that the rule "
    "puts there too. Confirmed by the run (its positive predictive value): of those whom the rule puts there, the share that the "
    "run agrees on. Neither speaks of the outcome. 95% intervals."
)
NOT_A_DEVICE = "For research; not a medical device."
TIE = "Of equal totals the subtype that is named first wins."


def rule_text(rule: Rule, titles: Sequence[str] | None = None) -> str:
    """The whole rule as lines of text."""
    names = titles or [subtype_name(j) for j in range(rule.n_clusters)]
    lines = _tree_lines(rule, names) if rule.form == "tree" else _points_lines(rule)
    return "\n".join([*lines, typical_sentence(rule)])


def _tree_lines(rule: Rule, names: Sequence[str]) -> list[str]:
    return [f"{leaf_words(rule, p)}: {names[rule.leaves[p].cluster]}" for p in leaf_order(rule)]


def leaf_order(rule: Rule) -> list[int]:
    """The places of the leaves, subtype by subtype, in each the one of most patients first."""
    places = range(len(rule.leaves))
    return sorted(places, key=lambda p: (rule.leaves[p].cluster, -rule.leaves[p].n))


def leaf_words(rule: Rule, place: int) -> str:
    """The conditions of one leaf: Age above 60 years and Lactate up to 2 mmol/L."""
    lines = {line.name: line for line in rule.lines}
    found = [
        f"{lines[n].title} {band_words(lines[n], b, unit=True)}"
        for n, b in rule.leaves[place].bands
    ]
    return " and ".join(found) or "Everybody"


def _points_lines(rule: Rule) -> list[str]:
    numbers = [subtype_name(j) for j in range(rule.n_clusters)]
    head = f"Add up the points for {listed(numbers)}, in this order; the most points win. {TIE}"
    lines = [head, *([f"Everybody starts with {_points(rule.start)}"] if any(rule.start) else [])]
    for line in rule.lines:
        bands = "; ".join(f"{band_words(line, b)}: {_points(b.points)}" for b in line.bands)
        lines.append(f"{variable_title(line)}: {bands}")
    return lines


def _points(points: Sequence[int]) -> str:
    return " / ".join(str(p) for p in points)


def variable_title(line: Line) -> str:
    """A variable with its unit."""
    return f"{line.title} ({line.unit})" if line.unit else line.title


def band_words(line: Line, band: Band, *, unit: bool = False) -> str:
    """Up to 9, above 9 to 12, above 12; or the levels."""
    if line.kind != "number":
        several = unit and len(band.levels) > 1  # within a sentence
        return f"({' or '.join(band.levels)})" if several else " or ".join(band.levels)
    after = f" {line.unit}" if unit and line.unit else ""
    if math.isinf(band.low) and math.isinf(band.high):
        return "any value"
    if math.isinf(band.low):
        return f"up to {band.high:.6g}{after}"
    if math.isinf(band.high):
        return f"above {band.low:.6g}{after}"
    return f"above {band.low:.6g} to {band.high:.6g}{after}"


def typical_sentence(rule: Rule) -> str:
    """What counts where a value is not known."""
    if not rule.lines:
        return "No variable is needed: everybody gets the same subtype."
    said = [f"{line.title} {line.typical}" for line in rule.lines if line.typical]
    return f"Where a value is not known, what is typical counts: {listed(said)}." if said else ""


def agreement_parts(bedside: Bedside) -> list[str]:
    """How far the rule agrees, the last sentence saying what follows."""
    found, rule = bedside.agreement, bedside.rule
    many = counted(len(rule.lines), "variable")
    digits = 3 if found.same.value < 1 and found.kappa.value >= 0.995 else 2  # 1.00 is perfect
    parts = [
        f"With {many} the rule puts {whole_share(found.same.value)} of {counted(found.n, 'held-out patient')} into the subtype that "
        f"the run gives them: kappa {interval_text(found.kappa, digits)}."
    ]
    if bedside.unrestricted is not None:
        parts.append(
            f"Without your vetoes kappa would be {bedside.unrestricted.value:.2f}: they cost "
            f"{max(0.0, bedside.unrestricted.value - found.kappa.value):.2f}."
        )
    missed = [subtype_name(j) for j in _missed(found)]
    if missed and found.kappa.value >= FAIR:
        parts.append(
            f"But it finds fewer than half of the patients of {listed(missed)}: for them it does not hold."
        )
    return [*parts, _follows(found)]


def made_of(bedside: Bedside) -> str:
    """That one or two columns all but make the subtypes, where a rule of so few agrees; or empty."""
    found, names = bedside.agreement, [line.title for line in bedside.rule.lines]
    if not 1 <= len(names) <= FEW_VARIABLES or found.kappa.low < NEARLY_ALL:
        return ""
    said = listed([f"“{name}”" for name in names])
    return (
        f"These subtypes are little more than {said}: by {'that alone' if len(names) == 1 else 'these two alone'} "
        f"{whole_share(found.same.value)} of held-out patients are placed as the run places them. To see what else sets "
        "patients apart, leave such columns out or make them an external check."
    )


def _missed(found: Agreement) -> list[int]:
    """Subtypes of which the rule finds fewer than half of the patients."""
    return [j for j, share in enumerate(found.sensitivity) if share.value < HALF]


def stands_in(found: Agreement) -> bool:
    """Whether the rule may be used for the run; a likeness that may be poor may not."""
    return found.kappa.value >= GOOD and found.kappa.low >= FAIR and not _missed(found)


def _follows(found: Agreement) -> str:
    """What the rule may be used for."""
    if stands_in(found):
        return "The rule can stand in for the run where no computer is at hand."
    if found.kappa.value >= FAIR:
        return "The rule is a fair likeness: use it to explain the subtypes, not to place single patients."
    return "The subtypes do not fit on a card: so few values do not tell them apart."


def rates_apart(bedside: Bedside, code: int) -> str:
    """Subtypes whose outcome rate is another one by the rule than by the run; or empty."""
    pairs = zip(bedside.rates, bedside.model_rates, strict=True)
    found = [
        f"{rule[code].value:.1%} instead of {run[code].value:.1%} in {subtype_name(j)}"
        for j, (rule, run) in enumerate(pairs)
        if abs(rule[code].value - run[code].value) > APART * run[code].value > 0
    ]
    said = [f"Placed by the rule, another share has the outcome: {listed(found)}."] if found else []
    return " ".join([*said, *_swapped(bedside, code)])


def _swapped(bedside: Bedside, code: int) -> Iterator[str]:
    """Two subtypes of which the run says that one has more of the outcome, and the rule the other."""
    for a, b in combinations(range(len(bedside.rates)), 2):
        by_run, by_rule = (
            rates[a][code].value - rates[b][code].value
            for rates in (bedside.model_rates, bedside.rates)
        )
        if by_run * by_rule < 0 and min(abs(by_run), abs(by_rule)) >= SWAPPED:
            more, less = (a, b) if by_run > 0 else (b, a)
            yield (
                f"{subtype_name(more)} has more of the outcome than {subtype_name(less)} by the run, and less by the rule."
            )


def price_words(price: Price) -> str:
    """A point of the curve: 3 variables (points): a, b, c."""
    return f"{counted(price.n_variables, 'variable')} ({price.form}): {', '.join(price.variables)}"
