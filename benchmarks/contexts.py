"""How quick pages stay while runs are going: 8 browser contexts, reruns timed in each.

    python -m benchmarks.contexts [--contexts 8] [--reruns 10]
    python -m benchmarks.contexts --contexts 10 --runs 5     # R9: each begins five runs as well

Needs a Chromium (see tests/browser/chromium.py). Prints p50, p95 and the slowest rerun.
"""

import argparse
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from playwright.sync_api import TimeoutError, sync_playwright

from benchmarks.clocks import seconds_until
from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.types import RunConfig
from cacviz.jobs import queue
from cacviz.jobs.environment import worker_limit
from cacviz.store import insights, paths, runs
from cacviz.store.cohorts import save_cohort
from tests.browser.chromium import FLAGS, find
from tests.browser.conftest import Server

QUICK = RunConfig(n_clusters=2)
SMALL = 300  # patients of each session's runs
AIM = 1.0  # seconds until what a rerun made is in the page, at the 95th percentile


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


def begin_long(cohort_id):
    """Four long runs, to be stopped."""
    return [
        queue.start_run(cohort_id, RunConfig(method="deepcac", epochs=400, seed=s))
        for s in range(4)
    ]


def begin_at_once(cohort_id, sessions, each):
    """So many sessions begin so many runs each, all at once: ids by the name given."""

    def session(number):
        names = [f"session {number} run {n}" for n in range(each)]
        return {name: queue.start_run(cohort_id, QUICK, name, note=name) for name in names}

    with ThreadPoolExecutor(sessions) as pool:
        begun = list(pool.map(session, range(sessions)))
    return {name: run_id for found in begun for name, run_id in found.items()}


class Workers(threading.Thread):
    """Looks again and again how many runs are at work at once."""

    def __init__(self, ids):
        super().__init__(daemon=True)
        self.ids, self.most, self.over = ids, 0, threading.Event()

    def run(self):
        while not self.over.wait(0.5):
            self.most = max(self.most, sum(map(at_work, self.ids)))


def at_work(run_id):
    """Whether a worker fits or describes this run; one that has handed its room on is not."""
    if not queue.is_live(runs.run_folder(run_id)):
        return False
    return not queue.progress(run_id).over or "coming" in insights.part_states(run_id).values()


def kept(begun, wanted):
    """Once all runs are over: what was lost of them, and whether names were mixed up."""
    for run_id in begun.values():
        list(queue.follow_run(run_id))
    rows = {row.id: row for row in runs.list_runs()}
    ours = [rows[i] for i in begun.values() if i in rows]
    clashes = wanted - len(set(begun.values()))
    clashes += sum(rows[i].card.name != name for name, i in begun.items() if i in rows)
    lost = wanted - sum(row.state == "done" and row.card.note == row.card.name for row in ours)
    return lost, clashes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--contexts", type=int, default=8)
    parser.add_argument("--reruns", type=int, default=10)
    parser.add_argument("--runs", type=int, default=0, help="that each context begins, all at once")
    args = parser.parse_args()
    executable = chromium()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        paths.use_data_dir(Path(folder))
        cohort_id = save_cohort(make_demo())
        done = queue.start_run(cohort_id, RunConfig())
        list(queue.follow_run(done))
        while "coming" in insights.part_states(done).values():
            time.sleep(0.5)
        server = Server(Path(folder)).start()
        address = f"{server.url}/subtypes?run={done}&cohort={cohort_id}"
        try:
            if not args.runs:
                return told(beside_long_runs(cohort_id, address, args, executable), args.contexts)
            return judged(address, args, executable)
        finally:
            server.kill()


def beside_long_runs(cohort_id, address, args, executable):
    going = begin_long(cohort_id)
    try:
        return measure(address, args.contexts, args.reruns, executable)
    finally:
        for run_id in going:
            queue.stop_run(run_id)


def judged(address, args, executable):
    """R9: every session's runs at once, pages used meanwhile, and nothing lost of any run."""
    begun = begin_at_once(save_cohort(make_demo(SMALL)), args.contexts, args.runs)
    watch = Workers(list(begun.values()))
    watch.start()
    try:
        seconds = measure(address, args.contexts, args.reruns, executable)
        lost, clashes = kept(begun, args.contexts * args.runs)
    finally:
        watch.over.set()
        for run_id in begun.values():
            queue.stop_run(run_id)
    print(
        f"{args.contexts} sessions x {args.runs} runs: "
        f"lost updates {lost}, name clashes {clashes}, "
        f"at work at once {watch.most} of {worker_limit()} allowed"
    )
    told(seconds, args.contexts)
    quick = np.percentile(seconds[:, 0], 95) < AIM  # drawing is the browser's, ten on this machine
    return 0 if quick and not lost and not clashes and watch.most <= worker_limit() else 1


def told(seconds, contexts):
    print(f"{contexts} browser contexts with runs going, {len(seconds)} reruns:")
    for what, column in zip(("in the page", "drawn on screen"), seconds.T, strict=True):
        p50, p95 = np.percentile(column, [50, 95])
        print(f"  rerun {what}: p50 {p50:.2f} s, p95 {p95:.2f} s, slowest {column.max():.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
