"""A run outlives its tab, its server and its own worker."""

import os
import signal
import time

import pytest
from playwright.sync_api import expect

from cacviz import runs
from cacviz.runs import states, store
from tests.browser.conftest import Server


@pytest.fixture
def own_server(tmp_path, monkeypatch):
    """A server of this test's own, to be killed."""
    monkeypatch.setenv("CACVIZ_DATA_DIR", str(tmp_path))
    server = Server(tmp_path).start()
    yield server
    server.kill()


def _wait_for_phase(run_id, phase, seconds=120):
    until = time.monotonic() + seconds
    while runs.progress(run_id).phase != phase:
        assert time.monotonic() < until, f"the run never came to {phase}"
        time.sleep(0.2)


def test_a_run_is_found_again_resumed_and_finished(browser, own_server):
    page = browser.new_context().new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{own_server.url}/cohort")
    page.get_by_role("tab", name="An example").click()
    page.get_by_role("button", name="Open", exact=True).first.click()
    expect(page.get_by_text("Go on to Find subtypes")).to_be_visible()
    page.get_by_text("Go on to Find subtypes").click()
    page.get_by_role("combobox", name="Method").click()
    page.get_by_role("option", name="DeepCAC (full analysis)").click()
    expect(page.get_by_text("Subtype tightness (β)")).to_be_visible()
    page.get_by_role("button", name="Find subtypes").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    address = page.url
    page.context.close()

    run_id = runs.list_runs()[0].id
    _wait_for_phase(run_id, "cluster")
    own_server.kill()
    os.kill(states.worker_of(store.run_folder(run_id)).pid, signal.SIGKILL)
    assert runs.progress(run_id).state == "interrupted"

    own_server.start()
    page = browser.new_context().new_page()
    page.goto(address)
    expect(page.get_by_text("Interrupted")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("The run is finished.")).to_be_visible(timeout=300_000)
    page.context.close()
    assert runs.load_run(run_id).summary.test["auc"].value > 0.7
