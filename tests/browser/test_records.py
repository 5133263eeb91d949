"""Hourly records from a zip to a course by subtype, in the browser."""

import numpy as np
from playwright.sync_api import expect

from tests.browser.steps import finished, pick, rest, turn, visit
from tests.engine.series.record_files import as_zip

N = 60


def challenge():
    """Stays as PhysioNet 2012 has them: a pulse and a lactate by the hour, and the outcomes."""
    rng = np.random.default_rng(0)
    files, outcomes = {}, ["RecordID,SAPS-I,SOFA,Length_of_stay,Survival,In-hospital_death"]
    for stay in range(1, N + 1):
        sick = stay % 3 == 0
        rows = ["Time,Parameter,Value", f"00:00,RecordID,{stay}", f"00:00,Age,{40 + stay}"]
        rows += ["00:00,Gender,1", "00:00,Height,170", "00:00,ICUType,2", "00:00,Weight,80"]
        for hour in range(0, 30, 2):
            rows.append(f"{hour:02}:10,HR,{70 + 25 * sick + rng.normal(0, 4):.0f}")
            rows.append(f"{hour:02}:20,Lactate,{1.5 + 2 * sick + rng.normal(0, 0.3):.1f}")
        files[f"set-a/{stay}.txt"] = "\n".join(rows) + "\n"
        died = int(sick == (rng.random() < 0.8))
        outcomes.append(f"{stay},10,5,{5 + stay % 9},-1,{died}")
    return files | {"Outcomes-a.txt": "\n".join(outcomes) + "\n"}


def test_a_zip_of_stays_becomes_a_run_with_courses_by_subtype(page, server, tmp_path):
    path = tmp_path / "set-a.zip"
    path.write_bytes(as_zip(challenge()))
    page.goto(f"{server.url}/cohort")
    field = page.get_by_label("One row per patient or stay")
    field.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(path)
    button = page.get_by_role("button", name="Read the records")
    expect(button).to_be_visible(timeout=120_000)
    button.click()
    said = page.get_by_text(f"{N} patients were read from PhysioNet 2012 records")
    expect(said).to_be_visible(timeout=120_000)
    rest(page)
    turn(page, "Hours", page.get_by_text("24 hours × 3 variables a patient"))
    pick(page, "Outcome column", "In-hospital_death")
    visit(page, "Find subtypes")
    pick(page, "Method", "k-means, then a risk model each")
    page.get_by_role("button", name="Find subtypes").click()
    finished(page)
    page.get_by_text("See the subtypes").click()
    heading = page.get_by_role("heading", name="Course over the first 24 hours")
    expect(heading).to_be_visible()
    pick(page, "Variable", "Lactate")
    expect(page.get_by_text("numbers of patients below").first).to_be_visible()
    page.reload()
    expect(heading).to_be_visible()
    rest(page)
    assert page.get_by_test_id("stException").count() == 0
