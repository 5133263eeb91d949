"""The command `cacviz`: which commands there are, and how a wrong call ends."""

from __future__ import annotations

import argparse
from typing import NoReturn

from cacviz.commands import (
    app,
    compare,
    export,
    fit,
    importing,
    people,
    predict,
    report,
    rule,
    sweep,
    validate,
)
from cacviz.commands.ending import fail
from cacviz.engine.exceptions import CohortError, ConfigError

COMMANDS = {
    **{"app": app, "fit": fit, "compare": compare, "sweep": sweep, "predict": predict},
    **{"report": report, "export": export, "import": importing},
    **{"rule": rule, "validate": validate, "people": people},
}


def main(arguments: list[str] | None = None) -> int:
    """Run a command; a wrong call or a bad file is one line on standard error and code 2."""
    from cacviz.store.atomic import StoreError, explain
    from cacviz.store.unix import no_core_dump

    no_core_dump()  # it would hold patients
    args = _parser().parse_args(arguments)
    try:
        return args.run(args)
    except (CohortError, ConfigError, StoreError) as error:
        return fail(str(error))
    except OSError as error:
        return fail(explain(error, f"'{error.filename}'" if error.filename else "A file"))
    except KeyboardInterrupt:
        return fail("Stopped.", code=130)


class _Parser(argparse.ArgumentParser):
    """argparse prints the usage too; one line is enough."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"cacviz: {message}. See `{self.prog} --help`.\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="cacviz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    for name, module in COMMANDS.items():
        command = commands.add_parser(name, help=module.HELP)
        module.add_options(command)
        command.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
