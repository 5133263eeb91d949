"""The worst of damaged files through the page Cohort in Chromium: TRUST.md, R2.

    python -m benchmarks.worst_files_shown [--files 100] [--from 1000]

Of the damaged files of benchmarks/fuzz_files.py those that were refused or took longest are opened
as a clinician would. Each must end with a table or with words, and the app must go on answering.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.contexts import chromium
from benchmarks.fuzz_files import damaged, run, sound_files
from tests.browser.chromium import FLAGS
from tests.browser.conftest import Server
from tests.browser.steps import rest

SEED = 2  # other files than those of R1
LONG = 30_000  # ms until there are words


def worst(number: int, among: int) -> list[int]:
    """The numbers of the files that were refused, or took longest, first."""
    rows = sorted(run(among, SEED), key=lambda r: (r["result"] == "table", -r["seconds"]))
    return [row["number"] for row in rows[:number]]


def opened(page: Page, url: str, path: Path) -> str:
    """How opening a file ended: table, words, or what was wrong."""
    try:
        page.goto(f"{url}/cohort")
        field = page.get_by_label("One row per patient or stay")
        field.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(path)
        main = page.get_by_test_id("stMain")
        table = main.get_by_role("heading", level=2, name=path.name)
        by_name = main.get_by_test_id("stFileChipIconError")  # a kind that is not read
        words = main.get_by_test_id("stAlert").or_(by_name)
        expect(table.or_(words).first).to_be_visible(timeout=LONG)
        rest(page)
        if page.get_by_test_id("stException").count():
            return "fault shown"
        return "table" if table.count() else "words"
    except AssertionError:
        return "nothing said"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--from", dest="among", type=int, default=1000)
    args = parser.parse_args()
    bases, ends, slowest = sound_files(), [], 0.0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made, sync_playwright() as p:
        home, files = Path(made) / "home", Path(made) / "files"
        home.mkdir()
        files.mkdir()
        server = Server(home).start()
        try:
            browser = p.chromium.launch(executable_path=chromium(), args=FLAGS)
            for number in worst(args.files, args.among):
                data, name = damaged(bases, SEED, number)
                path = files / name
                path.write_bytes(data)
                began = time.monotonic()
                if not ends or ends[-1] != "words":  # an open cohort goes with its window
                    window = browser.new_context()
                ends.append(
                    opened(window.pages[0] if window.pages else window.new_page(), server.url, path)
                )
                slowest = max(slowest, time.monotonic() - began)
                if ends[-1] not in ("table", "words"):
                    print(f"file {number} ({name}): {ends[-1]}", flush=True)
            browser.close()
        finally:
            server.close()
    wrong = len(ends) - ends.count("table") - ends.count("words")
    print(
        f"worst files shown: {len(ends)} opened, {ends.count('table')} a table, "
        f"{ends.count('words')} refused in words, {wrong} otherwise; slowest {slowest:.1f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
