"""A run outlives its tab, its server and its own worker."""

import os
import signal

import pytest
from playwright.sync_api import expect

from cacviz.engine.cohorts.demo import make_demo
from cacviz.jobs import queue
from cacviz.store import cohorts, paths, runs, states
from tests.browser.conftest import Server
from tests.browser.steps import finished, until


@pytest.fixture
def own_server(tmp_path, monkeypatch):
    """A server of this test's own, to be killed."""
    monkeypatch.setenv(paths.DATA_DIR, str(tmp_path))
    server = Server(tmp_path).start()
    yield server
    server.close()


def test_a_run_is_found_again_resumed_and_finished(browser, own_server):
    cohort_id = cohorts.save_cohort(make_demo(800))
    page = browser.new_context().new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{own_server.url}/find_subtypes?cohort={cohort_id}")
    page.get_by_role("combobox", name="Method").click()
    page.get_by_role("option", name="DeepCAC (full analysis)").click()
    expect(page.get_by_text("Subtype tightness (β)")).to_be_visible()
    page.get_by_role("button", name="Find subtypes").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    address = page.url
    page.context.close()

    run_id = runs.list_runs()[0].id
    until(lambda: queue.progress(run_id).phase == "cluster")
    own_server.kill()
    os.kill(states.worker_of(runs.run_folder(run_id)).pid, signal.SIGKILL)
    until(lambda: queue.progress(run_id).state == "interrupted")

    own_server.start()
    page = browser.new_context().new_page()
    page.goto(address)
    expect(page.get_by_text("Interrupted")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    finished(page, timeout=900_000)
    page.context.close()
    assert runs.load_run(run_id).summary.test["auc"].value > 0.7
