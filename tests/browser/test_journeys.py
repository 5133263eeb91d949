"""The main journeys as a clinician makes them, in a real browser."""

import json
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect

from cacviz.commands.main import main
from cacviz.engine.cohorts.demo import make_demo
from cacviz.ui.shell.navigation import PAGES
from tests.browser.steps import find_subtypes, finished, pick, upload, visit


@pytest.mark.parametrize(
    ("name", "scheme"),
    [*((name, "light") for name in PAGES), ("subtypes", "dark"), ("choose_k", "dark")],
)
def test_a_deep_link_opened_cold_shows_the_whole_shell(browser, server, name, scheme):
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    errors = []
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    page.goto(f"{server.url}/{name}")
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=60_000)
    for title, _ in PAGES.values():
        expect(page.get_by_test_id("stSidebarNav").get_by_text(title, exact=True)).to_be_visible()
    expect(page.get_by_text("Your data stays on this computer.")).to_be_visible()
    assert page.get_by_test_id("stException").count() == 0
    assert errors == []
    context.close()


def test_the_demo_goes_from_start_to_subtypes_in_one_click(page, server):
    page.goto(server.url)
    page.get_by_role("button", name="Explore the demo ICU cohort").click()
    expect(page.get_by_role("heading", name="Patient map")).to_be_visible(timeout=120_000)
    for number in (1, 2, 3):
        expect(page.get_by_role("heading", name=f"Subtype {number}")).to_be_visible()
    expect(page.get_by_text("synthetic cohort made by cacviz")).to_be_visible()
    assert "run=" in page.url
    assert page.watch.errors == []
    assert page.watch.outside == []


def test_one_press_of_back_goes_one_page_back(page, server):
    page.goto(server.url)
    page.get_by_role("button", name="Explore the demo ICU cohort").click()
    expect(page.get_by_role("heading", name="Patient map")).to_be_visible(timeout=120_000)
    for title in ("What differs", "Compare"):
        page.get_by_test_id("stSidebarNav").get_by_text(title, exact=True).click()
        expect(page.get_by_role("heading", level=1, name=title, exact=True)).to_be_visible()
        expect(page.get_by_test_id("stSidebar").get_by_text("3,000 patients")).to_be_visible()
    for title in ("What differs", "Subtypes"):
        page.go_back()
        expect(page.get_by_role("heading", level=1, name=title, exact=True)).to_be_visible()
        assert "run=" in page.url


def test_the_server_loads_nothing_heavy_on_any_page(page, server):
    page.goto(server.url)
    page.get_by_role("button", name="Explore the demo ICU cohort").click()
    expect(page.get_by_role("heading", name="Patient map")).to_be_visible(timeout=120_000)
    for title, _ in PAGES.values():
        visit(page, title)
    loaded = {Path(m.path).parts for m in psutil.Process(server.process.pid).memory_maps()}
    found = {part for parts in loaded for part in parts}
    assert "numpy" in found  # compiled parts are seen
    heavy = {"numba", "scipy", "shap", "sklearn", "statsmodels", "torch", "xgboost"}
    assert found & heavy == set()


def test_a_file_that_is_no_table_leaves_the_open_cohort_as_it_was(page, server, tmp_path):
    bad = tmp_path / "scan.csv"
    bad.write_bytes(bytes(range(256)) * 40)
    page.goto(f"{server.url}/cohort")
    page.get_by_role("tab", name="An example").click()
    page.get_by_role("button", name="Open", exact=True).first.click()
    expect(page.get_by_role("heading", name="Demo ICU cohort (synthetic)")).to_be_visible()
    page.get_by_text("Open another cohort").click()
    field = page.get_by_label("One row per patient or stay")
    field.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(bad)
    expect(page.get_by_role("alert").filter(has_text="scan.csv")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("heading", name="Demo ICU cohort (synthetic)")).to_be_visible()
    assert page.get_by_test_id("stException").count() == 0


def test_an_uploaded_cohort_gives_the_figures_of_the_command_line(page, server, tmp_path, capsys):
    path = tmp_path / "ward.csv"
    make_demo(500).frame.drop(columns=["Length_of_stay", "FollowUpDays", "Death30Days"]).to_csv(
        path, index=False
    )
    outcome = ["--outcome", "In-hospital_death", "--data-dir", str(tmp_path / "store")]
    assert main(["fit", str(path), *outcome, "--method", "cac", "--clusters", "3", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)

    page.goto(f"{server.url}/cohort")
    upload(page, path)
    pick(page, "Outcome column", "In-hospital_death")
    find_subtypes(page)
    finished(page)
    page.get_by_text("See the subtypes").click()
    for cluster in said["clusters"]:
        text = f"{cluster['n']:,} training patients"
        expect(page.get_by_text(text).first).to_be_visible(timeout=60_000)
