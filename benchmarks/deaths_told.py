"""R6: workers killed at random moments while somebody watches: how soon the page says so.

    python -m benchmarks.deaths_told [--kills 50]

A run is begun, its page opened, its worker killed; then the next. A run that was finished before
must stay as it is. Needs a Chromium (see tests/browser/chromium.py).
"""

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import expect, sync_playwright

from benchmarks.contexts import chromium
from benchmarks.reliability_tools import bits, is_half, kill_worker, make_wards, undisturbed
from cacviz.engine.types import RunConfig
from cacviz.jobs import queue
from cacviz.store import paths, runs
from cacviz.store.cohorts import save_cohort
from tests.browser.chromium import FLAGS
from tests.browser.conftest import Server
from tests.browser.steps import rest, until

QUICK = RunConfig(method="cac", n_clusters=2, n_init=2)
ENDLESS = RunConfig(method="deepcac", n_clusters=2, pretrain_epochs=300, epochs=20_000)
WITHIN = 5.0  # seconds until the page says so
LONGEST = 8.0  # seconds of a run before its worker is killed


def killed(page, url: str, cohort_id: str, wait: float) -> tuple[float, str]:
    """Seconds from the death of a worker until its page says so, and the run's state then."""
    run_id = queue.start_run(cohort_id, ENDLESS)
    page.goto(f"{url}/find_subtypes?run={run_id}&cohort={cohort_id}")
    expect(page.get_by_role("button", name="Stop").first).to_be_visible()
    rest(page)
    until(lambda: queue.progress(run_id).state == "running")
    time.sleep(wait)
    began = time.monotonic()
    kill_worker(run_id)
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    seconds, state = time.monotonic() - began, queue.progress(run_id).state
    queue.delete_run(run_id)
    return seconds, state


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    many, executable, rng = parser.parse_args().kills, chromium(), random.Random(0)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        paths.use_data_dir(Path(folder))
        os.environ |= {"CACVIZ_WORKERS": "1", "CACVIZ_THREADS": "1"}
        cohort_id = save_cohort(make_wards())
        other, _ = undisturbed(cohort_id, QUICK)
        whole, server = bits(other), Server(Path(folder)).start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
                page = browser.new_page()
                page.set_default_timeout(120_000)
                waits = [rng.uniform(0, LONGEST) for _ in range(many)]
                found = [killed(page, server.url, cohort_id, wait) for wait in waits]
                browser.close()
        finally:
            server.kill()
        stuck = sum(row.state in ("queued", "running") for row in runs.list_runs())
        hurt = int(is_half(other, "done", whole))
    return say(found, stuck, hurt)


def say(found: list[tuple[float, str]], stuck: int, hurt: int) -> int:
    seconds = np.array([taken for taken, _ in found])
    wrong = sum(state != "interrupted" for _, state in found)
    print(
        f"killed while watched: {len(found)} kills, the page says so after {seconds.mean():.1f} s, "
        f"{seconds.max():.1f} s at most; wrong {wrong}, stuck {stuck}, other runs hurt {hurt}"
    )
    return 0 if seconds.max() <= WITHIN and not (wrong or stuck or hurt) else 1


if __name__ == "__main__":
    sys.exit(main())
