"""The real cohorts beside the project, uploaded in Chromium: the figures of the command line."""

import json
from typing import NamedTuple
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import expect

from cacviz.commands.main import main
from cacviz.store import runs
from tests.browser.conftest import ROOT
from tests.browser.steps import find_subtypes, finished, pick, rest, store_of, upload

DATA = ROOT.parent / "shared" / "data"
LONG = 15 * 60_000  # the largest cohort has 100,000 rows


class Case(NamedTuple):
    path: str
    outcome: str
    id: str = ""
    drop: tuple[str, ...] = ()
    cut: str = ""


P12 = "physionet2012/p12_set-a_static.csv.gz"
CASES = [
    Case("cohorts/uci_heart.csv.gz", "y"),
    Case("cohorts/uci_pima.csv.gz", "y"),
    Case("cohorts/uci_saheart.csv.gz", "y"),
    Case("cohorts/gbsg2.csv.gz", "y_730", drop=("time", "cens")),
    Case("cohorts/actg175.csv.gz", "y_730", "pidnum", ("cens", "days")),
    Case("cohorts/nwtco.csv.gz", "y_730", "seqno", ("rel", "edrel")),
    Case(P12, "In-hospital_death", "RecordID", ("Length_of_stay", "Survival")),
    Case(P12, "Length_of_stay", "RecordID", ("In-hospital_death", "Survival"), "7,13"),
    Case("diabetes130/diabetic_data.csv.gz", "readmitted", "patient_nbr"),
]


def _told(case, folder, capsys):
    command = ["fit", str(DATA / case.path), "--outcome", case.outcome]
    command += ["--id", case.id] if case.id else []
    command += ["--drop", ",".join(case.drop)] if case.drop else []
    command += ["--cut", case.cut] if case.cut else []
    command += ["--method", "cac", "--clusters", "3", "--json", "--data-dir", str(folder)]
    assert main(command) == 0
    return json.loads(capsys.readouterr().out)


def _open(page, case):
    upload(page, DATA / case.path, timeout=LONG)
    if case.id:
        pick(page, "Patient id", case.id)
    for column in case.drop:
        pick(page, "Leave out", column)
    pick(page, "Outcome column", case.outcome)
    if case.cut:
        page.get_by_text("Cut at points", exact=True).click()
        field = page.get_by_role("textbox", name="Cut points, separated by commas")
        field.fill(case.cut)
        field.press("Enter")
        rest(page)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="the shared cohorts are not beside the project")
@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.path.rsplit('/', 1)[1]}-{c.outcome}")
def test_a_real_cohort_gives_the_figures_of_the_command_line(page, server, tmp_path, capsys, case):
    told = _told(case, tmp_path, capsys)
    page.goto(f"{server.url}/cohort")
    _open(page, case)
    find_subtypes(page, seconds=LONG / 1000)
    finished(page, timeout=LONG)
    page.get_by_text("See the subtypes").click()
    for cluster in told["clusters"]:
        text = f"{cluster['n']:,} training patients"
        expect(page.get_by_text(text).first).to_be_visible(timeout=LONG)
    with store_of(server):
        found = runs.load_run(parse_qs(urlparse(page.url).query)["run"][0]).summary
    assert {name: scored.value for name, scored in found.test.items()} == pytest.approx(
        told["test"], abs=1e-9
    )
    assert page.get_by_test_id("stException").count() == 0
