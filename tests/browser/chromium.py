"""Finds a Chromium for the browser tests, or installs Debian's; says so where it cannot."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find():
    """Path of a Chromium, or None."""
    named = os.environ.get("CACVIZ_CHROMIUM")
    return named or next((path for path in map(shutil.which, NAMES) if path), None)


def install():
    """Debian's package, where we are root and apt is there; quiet unless it fails."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-qq", "-y", "chromium"]):
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)


def main():
    if find() is None:
        install()
    path = find()
    sys.stdout.write(
        f"Browser tests use {path}.\n"
        if path
        else "No Chromium was found and none could be installed: browser tests are skipped. "
        "Install one, or name it in CACVIZ_CHROMIUM.\n"
    )


if __name__ == "__main__":
    main()
