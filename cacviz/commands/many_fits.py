"""What `cacviz compare` and `cacviz sweep` share: options, where fits run, rows as they come."""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from cacviz.commands.arguments import file_to_write, whole
from cacviz.engine.exceptions import ConfigError
from cacviz.engine.running.settings import EXPERT_NAMES

Rows = list[dict[str, Any]]


def add_fits(parser: argparse.ArgumentParser, out: Path) -> None:
    """The risk model, where and how many at once, and where the rows go."""
    parser.add_argument("--expert", choices=EXPERT_NAMES, help="risk model of CAC and k-means")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler to use")
    parser.add_argument("--jobs", type=whole(1), help="fits at once; one a core where left out")
    parser.add_argument(
        "--out",
        type=file_to_write,
        default=out,
        help="rows as they come; the same command goes on where it was",
    )


def cluster_numbers(text: str) -> list[int]:
    """The k of --clusters."""
    try:
        return [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise ConfigError(f"--clusters is '{text}'; write numbers as 2,3,4.") from None


def use_places(args: argparse.Namespace) -> None:
    """Take the store and the workers asked for; a scheduler better now than after reading."""
    from cacviz.engine.running.many import connect
    from cacviz.store import paths

    if args.data_dir:
        paths.use_data_dir(args.data_dir)
    if args.jobs:
        os.environ["CACVIZ_WORKERS"] = str(args.jobs)
    if args.scheduler:
        connect(args.scheduler).close()


class RowFile:
    """The file of --out: written anew where there are new rows, with a line on progress."""

    def __init__(self, out: Path, total: int, as_csv: Callable[[Rows], str]) -> None:
        self.out, self.total, self.as_csv, self.known = out, total, as_csv, -1

    def keep(self, rows: Rows) -> None:
        from cacviz.store import atomic

        if len(rows) == self.known:
            return
        with atomic.explained(f"'{self.out}'"):
            atomic.write_file(self.out, self.as_csv(rows).encode())
        print(f"{len(rows)} of {self.total} fits done", file=sys.stderr, flush=True)
        self.known = len(rows)

    def follow(
        self, steps: Iterable[Any], rows: Callable[[], Rows], stop: Callable[[], Any]
    ) -> Rows:
        """Keep rows until the job has ended; Ctrl-C stops it."""
        try:
            for _ in steps:
                self.keep(rows())
        except KeyboardInterrupt:
            stop()
            raise
        self.keep(rows())
        return rows()


def csv_text(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def another_file(out: Path) -> ConfigError:
    """Nothing is written over that is not of this very command."""
    return ConfigError(
        f"'{out}' is there already and is not from this cohort and these settings. Name "
        "another file with --out."
    )
