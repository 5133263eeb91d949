"""How long until a choice is on screen: 10,000 patients × 100 columns, in Chromium.

    python -m benchmarks.choice_speed

A column is left out, brought back, another outcome event is chosen: from the click until every
figure in the sidebar and the page says so. Checks go on aside and are not waited for.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import expect, sync_playwright

from benchmarks.clocks import says, seconds_until
from tests.browser.chromium import FLAGS, find
from tests.browser.conftest import Server

N, COLUMNS, TIMES = 10_000, 100, 12


def cohort_file(folder: Path) -> Path:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(N, COLUMNS)), columns=[f"x{i}" for i in range(COLUMNS)])
    frame["died"] = np.where(frame["x0"] + rng.normal(size=N) > 1.5, "yes", "no")
    path = folder / "large.csv"
    frame.round(4).to_csv(path, index=False)
    return path


def main() -> None:
    expect.set_options(timeout=120_000)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(folder).start()
        browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(120_000)
        page.goto(f"{server.url}/cohort")
        page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
            cohort_file(Path(folder))
        )
        expect(page.get_by_role("heading", name="large.csv")).to_be_visible()
        pick(page, "Outcome column", "died", says("Outcome: died = yes", "stSidebar"))
        page.wait_for_timeout(15_000)  # the first checks
        took = []
        for number in range(TIMES):
            there = says(f"{COLUMNS - number - 1} features", "stSidebar")
            took.append(pick(page, "Leave out", f"x{number + 1}", there))
            page.keyboard.press("Escape")
        server.kill()
    print(
        f"a choice is on screen after {np.median(took):.2f} s (median), {max(took):.2f} s (longest)"
    )


def pick(page, label: str, option: str, there: str) -> float:
    box = page.get_by_role("combobox", name=label, exact=True)
    box.evaluate("e => e.scrollIntoView({block: 'center'})")
    box.fill(option)
    found = page.get_by_role("option", name=option, exact=True).first
    expect(found).to_be_visible()
    return seconds_until(page, there, found.click)[1]


if __name__ == "__main__":
    main()
