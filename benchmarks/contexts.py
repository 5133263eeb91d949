"""How quick pages stay while runs are going: 8 browser contexts, reruns timed in each.

    python -m benchmarks.contexts [--contexts 8] [--reruns 10]

Needs a Chromium (see tests/browser/chromium.py). Prints p50, p95 and the slowest rerun.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import TimeoutError, sync_playwright

from benchmarks.clocks import seconds_until
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.types import RunConfig
from cacviz.jobs import queue
from cacviz.store import insights, paths
from cacviz.store.cohorts import save_cohort
from tests.browser.chromium import FLAGS, find
from tests.browser.conftest import Server


def chromium():
    """The browser to measure with, or the end of the script in one sentence."""
    return find() or sys.exit("No Chromium was found; install one or name it in CACVIZ_CHROMIUM.")


def colour_seconds(page, choice):
    """Pick another colour of the map: seconds until it is in the page, and until it is drawn."""
    box, option = _box(page), page.get_by_role("option", name=choice, exact=True)
    page.bring_to_front()
    box.click()
    try:
        option.wait_for(timeout=3_000)
    except TimeoutError:  # the list closes when the page moves under it
        box.press("ArrowDown")
    option.wait_for()
    there = f"""document.querySelector('[aria-label*="coloured by {choice}"]')"""
    return seconds_until(page, there, option.click)


def _box(page):
    return page.get_by_role("combobox", name="Colour by")


def _map_by(page, choice):
    return page.get_by_label(f"coloured by {choice}").first


def open_subtypes(browser, url):
    page = browser.new_context().new_page()
    page.goto(url)
    _map_by(page, "Subtype").wait_for(state="attached", timeout=120_000)
    _box(page).scroll_into_view_if_needed()
    return page


def measure(url, n_contexts, n_reruns, executable):
    choices = ["Outcome", "Risk", "Subtype"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        pages = [open_subtypes(browser, url) for _ in range(n_contexts)]
        seconds = [
            colour_seconds(page, choices[number % len(choices)])
            for number in range(n_reruns)
            for page in pages
        ]
        browser.close()
    return np.array(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--contexts", type=int, default=8)
    parser.add_argument("--reruns", type=int, default=10)
    args = parser.parse_args()
    executable = chromium()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        paths.use_data_dir(Path(folder))
        cohort_id = save_cohort(make_demo())
        done = queue.start_run(cohort_id, RunConfig())
        list(queue.follow_run(done))
        while "coming" in insights.part_states(done).values():
            time.sleep(0.5)
        going = [
            queue.start_run(cohort_id, RunConfig(method="deepcac", epochs=400, seed=s))
            for s in range(4)
        ]
        server = Server(Path(folder)).start()
        address = f"{server.url}/subtypes?run={done}&cohort={cohort_id}"
        try:
            seconds = measure(address, args.contexts, args.reruns, executable)
        finally:
            for run_id in going:
                queue.stop_run(run_id)
            server.kill()
    print(f"{args.contexts} browser contexts with runs going, {len(seconds)} reruns:")
    for what, column in zip(("in the page", "drawn on screen"), seconds.T, strict=True):
        p50, p95 = np.percentile(column, [50, 95])
        print(f"  {what}: p50 {p50:.2f} s, p95 {p95:.2f} s, slowest {column.max():.2f} s")


if __name__ == "__main__":
    main()
