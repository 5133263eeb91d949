"""A comparison as a clinician makes it: started, stopped, resumed, and its verdict."""

from playwright.sync_api import expect

from cacviz.engine.cohorts.demo import make_demo
from cacviz.store import cohorts
from tests.browser.steps import store_of


def test_a_comparison_is_started_stopped_resumed_and_gives_its_verdict(page, server):
    with store_of(server):
        cohort_id = cohorts.save_cohort(make_demo(500))
    page.goto(f"{server.url}/compare?cohort={cohort_id}")
    for title in ("DeepCAC (full analysis)", "KM-Z", "DMNN"):  # one light method is left
        page.get_by_label(f"Remove {title}", exact=True).click()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_text("You can leave this page")).to_be_visible()
    page.get_by_role("button", name="Stop").first.click()
    expect(page.get_by_text("are done and kept")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("mean over classes and splits")).to_be_visible(timeout=300_000)
    expect(page.get_by_text("You can leave this page")).to_have_count(0, timeout=300_000)
    cell = page.locator("canvas td").filter(has_text="Gradient boosting")  # for screen readers
    expect(cell.first).to_be_attached()
    assert page.get_by_test_id("stException").count() == 0
    assert page.watch.errors == []
    assert page.watch.outside == []
