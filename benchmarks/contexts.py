"""How quick pages stay while runs are going: 8 browser contexts, reruns timed in each.

    python -m benchmarks.contexts [--contexts 8] [--reruns 10]

Needs a Chromium (see tests/browser/chromium.py). Prints one line: p50, p95 and the slowest rerun.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from cacviz import runs
from cacviz.engine.demo import make_demo
from cacviz.engine.types import RunConfig
from cacviz.runs import insights
from tests.browser.chromium import FLAGS, find
from tests.browser.conftest import Server


def rerun_seconds(page, choice):
    """Pick another colour of the map and wait until the page has settled."""
    page.get_by_role("combobox", name="Colour by").fill(choice)
    option = page.get_by_role("option").filter(has_text=choice).first
    option.wait_for()
    began = time.perf_counter()
    option.click()
    page.locator('[data-test-script-state="running"]').or_(
        page.locator('[data-test-script-state="notRunning"]')
    ).first.wait_for(state="attached")
    page.locator('[data-test-script-state="notRunning"]').wait_for(state="attached")
    return time.perf_counter() - began


def measure(url, n_contexts, n_reruns, executable):
    choices = ["Outcome", "Risk", "Subtype"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        pages = [browser.new_context().new_page() for _ in range(n_contexts)]
        for page in pages:
            page.goto(url)
            page.get_by_role("heading", name="Patient map").wait_for(timeout=120_000)
        seconds = [
            rerun_seconds(page, choices[number % len(choices)])
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
    executable = find()
    if executable is None:
        return "No Chromium was found; install one or name it in CACVIZ_CHROMIUM."
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        runs.use_data_dir(Path(folder))
        cohort_id = runs.save_cohort(make_demo())
        done = runs.start_run(cohort_id, RunConfig())
        list(runs.follow(done))
        while "coming" in insights.part_states(done).values():
            time.sleep(0.5)
        going = [
            runs.start_run(cohort_id, RunConfig(method="deepcac", epochs=400, seed=s))
            for s in range(4)
        ]
        server = Server(Path(folder)).start()
        address = f"{server.url}/subtypes?run={done}&cohort={cohort_id}"
        try:
            seconds = measure(address, args.contexts, args.reruns, executable)
        finally:
            for run_id in going:
                runs.stop_run(run_id)
            server.kill()
    p50, p95 = np.percentile(seconds, [50, 95])
    print(
        f"{args.contexts} browser contexts with runs going, {len(seconds)} reruns: "
        f"p50 {p50:.2f} s, p95 {p95:.2f} s (under 1), slowest {seconds.max():.2f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
