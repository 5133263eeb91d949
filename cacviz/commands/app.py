"""`cacviz app`: serve the dashboard on this computer, or to a ward (`--server`)."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path

from cacviz.commands import serving
from cacviz.commands.arguments import LARGEST_PORT, whole
from cacviz.ui.shell.places import served

HELP = "serve the dashboard on this computer, or to several people"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The port, where data is kept, and what a server for several people needs."""
    parser.add_argument("--port", type=whole(1, LARGEST_PORT), default=8501)
    parser.add_argument("--data-dir", type=Path)
    serving.add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Hand over to Streamlit with the options that make it safe, wherever it is started."""
    from cacviz.jobs import compiling
    from cacviz.store import paths

    flags = {"server.port": args.port, "server.address": "127.0.0.1", "server.headless": "true"}
    flags |= serving.prepare(args)
    if args.data_dir and not args.server:
        paths.use_data_dir(args.data_dir)
    compiling.begin()  # so that the first run need not
    os.chdir(served())  # .streamlit/config.toml is read from here
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    for name, value in flags.items():
        command += [f"--{name}={one}" for one in (value if isinstance(value, list) else [value])]
    if args.server:
        print(f"cacviz serves {serving.shown(args)}", flush=True)
    else:
        print(f"cacviz is at http://127.0.0.1:{args.port}{_key()}", flush=True)
    os.execv(sys.executable, command)


def _key() -> str:
    """What the address needs behind it where the system does not tell whose a connection is."""
    from cacviz.store import peers

    token = os.environ.get(peers.TOKEN, "")
    if not token and not peers.tells_owners():
        token = os.environ[peers.TOKEN] = secrets.token_urlsafe(24)
    return f"/?token={token}" if token else ""
