"""The first hour of three new users: the demo, a messy file, a run of the command line."""

import json

import numpy as np
from playwright.sync_api import expect

from cacviz.commands.main import main
from cacviz.engine.cohorts.demo import make_demo
from cacviz.store import cohorts
from cacviz.wording.tour import STOPS
from tests.browser.steps import (
    find_subtypes,
    finished,
    pick,
    read_dictionary,
    rest,
    store_of,
    until,
    upload,
    visit,
)

NOTES = ("stable overnight", "agitated, family called", "on oxygen; weaned slowly", "no change")
AFTERWARDS = ("discharge_to", "cause_of_death", "los_days")
WORDS = """column,label,unit
age,Age at admission,years
lactate,First lactate,mmol/L
died,Death in hospital,
"""


def titled(page, title):
    return page.get_by_role("heading", level=1, name=title, exact=True)


def german(value, digits=1):
    return f"{value:.{digits}f}".replace(".", ",")


def ward_export(folder, n=560):
    """What a ward's system gives: semicolons, decimal commas, dates, notes, an id, and the end."""
    rng = np.random.default_rng(3)
    rows = [
        "case_no;admitted;age;sex;lactate;creatinine;gcs;nurse_note;discharge_to;los_days;"
        "cause_of_death;died"
    ]
    for i in range(n):
        shock = i % 2
        lactate = max(0.4, rng.normal(4 if shock else 1.5, 0.6))
        creatinine = rng.normal(80 if shock else 150, 20)
        strain = (lactate - 4) * 2.2 if shock else (creatinine - 150) / 14
        died = rng.random() < 1 / (1 + np.exp(1 - strain))
        known = "" if rng.random() < 0.08 else german(lactate)
        note = f'"{rng.choice(NOTES)} ({i})"'
        entry = (f"K{10_000 + i}", f"{1 + i % 28:02}.{1 + i % 12:02}.2023", int(rng.normal(62, 12)))
        entry += (rng.choice(["m", "f"]), known, german(creatinine), int(rng.integers(3, 16)), note)
        entry += (
            ("morgue", rng.integers(1, 9), rng.choice(["sepsis", "heart failure"]), "yes")
            if died
            else (rng.choice(["home", "rehab"]), rng.integers(3, 25), "", "no")
        )
        rows.append(";".join(str(value) for value in entry))
    path = folder / "ward_export.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def chosen(server):
    """What was decided about the ward's file, as it is on disk."""
    with store_of(server):
        (row,) = [r for r in cohorts.list_cohorts() if r.name == "ward_export.csv"]
    return row.record.choices


def test_a_clinician_follows_the_tour_of_the_demo_to_a_report(page, server):
    page.goto(server.url)
    page.get_by_role("button", name="Show me around, in five steps").click()
    for number, title in enumerate(
        ("Subtypes", "What differs", "Risk factors", "Performance", "Cohort"), start=1
    ):
        expect(titled(page, title)).to_be_visible()
        expect(
            page.get_by_text(f"Step {number} of 5. {STOPS[number - 1].question}")
        ).to_be_visible()
        rest(page)
        if number < len(STOPS):
            page.get_by_role("button", name="Next: ").click()
    page.get_by_role("button", name="End the tour").click()
    expect(page.get_by_text("Step 5 of 5")).to_have_count(0)
    visit(page, "Report")
    page.get_by_role("button", name="Make them").click()
    ready = page.get_by_test_id("stDownloadButton").filter(has_text="report.html")
    expect(ready).to_be_visible()
    with page.expect_download() as download:
        ready.get_by_role("button").click()
    report = download.value.path().read_text(encoding="utf-8")
    assert "Demo ICU cohort (synthetic)" in report
    assert "Subtype 3" in report
    assert page.watch.errors == []
    assert page.watch.outside == []


def obey(page):
    """Press what each finding offers first, the gravest first, until nothing is suspicious."""
    while True:
        rest(page)
        done = page.get_by_text("Nothing suspicious is left.")
        offered = page.locator(".st-key-open_0_0 button")
        expect(done.or_(offered)).to_be_visible()
        if done.count():
            return
        count = page.get_by_text("What was done (").inner_text()
        case = page.get_by_role("button", name="Use case_no as patient id")
        (case if case.count() else offered).click()
        expect(page.get_by_text(count, exact=True)).to_have_count(0)


def test_a_clinician_brings_an_unknown_messy_file_to_a_verdict(page, server, tmp_path):
    (tmp_path / "words.csv").write_text(WORDS, encoding="utf-8")
    page.goto(server.url)
    page.get_by_role("button", name="Open my data").click()
    expect(titled(page, "Cohort")).to_be_visible()
    upload(page, ward_export(tmp_path))
    expect(page.get_by_text("commas were read as decimal commas")).to_be_visible()
    pick(page, "Outcome column", "died")
    read_dictionary(page, tmp_path / "words.csv")
    obey(page)
    choices = chosen(server)
    assert {*AFTERWARDS, "admitted", "nurse_note"} <= set(choices.names("left out"))
    assert choices.names("patient id") == ["case_no"]
    find_subtypes(page)
    finished(page)
    page.get_by_text("See the subtypes").click()
    said = page.get_by_text("On held-out patients these subtypes predict Death in hospital")
    expect(said).to_be_visible()
    page.reload()
    expect(said).to_be_visible()
    page.goto(f"{server.url}/cohort")  # a second visit, by the list of what is kept
    kept = page.get_by_text("ward_export.csv, 560 patients, 1 run")
    expect(kept).to_be_visible()
    rest(page)
    with store_of(server):
        name = next(r.id for r in cohorts.list_cohorts() if r.name == "ward_export.csv")
    page.locator(f".st-key-open_{name}").get_by_role("button").click()
    expect(page.get_by_text("Outcome: died = yes")).to_be_visible()
    assert chosen(server) == choices


def test_a_run_of_the_command_line_is_opened_by_its_address(page, server, tmp_path, capsys):
    path = tmp_path / "icu.csv"
    make_demo(300).frame.to_csv(path, index=False)
    drop = "Length_of_stay,FollowUpDays,Death30Days"
    asked = ["fit", str(path), "--outcome", "In-hospital_death", "--id", "RecordID", "--drop", drop]
    asked += ["--method", "cac", "--clusters", "2", "--data-dir", str(server.data_dir), "--json"]
    assert main(asked) == 0
    said = json.loads(capsys.readouterr().out)
    page.goto(f"{server.url}/subtypes?run={said['run']}")
    for cluster in said["clusters"]:
        expect(page.get_by_text(f"{cluster['n']:,} training patients").first).to_be_visible()
    side = page.get_by_test_id("stSidebar")
    expect(side.get_by_text("icu.csv")).to_be_visible()
    until(lambda: "run=" in page.url)
