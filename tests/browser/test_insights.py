"""The patient map's lasso and the pages of insights, in a real browser."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from cacviz.engine.cohorts.demo import make_demo
from cacviz.engine.types import RunConfig
from cacviz.jobs import queue
from cacviz.store import cohorts, insights
from tests.browser.steps import at_rest, drag_around, store_of, until


@pytest.fixture(scope="module")
def described(server):
    """A finished run with all its insights in the server's data folder: (cohort id, run id)."""
    with store_of(server):
        cohort_id = cohorts.save_cohort(make_demo(500, seed=3))
        run_id = queue.start_run(cohort_id, RunConfig(n_clusters=2), "Lasso")
        assert [now.state for now in queue.follow_run(run_id)][-1] == "done"
        until(lambda: "coming" not in insights.part_states(run_id).values())
    return cohort_id, run_id


def address(server, described, name):
    cohort_id, run_id = described
    return f"{server.url}/{name}?cohort={cohort_id}&run={run_id}"


def lasso(page, plot, picked):
    """Draw until it takes: a chart that is still being drawn on a busy machine takes no lasso."""
    for _ in range(6):
        drag_around(page, at_rest(page, plot.locator(".nsewdrag")))
        with suppress(AssertionError):
            expect(picked).to_be_visible(timeout=10_000)
            return
    expect(picked).to_be_visible()


def test_a_lasso_on_the_map_tells_who_was_picked(page, server, described):
    page.goto(address(server, described, "subtypes"))
    plot = page.get_by_test_id("stPlotlyChart").first
    expect(plot.locator(".nsewdrag")).to_be_visible()
    expect(page.get_by_text("Draw a lasso or a box on the map")).to_be_visible()
    expect(page.get_by_role("heading", name="Survival by subtype")).to_be_visible()
    plot.scroll_into_view_if_needed()
    picked = page.get_by_text(re.compile(r"\d+ patients, compared with"))
    lasso(page, plot, picked)
    number = int(re.match(r"([\d,]+) patients", picked.inner_text())[1].replace(",", ""))
    assert 5 <= number <= 500
    page.get_by_role("button", name="State it as a rule").click()
    expect(page.get_by_text("(precision)")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    rows = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert len(rows) == number + 1
    assert rows[0].startswith("subtype,risk,")
    assert page.watch.errors == []
    assert page.watch.outside == []


@pytest.mark.parametrize("name", ["what_differs", "risk_factors"])
def test_pages_of_insights_open_without_errors(page, server, described, name):
    page.goto(address(server, described, name))
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible()
    assert page.get_by_test_id("stException").count() == 0
    assert page.watch.errors == []
    assert page.watch.outside == []
