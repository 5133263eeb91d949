"""`cacviz app`: serve the dashboard on this computer."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path

from cacviz.commands.arguments import LARGEST_PORT, whole
from cacviz.ui.shell.places import served

HELP = "serve the dashboard on this computer"


def add_options(parser: argparse.ArgumentParser) -> None:
    """The port, and where data is kept."""
    parser.add_argument("--port", type=whole(1, LARGEST_PORT), default=8501)
    parser.add_argument("--data-dir", type=Path)


def run(args: argparse.Namespace) -> int:
    """Hand over to Streamlit with the options that make it safe, wherever it is started."""
    from cacviz.store import paths

    if args.data_dir:
        paths.use_data_dir(args.data_dir)
    os.chdir(served())  # .streamlit/config.toml is read from here
    flags = {"server.port": args.port, "server.address": "127.0.0.1", "server.headless": "true"}
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    command += [f"--{name}={value}" for name, value in flags.items()]
    print(f"cacviz is at http://127.0.0.1:{args.port}{_key()}", flush=True)
    os.execv(sys.executable, command)


def _key() -> str:
    """What the address needs behind it where the system does not tell whose a connection is."""
    from cacviz.store import peers

    token = os.environ.get(peers.TOKEN, "")
    if not token and not peers.tells_owners():
        token = os.environ[peers.TOKEN] = secrets.token_urlsafe(24)
    return f"/?token={token}" if token else ""
