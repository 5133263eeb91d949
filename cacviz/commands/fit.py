"""`cacviz fit`: find subtypes of a cohort, in the worker, as the app does."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from cacviz.commands.arguments import LARGEST_SEED, number, whole
from cacviz.commands.cohorts import add_cohort, read
from cacviz.commands.ending import fail
from cacviz.commands.printing import print_json
from cacviz.engine.exceptions import ConfigError
from cacviz.engine.running.methods import METHODS, method_named
from cacviz.engine.running.settings import COMMON, Setting
from cacviz.engine.types import Cohort, RunConfig

HELP = "find subtypes of a cohort"
FLAGS = ("alpha", "tune_alpha", "beta", "expert", "routing")  # settings that have a flag


def add_options(parser: argparse.ArgumentParser) -> None:
    """The cohort, the method and its settings, and where the result goes."""
    add_cohort(parser)
    parser.add_argument("--method", default="deepcac", help=f"one of {', '.join(METHODS)}")
    parser.add_argument("--clusters", type=whole(1), default=3)
    for name in FLAGS:
        _add_flag(parser, COMMON[name])
    parser.add_argument("--seed", type=whole(0, LARGEST_SEED), default=0)
    parser.add_argument("--out", type=Path, help="write the finished run to this new folder")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def _add_flag(parser: argparse.ArgumentParser, setting: Setting) -> None:
    flag = f"--{setting.name.replace('_', '-')}"
    if setting.form == "flag":
        parser.add_argument(flag, action="store_true", default=None, help=setting.help)
    elif setting.form == "choice":
        parser.add_argument(flag, choices=setting.values(), help=setting.help)
    else:
        kind = whole(int(setting.low)) if setting.form == "whole" else number(setting.low)
        parser.add_argument(flag, type=kind, help=setting.help.replace("%", "%%"))


def _config(args: argparse.Namespace) -> RunConfig:
    method_named(args.method)
    if args.tune_alpha and (args.alpha is not None or args.method != "cac"):
        raise ConfigError("--tune-alpha chooses CAC's alpha: leave out --alpha, and use cac.")
    given = {name: getattr(args, name) for name in FLAGS}
    return RunConfig(args.method, args.clusters, args.seed, **given)


def run(args: argparse.Namespace) -> int:
    """Fit in the worker, as the app does; Ctrl-C stops it cleanly."""
    from cacviz.jobs import queue
    from cacviz.store import cohorts, paths, runs

    config = _config(args)
    if args.out:
        runs.check_out(args.out)
    if args.data_dir:
        paths.use_data_dir(args.data_dir)
    with queue.expected_run():
        cohort = _checked(read(args), config)
        run_id = queue.start_run(cohorts.home_of(cohort), config, cohort=cohort)
    try:
        for now in queue.follow_run(run_id):
            _say(now)
    except KeyboardInterrupt:
        queue.stop_run(run_id)
        raise
    finally:
        print(file=sys.stderr)
    if now.state != "done":
        return fail(now.message or "The run was stopped.", code=2 if now.refused else 1)
    stored = runs.load_run(run_id)
    if args.out:
        runs.export_run(run_id, args.out)
    show(stored, as_json=args.json, where=str(args.out) if args.out else run_id)
    return 0


def _checked(cohort: Cohort, config: RunConfig) -> Cohort:
    """The cohort if this can be fitted to it: better now than by a run that has failed."""
    from cacviz.engine.preparation.splits import check, split_cohort
    from cacviz.engine.preparation.stays import series_of

    if method_named(config.method).reads == "series":
        series_of(cohort)
    check(split_cohort(cohort, config.seed), config)
    return cohort


def _say(now: Any) -> None:
    step = f" {now.step} of {now.of}" if now.step is not None and now.of else ""
    words = f"{now.phase or now.state}{step}"
    end = "" if sys.stderr.isatty() else "\n"
    if words != getattr(_say, "last", None):
        _say.last = words  # type: ignore[attr-defined]
        print(
            f"\r\033[K{words}" if sys.stderr.isatty() else words,
            end=end,
            file=sys.stderr,
            flush=True,
        )


def result(stored: Any, where: str) -> dict[str, Any]:
    """The contract's object of a finished run."""
    summary = stored.summary
    return {
        "run": where,
        "method": summary.config.method,
        "clusters": [{"n": c.n, "class_counts": list(c.class_counts)} for c in summary.clusters],
        "test": {name: scored.value for name, scored in summary.test.items()},
        "silhouette": summary.silhouette,
        "routing_agreement": summary.routing_agreement,
        "seconds": summary.seconds,
        "alpha": summary.alpha,
        "critical_alpha": summary.critical_alpha,
        "controls": {
            c.method: {name: scored.value for name, scored in c.scores.items()}
            for c in summary.controls
        },
        "conclusion": summary.verdict.conclusion if summary.verdict else None,
        "notes": sentences(summary),
    }


def sentences(summary: Any) -> list[str]:
    """Every note of a run and its verdict, as sentences."""
    from cacviz.wording.notes import sentence
    from cacviz.wording.verdicts import verdict_sentence

    said = [sentence(note) for note in summary.notes]
    return said + ([verdict_sentence(summary.verdict)] if summary.verdict else [])


def show(stored: Any, *, as_json: bool, where: str) -> None:
    """Print a finished run."""
    from cacviz.wording.verdicts import control_title
    from cacviz.wording.words import interval_text, subtype_name

    if as_json:
        print_json(result(stored, where))
        return
    summary = stored.summary
    print(f"Outcome {summary.outcome.column}: {', '.join(summary.classes)}")
    for c in summary.clusters:
        rates = ", ".join(f"{r.value:.1%}" for r in c.test_rates)
        print(
            f"{subtype_name(c.cluster)}: {c.n} training patients {list(c.class_counts)}; "
            f"held out {rates}"
        )
    for name in ("auprc_macro", "auprc_positive", "auc", "f1_macro"):
        print(f"{name}: {interval_text(summary.test[name])}")
    for c in summary.controls:
        title = control_title(c.key)
        print(f"beside {title}: auprc_macro {interval_text(c.scores['auprc_macro'])}")
    for note in sentences(summary):
        print(f"Note: {note}")
