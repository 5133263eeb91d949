"""How long a page of a finished run takes to open, and a change of the map's colour to show.

    python -m benchmarks.page_speed [--data-dir DIR]

Uses the newest finished run in DIR, or makes one of the demo cohort. The tab is open already, as it
is for whoever goes from page to page; times are by the browser's own clock.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks.clocks import seconds_until
from benchmarks.contexts import chromium, colour_seconds, open_subtypes
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.types import RunConfig
from cacviz.jobs import queue
from cacviz.store import insights, paths, runs
from cacviz.store.cohorts import save_cohort
from tests.browser.chromium import FLAGS
from tests.browser.conftest import Server

# The page's script has ended, with the last of its content in place.
ENDED = """document.querySelector("h1")?.textContent.startsWith("%s") &&
           document.querySelector('[data-test-script-state="notRunning"]')"""
PAGES = ("What differs", "Risk factors", "Subtypes")


def open_seconds(page, title):
    """Go to a page by the navigation."""
    link = page.get_by_test_id("stSidebarNavLink").get_by_text(title, exact=True)
    return seconds_until(page, ENDED % title, link.click)[0]


def measure(url, rounds, executable):
    opened, coloured = {title: [] for title in PAGES}, []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        page = open_subtypes(browser, url)
        for _ in range(rounds):
            for title in PAGES:
                opened[title].append(open_seconds(page, title))
                page.wait_for_timeout(1500)
            coloured += [colour_seconds(page, c) for c in ("Outcome", "Risk", "Subtype")]
        browser.close()
    return opened, np.array(coloured)


def finished_run(folder):
    """The newest finished run with its insights, and its cohort; made of the demo where none is."""
    paths.use_data_dir(folder)
    done = [row for row in runs.list_runs() if row.state == "done"]
    if not done:
        run_id = queue.start_run(save_cohort(make_demo()), RunConfig())
        list(queue.follow_run(run_id))
        done = [row for row in runs.list_runs() if row.state == "done"]
    while "coming" in insights.part_states(done[0].id).values():
        time.sleep(0.5)
    return done[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    executable = chromium()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        folder = args.data_dir or Path(made)
        run = finished_run(folder)
        server = Server(folder).start()
        try:
            opened, coloured = measure(
                f"{server.url}/subtypes?run={run.id}", args.rounds, executable
            )
        finally:
            server.kill()
    for title, seconds in opened.items():
        print(f"{title} opens in {np.median(seconds):.2f} s, slowest {max(seconds):.2f} (under 1)")
    there, drawn = np.median(coloured, axis=0)
    print(
        f"a colour change is in the page after {there:.2f} s, drawn after {drawn:.2f} (under 0.5)"
    )


if __name__ == "__main__":
    main()
