"""What somebody waits for in the browser, and what the app's process holds, as a table.

    python -m benchmarks.app_speed                            # 100,000 patients x 50, and the demo
    python -m benchmarks.app_speed --rows 20000 --visits 20   # smaller
    python -m benchmarks.app_speed --data-dir DIR             # with the newest finished run in DIR

Opens the demo, uploads a table, chooses its outcome, runs CAC, turns to each page, colours the map
and leaves patients out; then visits pages in fresh tabs and reads the memory of the app's process.
Times are by the browser's own clock, from the press to the end of the page's script. Needs a
Chromium (see tests/browser/chromium.py).
"""

import argparse
import os
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
from playwright.sync_api import expect, sync_playwright

from benchmarks.clocks import says, seconds_until
from benchmarks.contexts import chromium, colour_seconds
from benchmarks.page_speed import open_seconds
from cacviz.store import cohorts, insights, paths, runs
from cacviz.ui.shell.navigation import PAGES
from tests.browser.chromium import FLAGS
from tests.browser.conftest import Server
from tests.browser.steps import HEADINGS, at_rest, drag_around, pick, rest, upload

MEGABYTE = 2**20
LARGE = "big.csv"


def make_table(path, n_rows, n_columns):
    """Laboratory values of three kinds of patients, with gaps, and an outcome."""
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 3, n_rows)
    values = rng.normal(size=(n_rows, n_columns - 4))
    for k in (1, 2):
        values[kind == k] += rng.normal(0, 0.8, n_columns - 4)
    frame = pd.DataFrame(values.round(4), columns=[f"lab_{i + 1}" for i in range(n_columns - 4)])
    frame = frame.mask(rng.random(frame.shape) < 0.05)
    frame["age"] = rng.normal(62, 15, n_rows).clip(18, 95).round()
    frame["sex"] = rng.choice(["female", "male"], n_rows)
    risk = np.choose(kind, [values[:, 0], values[:, 1], -values[:, 2]])
    frame["died"] = np.where(risk + rng.normal(size=n_rows) > 1.5, "yes", "no")
    frame.insert(0, "stay_id", np.arange(1, n_rows + 1))
    frame.to_csv(path, index=False)
    return frame.memory_usage(deep=False).sum() / MEGABYTE


class Table:
    """Rows of what was done, how long it took and what is aimed at; printed as they come."""

    def __init__(self, server):
        self.server = server
        print("| what | seconds | aimed at | app, MB |\n|---|---|---|---|", flush=True)

    def row(self, what, seconds, aim):
        said = f"{aim:g}" if aim else ""
        print(f"| {what} | {seconds:.2f} | {said} | {memory(self.server):.0f} |", flush=True)

    @contextmanager
    def timed(self, what, aim=None):
        began = time.perf_counter()
        yield
        self.row(what, time.perf_counter() - began, aim)


def memory(server):
    """Megabytes of the process that serves pages; its helper and workers are others."""
    return psutil.Process(server.process.pid).memory_info().rss / MEGABYTE


def first_paint(table, browser, url):
    """From nothing to the first page on screen."""
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    page.set_default_timeout(120_000)
    with table.timed("first page after the start", 3):
        page.goto(url)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        rest(page)
    return page


def open_demo(table, page):
    with table.timed("open the demo"):
        page.get_by_role("button", name="Explore the demo ICU cohort").click()
        expect(page.get_by_role("heading", name="Patient map")).to_be_visible()
        rest(page)


def open_large(table, page, url, file):
    """Upload, choose the outcome, leave a column out, ask for a subgroup."""
    page.goto(f"{url}/cohort")
    rest(page)
    if page.get_by_text("Open another cohort").count():
        page.get_by_text("Open another cohort").click()
    with table.timed("upload to first view", 5):
        upload(page, file, timeout=120_000)
    with table.timed("choose the outcome, with the checks", None):
        pick(page, "Outcome column", "died")
    expect(page.get_by_role("heading", name="Checks")).to_be_visible()
    rest(page)
    left = choose(page, "Leave out", "lab_9", says("left out: lab_9", "stSidebar"))
    table.row("leave a column out, said in the sidebar", left, 0.5)
    page.get_by_role("tab", name="Subgroup").click()
    counted = choose(page, "Conditions on", "lab_3", says("lab_3, from"))
    table.row("filter: patients of a subgroup counted", counted, 0.5)


