"""`cacviz people`: who may come in to a server for several people."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

HELP = "who may come in to a server: add, remove, list"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to do, with whom, of which server."""
    parser.add_argument("what", choices=("add", "remove", "list"))
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--data-dir", type=Path, required=True, help="the server's folder")
    parser.add_argument(
        "--at", default="http://127.0.0.1:8501", help="the address that people open"
    )
    parser.add_argument("--with-data", action="store_true", help="remove their data for good, too")


def run(args: argparse.Namespace) -> int:
    """Change or show the people of a server that runs or does not."""
    from cacviz.store import people

    root = args.data_dir.expanduser().absolute()
    if args.what == "add":
        token = people.add_person(root, args.name)
        print(f"{args.at.rstrip('/')}/?token={token}")
    elif args.what == "remove":
        people.remove_person(root, args.name, with_data=args.with_data)
    else:
        for person in people.people_of(root):
            print(f"{person.name}\t{time.strftime('%Y-%m-%d', time.localtime(person.since))}")
    return 0
