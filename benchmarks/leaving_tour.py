"""A visit to everything: each page, tab, main action and file, with a watch on the browser."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np
import pandas as pd
from playwright.sync_api import TimeoutError, expect

from benchmarks.contexts import colour_seconds
from benchmarks.leaving_traces import CANARY
from cacviz.store import cohorts, insights, runs
from cacviz.ui.shell.navigation import PAGES
from tests.browser.conftest import Watch
from tests.browser.steps import finished, pick, rest, upload, visit

EVIL = "http://evil.example/"
IMAGE = f"![{CANARY}head]({EVIL}{CANARY}.png)"
OUTCOME = f"{CANARY}died"
DRAWN = ("font", "image", "stylesheet", "script")
FONTS = """() => {
  const faces = [...document.fonts], icons = document.querySelector('[data-testid=stIconMaterial]');
  const lost = faces.filter(f => f.status === 'error').map(f => f.family);
  const drawn = f => f.family.includes('Material') && f.status === 'loaded';
  return icons && !faces.some(drawn) ? [...lost, 'icons'] : lost;
}"""
DOCUMENTS = ("Model card", "TRIPOD+AI sheet", "Tables for a paper", "The run as a file")
PDF = "Report to send (PDF)"


@dataclass
class Seen:
    """What the browser did and met; downloads go to a folder."""

    folder: Path
    requests: int = 0
    visits: int = 0
    exports: int = 0
    taken: list[Path] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)  # addresses and titles with the word
    of_exports: list[str] = field(default_factory=list)

    def watch(self, page) -> None:
        page.watch = Watch(page)
        page.watch.errors = self.errors
        page.on("request", self._request)
        page.on("websocket", self._request)
        page.on("response", lambda got: got.status >= 400 and self.missing.append(got.url))
        page.on("requestfailed", self._failed)

    def _request(self, made) -> None:
        self.requests += 1
        if not is_local(made.url):
            self.outside.append(made.url)
        self.note(made.url)

    def _failed(self, request) -> None:
        if request.resource_type in DRAWN:
            self.missing.append(request.url)

    def note(self, text: str) -> None:
        if CANARY in unquote(text) and not text.startswith(("data:", "blob:")):
            self.told.append(text)

    def look(self, page) -> None:
        """Once a page is at rest: its address, title, fonts, icons and what went wrong."""
        self.visits += 1
        self.note(page.url)
        self.note(page.title())
        self.missing += page.evaluate(FONTS)
        if page.get_by_test_id("stException").count():
            self.errors.append(f"a fault on {urlsplit(page.url).path}")


def is_local(url: str) -> bool:
    """Whether a request goes to this computer alone."""
    parts = urlsplit(url)
    if parts.scheme in ("http", "https", "ws", "wss"):
        return parts.hostname == "127.0.0.1"
    return parts.scheme in ("data", "blob", "about")


def opened(browser, seen: Seen, url: str):
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    page.set_default_timeout(120_000)
    seen.watch(page)
    page.goto(url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    rest(page)
    return page


def demo_tour(browser, url: str, seen: Seen) -> None:
    """The demo's run, page by page."""
    page = opened(browser, seen, url)
    page.get_by_role("button", name="Explore the demo ICU cohort").click()
    expect(page.get_by_role("heading", name="Patient map")).to_be_visible()
    rest(page)
    every_page(page, seen)
    page.context.close()


def own_tour(browser, url: str, seen: Seen, root: Path, *, short: bool) -> None:
    """A file of one's own, full of the word, from opening it to handing its results over."""
    file, damaged = make_files(root)
    page = opened(browser, seen, f"{url}/cohort")
    refused(page, seen, damaged)
    page.goto(f"{url}/cohort")
    rest(page)
    with suppress(TimeoutError):
        page.get_by_text("Open another cohort").click(timeout=3_000)
    upload(page, file)
    pick(page, "Outcome column", OUTCOME)
    seen.look(page)
    visit(page, "Find subtypes")
    page.get_by_role("button", name="Find subtypes", exact=True).click()
    finished(page)
    described()
    every_page(page, seen)
    ask_about_patients(page, seen, file)
    hand_over(page, seen, () if short else (PDF,))
    page.goto(f"{url}/subtypes?run=01J0000000000000000000000")
    expect(page.get_by_text("This run is not on this computer.")).to_be_visible()
    seen.look(page)
    page.context.close()


def make_files(root: Path) -> tuple[Path, Path]:
    """A cohort with the word in its name, heads and cells; and one that cannot be read."""
    rng, n = np.random.default_rng(0), 400
    ward = rng.integers(0, 2, n)
    values = rng.normal(size=(n, 4)) + 3.0 * ward[:, None]
    risk = np.where(ward == 0, values[:, 0], 3 - values[:, 1])
    frame = pd.DataFrame(values.round(3), columns=[f"lab {j}" for j in range(3)] + [IMAGE])
    frame["kind"] = np.where(rng.random(n) < 0.5, f"{CANARY}level", f"![b]({EVIL}{CANARY}cell.png)")
    frame.insert(0, f"{CANARY}id", [f"{CANARY}p{i}" for i in range(n)])
    frame[OUTCOME] = np.where(risk + rng.normal(size=n) > 0.8, f"{CANARY}yes", "no")
    file, damaged = root / f"{CANARY}file ![a](b).csv", root / f"{CANARY}damaged.csv"
    frame.to_csv(file, index=False)
    damaged.write_bytes(f"{CANARY},b\n".encode() + bytes(range(256)) * 40)
    return file, damaged


