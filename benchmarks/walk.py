"""The whole walk over a real cohort in Chromium, with a picture and the words of each page.

    python -m benchmarks.walk heart cic --out DIR          # names of benchmarks.shared_cohorts
    python -m benchmarks.walk cic --clusters 8 --methods cac --out DIR
    python -m benchmarks.walk heart --pictures 1400-light,900-dark --out DIR

Uploads the file, decides as a clinician would, runs CAC and DeepCAC, turns to every page twice,
compares the methods, reloads and opens a second tab. Says where a second visit, a reload or another
tab shows other words than the first, where texts are pale, overlap or are cut, and where a page
is too wide; what else is wrong has to be seen in the pictures.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from benchmarks.contexts import chromium
from benchmarks.shared_cohorts import COHORTS, DATA, Case
from cacviz.store import insights, runs
from cacviz.ui.shell.navigation import PAGES
from tests.browser.chromium import FLAGS
from tests.browser.conftest import Server
from tests.browser.seeing import crowded, cut, pale_texts, too_wide
from tests.browser.steps import HEADINGS, pick, rest, store_of, until, upload, visit

TITLES = {"cac": "CAC (quick look)", "deepcac": "DeepCAC (full analysis)"}
ROLES = {
    "gbsg2": {"Time": "time", "Event": "cens"},
    "actg175": {"Time": "days", "Event": "cens", "Treatment": "arms", "Sensitive": "race"},
    "nwtco": {"Time": "edrel", "Event": "rel"},
}
RUN_PAGES = [
    "subtypes what_differs risk_factors performance bedside_rule treatment validate",
    "patient report runs find_subtypes cohort",
]
LONG = 3600_000
# what may differ from visit to visit: how long ago, and what a clock says
CLOCKS = re.compile(
    r"(just now|a moment ago|\d+ (second|minute|hour|day)s? ago|\d+(\.\d+)? (s|min)\b)"
)


class Walk:
    """One cohort, one server, one folder of pictures and words."""

    def __init__(self, case: Case, args, server: Server, browser):
        self.case, self.args, self.server, self.browser = case, args, server, browser
        self.folder = args.out / (case.name + (f"_k{args.clusters}" if args.clusters != 3 else ""))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.page = self.window("1400-light")
        self.began = time.monotonic()

    def window(self, form: str):
        width, scheme = form.split("-")
        context = self.browser.new_context(
            viewport={"width": int(width), "height": 1000}, color_scheme=scheme
        )
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.on("pageerror", lambda error: self.found("error", str(error)))
        return page

    def found(self, where: str, what: str) -> None:
        line = f"{self.case.name}: {where}: {what}"
        print(line, flush=True)
        with (self.folder / "found.txt").open("a") as kept:
            kept.write(line + "\n")

    def say(self, what: str) -> None:
        print(f"{self.case.name} {time.monotonic() - self.began:5.0f} s: {what}", flush=True)

    def decide(self) -> None:
        """Upload the file and decide what it is."""
        self.page.goto(f"{self.server.url}/cohort")
        upload(self.page, DATA / self.case.path, timeout=LONG)
        pick(self.page, "Outcome column", self.case.outcome)
        if self.case.cuts:
            self.page.get_by_text("Cut at points", exact=True).click()
            field = self.page.get_by_role("textbox", name="Cut points, separated by commas")
            field.fill(", ".join(f"{c:g}" for c in self.case.cuts))
            field.press("Enter")
            rest(self.page)
        if self.case.id:
            pick(self.page, "Patient id", self.case.id)
        roles = ROLES.get(self.case.name, {})
        for label, column in roles.items():
            pick(self.page, label, column)
        for column in self.case.drop:
            if column not in roles.values():
                pick(self.page, "Leave out", column)
        side = self.page.get_by_test_id("stSidebar").get_by_text("Outcome: ")
        expect(side).to_be_visible()
        self.say(side.inner_text())

    def find(self, method: str) -> str:
        """A run by this method, with all its insights: its id."""
        visit(self.page, "Find subtypes")
        pick(self.page, "Method", TITLES[method])
        self.slide(self.args.clusters)
        before = {row.id for row in self.runs()}
        self.page.get_by_role("button", name="Find subtypes", exact=True).click()
        new = until(lambda: [r for r in self.runs() if r.id not in before], seconds=120)[0]
        until(lambda: next(r for r in self.runs() if r.id == new.id).state == "done", seconds=7200)
        expect(self.page.get_by_text("The run is finished.")).to_be_visible(timeout=LONG)
        with store_of(self.server):
            until(lambda: "coming" not in insights.part_states(new.id).values(), seconds=3600)
        return new.id

    def slide(self, k: int) -> None:
        """Set k by the keyboard, step by step, as the app answers."""
        thumb = self.page.get_by_role("slider", name="Number of subtypes (k)")
        value = thumb.evaluate("e => Number(e.value ?? e.getAttribute('aria-valuenow'))")
        for _ in range(abs(k - int(value))):
            thumb.press("ArrowRight" if value < k else "ArrowLeft")
            rest(self.page)

    def runs(self):
        with store_of(self.server):
            return runs.list_runs()

    def words(self, page, where: str) -> str:
        """What the page says, kept beside its picture."""
        said = page.get_by_test_id("stMain").inner_text()
        (self.folder / f"{where}.txt").write_text(said)
        return CLOCKS.sub("…", said)

    def settle(self, page) -> None:
        rest(page)
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
        page.wait_for_timeout(700)  # plotly's own transitions have no state to wait for

    def picture(self, page, where: str) -> None:
        """The whole page as one picture, and what of it is wrong without eyes."""
        self.settle(page)
        wide = page.viewport_size["width"]
        high = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollHeight")
        page.set_viewport_size({"width": wide, "height": min(9000, max(1000, high))})
        self.settle(page)
        for what, seen in (("pale", pale_texts), ("chart", crowded), ("cut", cut)):
            for line in dict.fromkeys(seen(page)):
                self.found(where, f"{what}: {line}")
        if too_wide(page):
            self.found(where, "too wide")
        if page.get_by_test_id("stException").count():
            self.found(where, "an error is shown")
        page.screenshot(path=self.folder / f"{where}.png")
        page.set_viewport_size({"width": wide, "height": 1000})

    def pages(self, run_id: str, method: str) -> None:
        """Every page of a run, twice by the sidebar; then in each form by its address."""
        names = " ".join(RUN_PAGES).split()
        self.page.goto(f"{self.server.url}/subtypes?run={run_id}")
        first = {}
        for turn in (1, 2):
            for name in names:
                visit(self.page, PAGES[name][0])
                self.settle(self.page)
                said = self.words(self.page, f"{method}_{name}")
                if turn == 2 and said != first[name]:
                    self.other(f"{method}_{name}", "second visit", first[name], said)
                first[name] = said
        for form in self.args.pictures.split(","):
            window = self.window(form)
            for name in names:
                window.goto(f"{self.server.url}/{name}?run={run_id}")
                heading = HEADINGS.get(PAGES[name][0], PAGES[name][0])
                expect(window.get_by_role("heading", level=1, name=heading)).to_be_visible()
                self.picture(window, f"{method}_{name}_{form}")
            window.context.close()

    def other(self, where: str, what: str, before: str, after: str) -> None:
        """The first line that is another one now."""
        was, now = before.splitlines(), after.splitlines()
        pair = next(((a, b) for a, b in zip(was, now, strict=False) if a != b), ("(end)", "(end)"))
        self.found(where, f"{what} says another thing: {pair[0][:90]!r}, now {pair[1][:90]!r}")

    def compare(self) -> None:
        """CAC and DeepCAC beside the controls, to the end."""
        visit(self.page, "Compare")
        for title in ("KM-Z", "DMNN"):
            self.page.get_by_label(f"Remove {title}", exact=True).click()
            rest(self.page)
        self.page.get_by_role("button", name="Compare", exact=True).click()
        expect(self.page.get_by_text("You can leave this page")).to_be_visible()
        expect(self.page.get_by_text("You can leave this page")).to_have_count(0, timeout=LONG)
        self.words(self.page, "compare")
        for form in self.args.pictures.split(","):
            window = self.window(form)
            window.goto(self.page.url)
            expect(window.get_by_role("heading", level=1, name="Compare")).to_be_visible()
            self.picture(window, f"compare_{form}")
            window.context.close()

    def again(self) -> None:
        """A reload and a second tab say what the sidebar said."""
        side = self.page.get_by_test_id("stSidebar").inner_text()
        self.page.reload()
        self.settle(self.page)
        second = self.window("1400-dark")
        second.goto(self.page.url)
        expect(second.get_by_role("heading", level=1)).to_be_visible()
        self.settle(second)
        for what, page in (("reload", self.page), ("second tab", second)):
            said = page.get_by_test_id("stSidebar").inner_text()
            if CLOCKS.sub("…", said) != CLOCKS.sub("…", side):
                self.other("sidebar", what, CLOCKS.sub("…", side), CLOCKS.sub("…", said))
        second.context.close()

    def whole(self) -> None:
        self.decide()
        self.say("decided")
        for method in self.args.methods.split(","):
            run_id = self.find(method)
            self.say(f"{method} found")
            self.pages(run_id, method)
            self.say(f"{method} seen")
        if self.args.compare:
            self.compare()
            self.say("compared")
            self.page.goto(f"{self.server.url}/subtypes?run={run_id}")
            self.picture(self.page, "after_compare_subtypes")
            self.words(self.page, "after_compare_subtypes")
        self.again()
        self.say("walked")
        self.page.context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="+", help=", ".join(case.name for case in COHORTS))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--clusters", type=int, default=3)
    parser.add_argument("--methods", default="cac,deepcac")
    parser.add_argument("--pictures", default="1400-light,900-dark,1400-dark,900-light")
    parser.add_argument("--no-compare", dest="compare", action="store_false")
    args = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"The real cohorts are not at {DATA}.")
    cases = {case.name: case for case in COHORTS}
    for name in args.names:
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made,
            sync_playwright() as p,
        ):
            server = Server(Path(made)).start()
            try:
                browser = p.chromium.launch(executable_path=chromium(), args=FLAGS)
                Walk(cases[name], args, server, browser).whole()
                browser.close()
            finally:
                server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
