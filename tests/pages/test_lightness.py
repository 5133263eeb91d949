"""The process that serves pages stays small: nothing heavy is loaded, whatever page is open."""

import json
import os
import subprocess
import sys

from cacviz.engine.cohorts.demo import make_demo
from cacviz.jobs import queue, shipped
from cacviz.store import cohorts, studies
from cacviz.ui.shell.navigation import PAGES
from tests.imports import ROOT
from tests.pages.test_compare_page import PLAN, fill


def test_no_page_loads_what_only_workers_and_helpers_need(data_dir, monkeypatch):
    monkeypatch.setattr(queue, "_start", lambda folder, slots: None)
    cohort_id = cohorts.save_cohort(make_demo())
    run_id = shipped.take_over(cohort_id)
    folder = studies.study_folder(queue.start_study(cohort_id, PLAN))
    fill(folder, 12)
    studies.seal_rows(folder)
    command = [sys.executable, "-m", "tests.pages.every_page", cohort_id, run_id]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=os.environ)
    assert done.returncode == 0, done.stderr[-2000:]
    pages = [json.loads(line) for line in done.stdout.splitlines()]
    assert [page["page"] for page in pages] == [*PAGES, *PAGES]
    for page in pages:
        assert (page["loaded"], page["wrong"], page["shown"]) == ([], [], True), page
    shown = {page["page"]: page["subheaders"] for page in pages}  # the second visit has a run
    for name, part in (
        ("cohort", "Checks"),
        ("subtypes", "Patient map"),
        ("what_differs", "Effect sizes"),
        ("risk_factors", "One feature at a time"),
        ("compare", "Does clustering help?"),
    ):
        assert part in shown[name]