def refused(page, seen: Seen, damaged: Path) -> None:
    """A file that cannot be read: what the page and the log say of it."""
    with suppress(TimeoutError):
        page.get_by_text("Open another cohort").click(timeout=3_000)
    field_of(page, "One row per patient or stay").set_input_files(damaged)
    expect(page.get_by_role("alert").filter(has_text=damaged.name)).to_be_visible()
    seen.look(page)


def field_of(page, label: str):
    return page.get_by_label(label).get_by_test_id("stFileUploaderDropzoneInput")


def described() -> None:
    """Give the newest run a name and a note, and wait until all its insights are there."""
    run = next(row for row in runs.list_runs() if row.state == "done")
    runs.change_card(run.id, name=f"{CANARY} run", note=f"{CANARY} {IMAGE}")
    while "coming" in insights.part_states(run.id).values():
        time.sleep(0.5)
    cohorts.describe_cohort(run.asked.cohort_id)


def every_page(page, seen: Seen) -> None:
    """Each page with its tabs and files; on the map another colour."""
    for title, _ in PAGES.values():
        visit(page, title)
        print(f"  {title}", file=sys.stderr)
        seen.look(page)
        if title == "Subtypes":
            for choice in ("Outcome", "Risk", "Subtype"):
                colour_seconds(page, choice)
                rest(page)
        take_all(page, seen)
        for number in range(page.get_by_role("tab").count()):
            page.get_by_role("tab").nth(number).click()
            rest(page)
            take_all(page, seen)
        seen.look(page)


def take_all(page, seen: Seen) -> None:
    """Every file that the page offers now, kept under a name of its own."""
    buttons = page.get_by_test_id("stDownloadButton").get_by_role("button")
    for number in range(buttons.count()):
        button = buttons.nth(number)
        if button.is_visible() and button.is_enabled():
            take(page, seen, button)


def take(page, seen: Seen, button) -> None:
    """One file; a press that a page lost while it was drawn again is made once more."""
    for _ in range(3):
        rest(page)
        with suppress(TimeoutError):
            with page.expect_download(timeout=30_000) as coming:
                button.click(timeout=10_000)
            kept = seen.folder / f"{len(seen.taken)}-{coming.value.suggested_filename}"
            coming.value.save_as(kept)
            seen.taken.append(kept)
            return
    seen.missing.append(f"{urlsplit(page.url).path} {button.inner_text()}")


def ask_about_patients(page, seen: Seen, file: Path) -> None:
    """One of the cohort, its prediction anew, and a file of patients."""
    visit(page, "Patient")
    who = page.get_by_test_id("stButtonGroup").get_by_role("radio")
    who.filter(has_text="A patient of the cohort").click()
    rest(page)
    page.get_by_placeholder("for example #1").fill("#1")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Take this patient").click()
    expect(page.get_by_role("heading", name="Nearest patients of the cohort")).to_be_visible()
    page.get_by_role("button", name="Predict").click()
    rest(page)
    seen.look(page)
    who.filter(has_text="A file of patients").click()
    rest(page)
    field_of(page, "Patients").set_input_files(file)
    expect(page.get_by_role("button", name="Predictions as CSV")).to_be_visible()
    take_all(page, seen)
    seen.look(page)


def hand_over(page, seen: Seen, more: tuple[str, ...]) -> None:
    """Every kind of document, made and taken."""
    visit(page, "Report")
    for title in (*DOCUMENTS, *more):
        pick(page, "Documents", title)
        page.keyboard.press("Escape")
        rest(page)
    page.get_by_role("button", name="Make them").click()
    expect(page.get_by_role("heading", name="Ready to download")).to_be_visible(timeout=300_000)
    rest(page)
    seen.look(page)
    take_all(page, seen)


def open_exports(browser, seen: Seen) -> None:
    """Each HTML file as its reader opens it: by itself, from the disk."""
    for file in (f for f in seen.taken if f.suffix == ".html"):
        page = browser.new_context().new_page()
        page.set_default_timeout(120_000)
        asked: list[str] = []
        page.on("request", lambda made, asked=asked: asked.append(made.url))
        page.on("console", lambda m: m.type == "error" and seen.errors.append(m.text))
        page.on("pageerror", lambda error: seen.errors.append(str(error)))
        page.goto(file.as_uri(), wait_until="load")
        page.mouse.wheel(0, 4000)
        page.wait_for_timeout(1_000)
        strange = [u for u in asked if u != file.as_uri() and not u.startswith(("data:", "blob:"))]
        seen.requests += len(asked)
        seen.of_exports += strange
        seen.outside += strange
        seen.exports += 1
        page.context.close()
