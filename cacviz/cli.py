"""`cacviz app | fit | compare`: the same engine, worker and store without a browser."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from cacviz import commands_compare
from cacviz.arguments import LARGEST_PORT, LARGEST_SEED, number, numbers, whole, words
from cacviz.engine.exceptions import CohortError, ConfigError
from cacviz.engine.methods import EXPERT_NAMES, METHODS, method_named
from cacviz.engine.types import Cohort, RunConfig

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str] | None = None) -> int:
    """Run a command; a wrong call or a bad file is one line on standard error and code 2."""
    from cacviz.runs.files import StoreError, explain

    args = _parser().parse_args(arguments)
    try:
        return args.run(args)
    except (CohortError, ConfigError, StoreError) as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(explain(error, f"'{error.filename}'" if error.filename else "A file"))
    except KeyboardInterrupt:
        return _fail("Stopped.", code=130)


def _fail(sentence: str, code: int = 2) -> int:
    print(" ".join(f"cacviz: {sentence}".split()), file=sys.stderr)
    return code


class _Parser(argparse.ArgumentParser):
    """argparse prints the usage too; one line is enough."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"cacviz: {message}. See `{self.prog} --help`.\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="cacviz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    app = commands.add_parser("app", help="serve the dashboard on this computer")
    app.add_argument("--port", type=whole(1, LARGEST_PORT), default=8501)
    app.add_argument("--data-dir", type=Path)
    app.set_defaults(run=_app)
    fit = commands.add_parser("fit", help="find subtypes of a cohort")
    add_cohort(fit)
    _add_settings(fit)
    fit.add_argument("--out", type=Path, help="write the finished run to this new folder")
    fit.add_argument("--json", action="store_true", help="print the result as one JSON object")
    fit.set_defaults(run=_fit)
    compare = commands.add_parser("compare", help="every method on the same splits of a cohort")
    add_cohort(compare)
    commands_compare.add_options(compare)
    compare.set_defaults(run=_compare)
    return parser


def add_cohort(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a cohort, its outcome and what is left out."""
    parser.add_argument("cohort", help="a CSV, TSV, XLSX or Parquet file, gzipped or not")
    parser.add_argument("--outcome", required=True, help="the column to predict")
    cuts = parser.add_mutually_exclusive_group()
    cuts.add_argument("--cut", type=numbers, default=(), help="cut a number at points: 7,13")
    cuts.add_argument("--quantiles", type=whole(0), default=0, help="cut a number into equal parts")
    parser.add_argument("--id", help="the patient id; patients are never split")
    parser.add_argument("--drop", type=words, default=[], help="columns to leave out: A,B")
    parser.add_argument(
        "--missing", type=words, default=[], help="codes for missing values: -1,AGE=999"
    )
    parser.add_argument("--data-dir", type=Path)


def _add_settings(parser: argparse.ArgumentParser) -> None:
    default = "deepcac" if "deepcac" in METHODS else "cac"
    parser.add_argument("--method", default=default, help=f"one of {', '.join(METHODS)}")
    parser.add_argument("--clusters", type=whole(1), default=3)
    parser.add_argument("--alpha", type=number(0))
    parser.add_argument(
        "--tune-alpha", action="store_true", help="CAC: choose alpha by 5-fold cross-validation"
    )
    parser.add_argument("--beta", type=number(0))
    parser.add_argument("--expert", choices=EXPERT_NAMES, default="lr")
    parser.add_argument("--routing", choices=("hard", "soft"))
    parser.add_argument("--seed", type=whole(0, LARGEST_SEED), default=0)


def read(args: argparse.Namespace) -> Cohort:
    """The cohort that a command line names."""
    from cacviz.engine.cohorts import read_cohort

    return read_cohort(
        args.cohort,
        outcome=args.outcome,
        cuts=args.cut,
        quantiles=args.quantiles,
        id=args.id,
        drop=args.drop,
        missing=args.missing,
    )


def _config(args: argparse.Namespace) -> RunConfig:
    method_named(args.method)
    if args.tune_alpha and (args.alpha is not None or args.method != "cac"):
        raise ConfigError("--tune-alpha chooses CAC's alpha: leave out --alpha, and use cac.")
    return RunConfig(
        method=args.method,
        n_clusters=args.clusters,
        alpha=args.alpha,
        tune_alpha=args.tune_alpha,
        beta=args.beta,
        expert=args.expert,
        routing=args.routing,
        seed=args.seed,
    )


def _app(args: argparse.Namespace) -> int:
    """Hand over to Streamlit with the options that make it safe, wherever it is started."""
    from cacviz import runs

    if not (ROOT / "app.py").is_file():
        raise ConfigError(
            "This installation has no dashboard. Get the source and start it there with `make app`."
        )
    if args.data_dir:
        runs.use_data_dir(args.data_dir)
    os.chdir(ROOT)  # .streamlit/config.toml is read from here
    flags = {"server.port": args.port, "server.address": "127.0.0.1", "server.headless": "true"}
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    command += [f"--{name}={value}" for name, value in flags.items()]
    print(f"cacviz is at http://127.0.0.1:{args.port}", flush=True)
    os.execv(sys.executable, command)


def _fit(args: argparse.Namespace) -> int:
    """Fit in the worker, as the app does; Ctrl-C stops it cleanly."""
    from cacviz import runs

    config = _config(args)
    if args.out:
        runs.check_out(args.out)
    if args.data_dir:
        runs.use_data_dir(args.data_dir)
    cohort = _checked(read(args), config)
    run_id = runs.start_run(runs.save_cohort(cohort), config)
    try:
        for now in runs.follow(run_id):
            _say(now)
    except KeyboardInterrupt:
        runs.stop_run(run_id)
        raise
    finally:
        print(file=sys.stderr)
    if now.state != "done":
        return _fail(now.message or "The run was stopped.", code=2 if now.refused else 1)
    stored = runs.load_run(run_id)
    if args.out:
        runs.export_run(run_id, args.out)
    _print(stored, as_json=args.json, where=str(args.out) if args.out else run_id)
    return 0


def _checked(cohort: Cohort, config: RunConfig) -> Cohort:
    """The cohort if this can be fitted to it: better now than by a run that has failed."""
    from cacviz.engine.splits import check, split_cohort

    check(split_cohort(cohort, config.seed), config)
    return cohort


def _compare(args: argparse.Namespace) -> int:
    return commands_compare.compare(read, args)


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
            c.name: {name: scored.value for name, scored in c.scores.items()}
            for c in summary.controls
        },
        "notes": list(summary.notes),
    }


def _without_nan(value: Any) -> Any:
    """JSON has no word for a figure that does not exist but null."""
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print(stored: Any, *, as_json: bool, where: str) -> None:
    from cacviz.engine.notes import interval_text, subtype_name

    if as_json:
        print(json.dumps(_without_nan(result(stored, where)), allow_nan=False, default=str))
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
        print(f"beside {c.title}: auprc_macro {interval_text(c.scores['auprc_macro'])}")
    for note in summary.notes:
        print(f"Note: {note}")


if __name__ == "__main__":
    raise SystemExit(main())
