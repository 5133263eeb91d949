"""The report as PDF, printed by a Chromium where there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from cacviz.store.atomic import StoreError

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "msedge",
    "chrome",
)
PATIENCE = 120  # seconds
NONE = (
    "No PDF could be made: that needs a Chromium, Chrome or Edge beside cacviz, and none was "
    "found. Open the HTML report in a browser and print it to PDF, or name a browser in "
    "CACVIZ_CHROMIUM."
)


def find_browser() -> str | None:
    """Path of a browser that prints, or None."""
    named = os.environ.get("CACVIZ_CHROMIUM")
    return named or next((path for path in map(shutil.which, NAMES) if path), None)


def as_pdf(page: str) -> bytes:
    """An HTML page that needs nothing from outside, as PDF."""
    browser = find_browser()
    if browser is None:
        raise StoreError(NONE)
    with tempfile.TemporaryDirectory(prefix="cacviz-") as scratch:
        home = Path(scratch)
        (home / "report.html").write_text(page, encoding="utf-8")
        command = [browser, *_flags(home), f"--print-to-pdf={home / 'report.pdf'}"]
        command.append((home / "report.html").as_uri())
        try:
            subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
            return (home / "report.pdf").read_bytes()
        except (OSError, subprocess.TimeoutExpired) as error:
            raise StoreError(f"{NONE} ('{browser}' did not print it.)") from error


def _flags(home: Path) -> list[str]:
    flags = ["--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer"]
    flags += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    flags += [f"--user-data-dir={home / 'profile'}", "--disable-extensions"]
    flags.append("--host-resolver-rules=MAP * ~NOTFOUND")  # its own services are not looked for
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium refuses root with it
    return flags
