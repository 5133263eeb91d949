"""`cacviz rule`: the subtypes of a run as a rule that fits on a card."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from cacviz.commands.arguments import whole, words
from cacviz.commands.finished import add_run, fitted_of, folder_of
from cacviz.commands.printing import print_json
from cacviz.engine.exceptions import ConfigError
from cacviz.engine.insights.bedside.types import MOST, USUAL, Bedside, Wish

HELP = "the subtypes of a run as a rule that fits on a card"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The run, how many variables, which not, and in which form."""
    add_run(parser)
    parser.add_argument(
        "--variables", type=whole(1, MOST), default=USUAL, help="at most so many variables"
    )
    parser.add_argument(
        "--without", type=words, default=[], help="not available at the bedside: A,B"
    )
    parser.add_argument("--form", choices=("any", "tree", "points"), default="any")
    parser.add_argument("--json", action="store_true", help="print the rule as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Learn the rule on the run's training patients; judge it on those held out."""
    from cacviz.engine.insights.bedside.making import bedside_rule
    from cacviz.engine.insights.material import Material

    folder = folder_of(args)
    print("learning the rule", file=sys.stderr, flush=True)
    wish = Wish(args.variables, tuple(args.without), args.form)
    found = bedside_rule(Material(*fitted_of(folder)), wish)
    if found is None:
        raise ConfigError("The run has one subtype only: there is nothing to tell apart.")
    print_json(result(found)) if args.json else show(found)
    return 0


def result(found: Bedside) -> dict[str, Any]:
    """The contract's object of a rule."""
    from cacviz.wording.rules import rule_text

    agreement = found.agreement
    pairs = zip(agreement.sensitivity, agreement.ppv, found.sizes, strict=True)
    return {
        "variables": list(found.rule.variables),
        "rule": rule_text(found.rule),
        "kappa": agreement.kappa.value,
        "subtypes": [{"sensitivity": s.value, "ppv": p.value, "n": n} for s, p, n in pairs],
        "form": found.rule.form,
        "kappa_interval": [agreement.kappa.low, agreement.kappa.high],
        "n_held_out": agreement.n,
        "curve": [
            {"variables": p.n_variables, "form": p.form, "kappa": p.kappa.value}
            for p in found.prices
        ],
        "rates": [[r.value for r in rates] for rates in found.rates],
    }


def show(found: Bedside) -> None:
    """Print the card and how far it agrees."""
    from cacviz.wording.rules import agreement_parts, price_words, rule_text
    from cacviz.wording.words import share, subtype_name

    print(rule_text(found.rule))
    print(" ".join(agreement_parts(found)))
    for j, size in enumerate(found.sizes):
        sensitivity, ppv = found.agreement.sensitivity[j], found.agreement.ppv[j]
        print(
            f"{subtype_name(j)}: {size} held-out patients by the rule; sensitivity "
            f"{share(sensitivity)}, PPV {share(ppv)}"
        )
    for price in found.prices:
        print(f"{price_words(price)}: kappa {price.kappa.value:.2f}")