def choose(page, label, option, there):
    """Seconds from the press on an option until the page says what it changes."""
    box = page.get_by_role("combobox", name=label, exact=True)
    box.evaluate("e => e.scrollIntoView({block: 'center'})")
    box.fill(option)
    seconds = seconds_until(page, there, page.get_by_role("option", name=option, exact=True).click)
    page.keyboard.press("Escape")
    rest(page)
    return seconds[1]


def run_cac(table, page):
    page.get_by_test_id("stSidebarNavLink").get_by_text("Find subtypes", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Find subtypes", exact=True)).to_be_visible()
    rest(page)
    with table.timed("run CAC, with its controls"):
        page.get_by_role("button", name="Find subtypes").last.click()
        expect(page.get_by_text("The run is finished.")).to_be_visible(timeout=900_000)


def newest_run(folder):
    """The newest finished run, once all its insights are there."""
    paths.use_data_dir(folder)
    run = next(row for row in runs.list_runs() if row.state == "done")
    while "coming" in insights.part_states(run.id).values():
        time.sleep(0.5)
    return run


def each_page(table, page, aim):
    """Every page by the navigation, twice: the second time is shown, helpers are awake."""
    for title, _ in PAGES.values():
        if title not in HEADINGS and title != "Method":
            slow = open_seconds(page, title)
            rest(page)
            page.get_by_test_id("stSidebarNavLink").get_by_text("Runs", exact=True).click()
            expect(page.get_by_role("heading", level=1, name="Runs", exact=True)).to_be_visible()
            rest(page)
            quick = open_seconds(page, title) if title != "Runs" else slow
            rest(page)
            table.row(f"page {title} (first time {slow:.2f})", quick, aim)


def colours(table, page, aim):
    open_seconds(page, "Subtypes")
    rest(page)
    page.get_by_role("combobox", name="Colour by").scroll_into_view_if_needed()
    seconds = [colour_seconds(page, choice)[1] for choice in ("Outcome", "Risk", "Subtype")]
    table.row("colour of the map, drawn", float(np.median(seconds)), aim)


def lassoed(table, page, aim):
    """A loop around the middle of the map, until the page tells who was picked."""
    plot = page.get_by_test_id("stPlotlyChart").first
    plot.scroll_into_view_if_needed()
    box = at_rest(page, plot.locator(".nsewdrag"))
    told = says("patients, compared with")
    seconds = seconds_until(page, told, lambda: drag_around(page, box), event="mouseup")
    table.row("lasso: who was picked", seconds[1], aim)
    page.keyboard.press("Escape")


def visits(browser, server, run, many):
    """Pages in fresh tabs that are closed again: what the process holds after each tenth."""
    held, names = [], [name for name in PAGES if name != "method"]
    for number in range(many):
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{server.url}/{names[number % len(names)]}?run={run.id}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        rest(page)
        context.close()
        held.append(memory(server))
        if number % 10 == 9:
            print(f"after {number + 1} visits in fresh tabs: {held[-1]:.0f} MB", flush=True)
    return held


def tabs(browser, server, run, many):
    """So many tabs of one cohort at once."""
    context = browser.new_context()
    names = [name for name in PAGES if name != "method"]
    for number in range(many):
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{server.url}/{names[number % len(names)]}?run={run.id}")
        rest(page)
    print(f"{many} tabs open at once: {memory(server):.0f} MB")
    context.close()


def measure(server, browser, args, folder):
    table = Table(server)
    page = first_paint(table, browser, server.url)
    if not args.data_dir:
        open_demo(table, page)
        each_page(table, page, 0.3)
        colours(table, page, 0.3)
        lassoed(table, page, 0.3)
        file = folder / LARGE
        held = make_table(file, args.rows, args.columns)
        print(f"{args.rows:,} x {args.columns}: {held:.0f} MB in memory", flush=True)
        open_large(table, page, server.url, file)
        run_cac(table, page)
    run = newest_run(folder)
    n_patients = cohorts.describe_cohort(run.asked.cohort_id).n_patients
    print(f"run of {n_patients:,} patients", flush=True)
    page.goto(f"{server.url}/subtypes?run={run.id}")
    rest(page)
    each_page(table, page, 1)
    colours(table, page, 0.5)
    lassoed(table, page, 0.5)
    page.context.close()
    visits(browser, server, run, args.visits)
    tabs(browser, server, run, args.tabs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--tabs", type=int, default=10)
    parser.add_argument("--data-dir", type=Path)
    args = parser.parse_args()
    executable = chromium()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        folder = args.data_dir or Path(made)
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        server = Server(folder).start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
                measure(server, browser, args, folder)
                browser.close()
        finally:
            server.kill()  # not `close`: it would end whoever names the folder, us too


if __name__ == "__main__":
    main()
