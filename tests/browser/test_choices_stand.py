"""What the clinician decides stands: every page twice, a reload, a second window, a reopening."""

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from cacviz.engine.cohorts.demo import make_demo
from cacviz.store import cohorts
from cacviz.ui.shell.navigation import PAGES
from tests.browser.conftest import ROOT
from tests.browser.steps import pick, read_dictionary, rest, store_of, until, upload, visit

DATA = ROOT.parent / "shared" / "data"


class Journey(NamedTuple):
    """Decisions about a cohort, one of each kind."""

    path: str
    outcome: str
    id: str
    left_out: tuple[str, ...]
    roles: dict[str, str]
    cut: str = ""
    event: str = ""
    labels: dict[str, tuple[str, str]] = {}  # column: label and unit


P12 = "physionet2012/p12_set-a_static.csv.gz"
JOURNEYS = [
    Journey(
        "cohorts/actg175.csv.gz",
        "y_730",
        "pidnum",
        ("cens", "offtrt", "cd496"),
        {"Time": "days", "Treatment": "arms", "Sensitive": "race"},
        event="0",
        labels={"age": ("Age at entry", "years"), "wtkg": ("Weight", "kg")},
    ),
    Journey(
        "cohorts/gbsg2.csv.gz",
        "y_730",
        "",
        ("progrec",),
        {"Time": "time", "Event": "cens", "External check": "estrec"},
    ),
    Journey(P12, "Length_of_stay", "RecordID", ("In-hospital_death", "Survival"), {}, cut="7, 13"),
]


def decide(page: Page, journey: Journey, folder) -> None:
    """Make every kind of choice in the page Cohort."""
    upload(page, DATA / journey.path)
    pick(page, "Outcome column", journey.outcome)
    if journey.cut:
        page.get_by_text("Cut at points", exact=True).click()
        field = page.get_by_role("textbox", name="Cut points, separated by commas")
        field.fill(journey.cut)
        field.press("Enter")
        rest(page)
    if journey.event:
        group = page.get_by_role("radiogroup", name="The event (its risk is shown)")
        group.get_by_text(journey.event, exact=True).click()
        rest(page)
    if journey.id:
        pick(page, "Patient id", journey.id)
    for column in journey.left_out:
        pick(page, "Leave out", column)
    for label, column in journey.roles.items():
        pick(page, label, column)
    if journey.labels:
        lines = [f"{name},{label},{unit}" for name, (label, unit) in journey.labels.items()]
        (folder / "words.csv").write_text("\n".join(["column,label,unit", *lines, ""]))
        read_dictionary(page, folder / "words.csv")


def stored(server):
    """The choices of the newest cohort, as they are on disk."""
    with store_of(server):
        row = cohorts.list_cohorts()[0]
    return row.id, row.record.choices, row.record.revision


def missing(journey: Journey, choices) -> list[str]:
    """Decisions of the journey that are not on disk."""
    outcome = choices.outcome
    if outcome is None or outcome.column != journey.outcome:
        return ["outcome"]
    found = [name for name in journey.left_out if name not in choices.names("left out")]
    found += [c for label, c in journey.roles.items() if choices.names(label.lower()) != [c]]
    found += ["id"] if choices.names("patient id") != [journey.id][: bool(journey.id)] else []
    found += ["event"] if outcome.positive != journey.event else []
    known = {c.name: (c.label, c.unit) for c in choices.columns}
    found += [name for name, words in journey.labels.items() if known[name] != words]
    cuts = [f"{c:g}" for c in outcome.cuts]
    return found + (["cuts"] if cuts != re.findall(r"\d+", journey.cut) else [])


def expected_line(journey: Journey, choices) -> str:
    return f"{len(choices.names('feature'))} features"


def look(page: Page, journey: Journey, choices) -> None:
    """What every page and the sidebar must say."""
    side = page.get_by_test_id("stSidebar")
    expect(side.get_by_text(f"Outcome: {journey.outcome}")).to_be_visible()
    expect(side.get_by_text(expected_line(journey, choices))).to_be_visible()


