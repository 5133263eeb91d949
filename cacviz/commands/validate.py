"""`cacviz validate`: does a finished run hold in another cohort?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from cacviz.commands.arguments import words
from cacviz.commands.cohorts import add_records, read_table, say_flow
from cacviz.commands.finished import add_run, folder_of
from cacviz.commands.predict import NEW_HELP, taken_as_missing
from cacviz.commands.printing import print_json
from cacviz.engine.insights.elsewhere.types import Counterpart, Validation
from cacviz.engine.types import Scored

HELP = "whether a finished run holds in another cohort"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The run, the other cohort, its outcome."""
    add_run(parser)
    parser.add_argument("cohort", metavar="OTHER", help=NEW_HELP)
    parser.add_argument("--outcome", required=True, help="the outcome's column in that file")
    parser.add_argument("--missing", type=words, default=[], help="codes for missing values: -1")
    parser.add_argument("--id", help="of hourly records: whose they are")
    add_records(parser)
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Match, route, look anew, judge; progress goes to standard error."""
    from cacviz.engine.insights.elsewhere.validating import validate
    from cacviz.store import applying
    from cacviz.store.risk_choices import remedy_of

    folder = folder_of(args)
    instrument = applying.load_instrument(folder)
    args.missing = [*taken_as_missing(instrument.choices), *args.missing]
    table = read_table(args, instrument.preparation.grid_)
    say_flow(table)
    found = validate(
        instrument,
        applying.load_home(folder),
        table.frame,
        args.outcome,
        series=table.series,
        name=Path(args.cohort).name,
        remedy=remedy_of(folder),
        on_phase=lambda phase: print(phase, file=sys.stderr, flush=True),
    )
    print_json(result(found)) if args.json else show(found)
    return 0


def result(found: Validation) -> dict[str, Any]:
    """The contract's object of a validation."""
    from cacviz.wording.elsewhere import why

    return {
        "verdict": found.verdict.word,
        "why": why(found.verdict),
        "subtypes": [_subtype(s) for s in found.subtypes],
        "auc": found.auc.value,
        "auprc_macro": found.auprc_macro.value,
        "calibration_slope": found.calibration_slope.value,
        "ari": found.ari,
        "n": found.n,
        "needs_recalibration": found.verdict.calibration == "no",
        "recalibrated": found.recalibrated,
        "anew": {"n": found.n_anew, "seconds": found.anew_seconds},
        "auc_interval": [found.auc.low, found.auc.high],
        "home": {"auc": found.home_auc.value, "auprc_macro": found.home_auprc.value},
        "columns": {
            state: [m.name for m in found.matches if m.state == state]
            for state in dict.fromkeys(m.state for m in found.matches)
        },
    }


def _subtype(s: Counterpart) -> dict[str, Any]:
    rates = [_with_interval(rate) for rate in s.rates]
    return {
        "n": s.n,
        "share": s.share,
        "profile_correlation": s.profile_correlation,
        "profile_correlation_by_routing_alone": s.profile_chance,
        "rate": rates[1] if len(rates) == 2 else rates,
        "jaccard": s.jaccard,
        "auc": s.auc.value if s.auc else None,
    }


def _with_interval(rate: Scored) -> dict[str, float]:
    return {"value": rate.value, "low": rate.low, "high": rate.high}


def show(found: Validation) -> None:
    """Print the verdict, why, and each subtype there."""
    from cacviz.wording.elsewhere import (
        anew_sentence,
        figures_sentence,
        match_words,
        verdict_parts,
    )
    from cacviz.wording.words import share, subtype_name

    for sentence in (match_words(found.matches), figures_sentence(found)):
        print(sentence)
    for s in found.subtypes:
        print(
            f"{subtype_name(s.cluster)}: {s.n} patients ({s.share:.0%}; at home "
            f"{s.home_share:.0%}), {found.outcome} {found.classes[-1]}: {share(s.rates[-1])}, "
            f"Jaccard {s.jaccard:.2f}, profile correlation {s.profile_correlation:.2f} "
            f"(by routing alone {s.profile_chance:.2f})"
        )
    for sentence in (anew_sentence(found), *verdict_parts(found.verdict)):
        print(sentence)
