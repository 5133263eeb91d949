"""S2, S3 and S9: a whole tour where there is no network, and what it tried, missed and left behind.

    python -m benchmarks.nothing_leaves              # all three, minutes
    python -m benchmarks.nothing_leaves S2           # judged by this promise alone
    python -m benchmarks.nothing_leaves --short      # the uploaded cohort alone, without a PDF

Begins itself again in a network of its own that has loopback and nothing else, and starts the app
and the browser under strace there. Somebody opens the demo and a file whose name, headers, cells
and notes carry a word, visits every page, presses what is to be pressed and takes every file.
Needs Linux with unshare, ip and strace, and a Chromium (see tests/browser/chromium.py).
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil
from playwright.sync_api import sync_playwright

from benchmarks.contexts import chromium
from benchmarks.leaving_tour import Seen, demo_tour, open_exports, own_tour
from benchmarks.leaving_traces import (
    CANARY,
    PROBE,
    beyond,
    holding,
    may_dump,
    named_with,
    not_private,
    started,
)
from cacviz.store import paths
from tests.browser.chromium import FLAGS
from tests.browser.conftest import ROOT, Server

PROMISES = ("S2", "S3", "S9")
TOOLS = ("unshare", "ip", "strace")
ALONE = 'ip link set lo up && mount -t tmpfs none /dev/shm && exec "$@"'
SHARED = Path("/dev/shm")
# the browser's own services are not looked for: what is left is asked for by a page
QUIET = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
CALLS = "execve,connect,sendto,sendmsg,sendmmsg"
STRACE = ("strace", "-f", "-qq", "--seccomp-bpf", "-e", f"trace={CALLS}")
IN_FULL = ("-v", "-s", "8192")  # a program's words and its environment


class Figure(NamedTuple):
    """A line of what was found, the promise it is about, and whether it holds."""

    promise: str
    said: str
    holds: bool


class Watched(Server):
    """The app under strace, with a home, a temporary folder and a log of its own."""

    def __init__(self, root: Path):
        super().__init__(root / "data")
        self.root = root
        for name in ("data", "home", "temporary"):
            (root / name).mkdir(mode=0o700, exist_ok=True)

    def log(self):
        return self.root / "server.log"

    def command(self):
        own = (f"HOME={self.root / 'home'}", f"TMPDIR={self.root / 'temporary'}", "XDG_CACHE_HOME=")
        dumps = ["sh", "-c", 'ulimit -c unlimited 2>/dev/null; umask 022; exec "$@"', "sh"]
        traced = [
            *STRACE,
            *IN_FULL,
            "-o",
            str(self.root / "server.trace"),
            "env",
            *own,
            *super().command(),
        ]
        return [*dumps, *traced]

    def tree(self):
        """The processes of the app: its own, and jobs that have left its family."""
        mark = f"TMPDIR={self.root / 'temporary'}".encode()
        found = []
        for process in psutil.process_iter(["name"]):
            with suppress(OSError):
                if mark in Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0"):
                    found.append(process)
        return [p for p in found if p.info["name"] not in ("strace", "sh")]

    def end(self):
        """As by Ctrl-C; then wait until whatever it began has ended too."""
        for process in self.tree():
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGINT if "streamlit" in words_of(process) else 0)
        until = time.monotonic() + 60
        while self.tree() and time.monotonic() < until:
            time.sleep(0.2)
        for process in self.tree():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.kill()


def words_of(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return process.cmdline()
    return []


def named(process: psutil.Process) -> str:
    """The module that a process runs, or the program."""
    words = words_of(process) or ["gone"]
    return words[words.index("-m") + 1] if "-m" in words[:-1] else words[0]


def only_loopback() -> bool:
    return {name for _, name in socket.if_nameindex()} == {"lo"}


def in_own_network(arguments: list[str]) -> int:
    """This script again where loopback is all there is."""
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if lacking:
        return refuse(f"{' and '.join(lacking)} cannot be found")
    fence = ["unshare", "-rnm", "sh", "-c", ALONE, "sh"]
    tried = subprocess.run([*fence, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        return refuse(tried.stderr.strip() or "the system refuses")
    command = [sys.executable, "-m", "benchmarks.nothing_leaves", *arguments]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run([*fence, *command], cwd=ROOT, env=env, check=False).returncode


def refuse(why: str) -> int:
    print(f"No network of its own can be made here, so nothing was tried: {why}.", file=sys.stderr)
    return 2


def traced_browser(root: Path) -> str:
    """A command that starts the browser under strace."""
    script = root / "browser"
    command = " ".join([*STRACE, "-s", "0", "-o", str(root / "browser.trace"), chromium()])
    script.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    script.chmod(0o700)
    return str(script)


def tour(root: Path, short: bool) -> tuple[Seen, list[str]]:
    """What the browser saw, and the processes that might have left a core dump."""
    (root / "taken").mkdir()
    os.environ[paths.DATA_DIR] = str(root / "data")
    server, seen = Watched(root).start(), Seen(root / "taken")
    try:
        with sync_playwright() as playwright:
            path = traced_browser(root)
            browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, QUIET])
            if not short:
                demo_tour(browser, server.url, seen)
            own_tour(browser, server.url, seen, root, short=short)
            open_exports(browser, seen)
            dumping = [named(p) for p in server.tree() if may_dump(p.pid)]
            browser.close()
    finally:
        server.end()
    return seen, dumping


def judged(root: Path, seen: Seen, dumping: list[str]) -> list[Figure]:
    """All figures of the tour."""
    return [*leaving(root, seen), *offline(seen), *hygiene(root, seen, dumping)]


def leaving(root: Path, seen: Seen) -> list[Figure]:
    found = []
    for who in ("server", "browser"):
        trace = root / f"{who}.trace"
        asked, programs = beyond(trace), len(started(trace))
        places = [place for place in asked if place != PROBE]
        said = f"nothing leaves: {counted(places, 'calls beyond this computer')} by the {who}"
        said += f" ({programs} programs, {len(asked) - len(places)} looks for a way by Chromium)"
        found.append(Figure("S2", said, programs > 0 and not places))
    said = f"nothing leaves: {seen.requests} requests of pages and exported files"
    asked = counted(seen.outside, "to other places")
    return [*found, Figure("S2", f"{said}, {asked}", not seen.outside)]


def offline(seen: Seen) -> list[Figure]:
    said = f"offline: {seen.visits} visits to pages, {len(seen.taken)} files taken"
    lost = f"{counted(seen.missing, 'fonts, icons or parts missing')}"
    first = Figure("S3", f"{said}, {lost}", not seen.missing)
    faults = counted(seen.errors, "errors in the console or on a page")
    own = f"{counted(seen.of_exports, 'requests of the exported HTML')} ({seen.exports} files)"
    holds = not seen.errors and not seen.of_exports and seen.exports > 0
    return [first, Figure("S3", f"offline: {faults}, {own}", holds)]


def hygiene(root: Path, seen: Seen, dumping: list[str]) -> list[Figure]:
    logs = holding([root / "server.log", *sorted((root / "data").rglob("*.log"))])
    titles = [line for line in started(root / "server.trace") if CANARY in line]
    left = holding([root / "home", root / "temporary", SHARED])
    named = named_with(root / "data")
    words = {
        "in logs": logs,
        "in addresses": seen.told,
        "in process titles": titles,
        "in names of files": named,
        "left in temporary folders": left,
    }
    found = ", ".join(counted(files, where) for where, files in words.items())
    said = f"patients' words: {found}"
    many, open_to = not_private(root / "data")
    kept = len(holding([root / "data"]))
    private = (
        f"private: {many} files and folders of the store, {counted(open_to, 'open to others')}"
    )
    dumps = counted(dumping, "processes that may leave a core dump")
    return [
        Figure(
            "S9", f"{said} (in {kept} files of the store)", kept > 0 and not any(words.values())
        ),
        Figure("S9", f"{private}; {dumps}", many > 0 and not open_to and not dumping),
    ]


def counted(found: list[str], what: str) -> str:
    few = sorted(set(found))[:3]
    return f"{len(found)} {what}" + (f" {few}" if few else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("promises", nargs="*", help=", ".join(PROMISES))
    parser.add_argument("--short", action="store_true")
    asked = parser.parse_args()
    if not only_loopback():
        return in_own_network(sys.argv[1:])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        seen, dumping = tour(Path(folder), asked.short)
        figures = judged(Path(folder), seen, dumping)
    wanted = [f for f in figures if f.promise in (asked.promises or PROMISES)]
    for figure in wanted:
        print(figure.said, flush=True)
    return 0 if all(figure.holds for figure in wanted) else 1


if __name__ == "__main__":
    sys.exit(main())