@pytest.mark.skipif(not DATA.exists(), reason="the shared cohorts are not beside the project")
@pytest.mark.slow
@pytest.mark.parametrize("journey", JOURNEYS, ids=[j.path.rsplit("/", 1)[1] for j in JOURNEYS])
def test_every_choice_stands(page, browser, server, journey, tmp_path):
    page.goto(f"{server.url}/cohort")
    decide(page, journey, tmp_path)
    until(lambda: not missing(journey, stored(server)[1]))
    name, choices, revision = stored(server)
    for _ in range(2):
        for title, _icon in PAGES.values():
            visit(page, title)
            look(page, journey, choices)
    page.reload()
    rest(page)
    look(page, journey, choices)
    visit(page, "Cohort")
    second = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    second.goto(page.url)
    expect(second.get_by_role("heading", level=1, name="Cohort")).to_be_visible()
    rest(second)
    look(second, journey, choices)
    page.goto(f"{server.url}/cohort")  # a new visit: nothing is open, the list has it
    page.locator(f".st-key-open_{name}").get_by_role("button").click()
    look(page, journey, choices)
    assert stored(server) == (name, choices, revision)  # looking decided nothing
    second.context.close()


def test_a_choice_in_one_window_is_seen_and_kept_in_another(page, browser, server, tmp_path):
    path = tmp_path / "two_windows.csv"
    make_demo(300).frame.to_csv(path, index=False)
    page.goto(f"{server.url}/cohort")
    upload(page, path)
    pick(page, "Outcome column", "In-hospital_death")
    other = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    other.set_default_timeout(120_000)
    other.goto(page.url)
    expect(other.get_by_role("heading", name="two_windows.csv")).to_be_visible()
    rest(other)
    pick(page, "Leave out", "Length_of_stay")
    pick(other, "Leave out", "FollowUpDays")  # its window does not know of the other's yet
    both = {"Length_of_stay", "FollowUpDays"}
    until(lambda: set(stored(server)[1].names("left out")) == both)
    pick(page, "Leave out", "Death30Days")
    until(lambda: set(stored(server)[1].names("left out")) == both | {"Death30Days"})
    other.context.close()


def test_what_was_done_is_listed_and_taken_back(page, server, tmp_path):
    path = tmp_path / "undone.csv"
    make_demo(320).frame.to_csv(path, index=False)
    page.goto(f"{server.url}/cohort")
    upload(page, path)
    pick(page, "Outcome column", "In-hospital_death")
    pick(page, "Leave out", "Length_of_stay")
    until(lambda: stored(server)[1].names("left out") == ["Length_of_stay"])
    page.get_by_text("What was done (2)").click()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_text("What was done (1)")).to_be_visible()
    assert stored(server)[1].names("left out") == []


def test_another_outcome_asks_what_becomes_of_the_former_one(page, server, tmp_path):
    path = tmp_path / "former.csv"
    make_demo(340).frame.to_csv(path, index=False)
    page.goto(f"{server.url}/cohort")
    upload(page, path)
    pick(page, "Outcome column", "In-hospital_death")
    pick(page, "Outcome column", "Death30Days")
    expect(page.get_by_text("was the outcome until now")).to_be_visible()
    assert stored(server)[1].outcome.column == "In-hospital_death"
    page.get_by_role("button", name="Use it as a feature").click()
    expect(page.get_by_test_id("stSidebar").get_by_text("Outcome: Death30Days")).to_be_visible()
    assert "In-hospital_death" in stored(server)[1].names("feature")


def test_the_same_file_again_finds_its_cohort_with_all_that_was_decided(page, server, tmp_path):
    path = tmp_path / "again.csv"
    make_demo(310).frame.to_csv(path, index=False)
    page.goto(f"{server.url}/cohort")
    upload(page, path)
    pick(page, "Outcome column", "In-hospital_death")
    pick(page, "Leave out", "Length_of_stay")
    until(lambda: stored(server)[1].names("left out") == ["Length_of_stay"])
    before = stored(server)
    page.goto(f"{server.url}/cohort")
    upload(page, path)
    expect(page.get_by_text("You opened this file before")).to_be_visible()
    assert stored(server) == before
    with store_of(server):
        assert len([r for r in cohorts.list_cohorts() if r.name == "again.csv"]) == 1
    page.get_by_role("button", name="Start afresh with this file").click()
    expect(page.get_by_text("no column left out").first).to_be_visible()
    assert stored(server)[0] != before[0]
