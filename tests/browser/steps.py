"""What a clinician does again and again in the browser; a step ends when the app has answered."""

import time
from contextlib import contextmanager, suppress

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from cacviz.store import paths

HEADINGS = {
    "Start": "Find patient subtypes that matter for an outcome",
    "Method": "How does it work?",
}
SEVERAL = ("Leave out", "Sensitive", "External check")


@contextmanager
def store_of(server):
    """Look into a server's data folder for a while."""
    with pytest.MonkeyPatch.context() as here:
        here.setenv(paths.DATA_DIR, str(server.data_dir))
        yield


def rest(page: Page) -> None:
    """Until the app has answered."""
    expect(page.locator('[data-test-script-state="notRunning"]')).to_be_attached()
    expect(page.locator("[data-stale=true]")).to_have_count(0)


def until(truth, seconds: float = 300):
    """Look again and again until it is true; the deadline is for what never comes."""
    deadline = time.monotonic() + seconds
    while not (found := truth()):
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.05)
    return found


def finished(page: Page, *, timeout: float = 300_000) -> None:
    """Until the run on this page is finished; beside other work that may take minutes."""
    expect(page.get_by_text("The run is finished.")).to_be_visible(timeout=timeout)


def upload(page: Page, path, *, timeout: float = 60_000) -> None:
    """Open a file as a cohort, and wait until it is there."""
    field = page.get_by_label("One row per patient or stay")
    field.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(path)
    expect(page.get_by_role("heading", name=path.name)).to_be_visible(timeout=timeout)
    rest(page)


def pick(page: Page, label: str, option: str) -> None:
    """Choose an option by its whole name, unless it is chosen already."""
    rest(page)  # while a page is drawn again, a box may stand there twice
    box = page.get_by_role("combobox", name=label, exact=True)
    box.evaluate("e => e.scrollIntoView({block: 'center'})")  # a list at the edge shuts at once
    choice = page.get_by_role("option", name=option, exact=True).first
    tags = page.get_by_test_id("stMultiSelect").filter(has=box).get_by_text(option, exact=True)
    until(lambda: tags.count() > 0 or _offered(box, choice, option))
    if label in SEVERAL:  # such a list stays open; Escape would clear a box for one
        page.keyboard.press("Escape")
    rest(page)


def _offered(box, choice, option: str) -> bool:
    """Type and click; False where the list shut because the page was drawn again meanwhile.

    Without the focus a box says what is chosen: what was before, or by a click that seemed lost.
    """
    box.blur()
    if box.input_value() == option:
        return True
    box.fill(option)
    try:
        choice.click(timeout=10_000)
    except TimeoutError:
        return False
    return True


def turn(page: Page, tab: str, shown: Locator) -> None:
    """Turn to a tab and see what is on it; a click on a page that is drawn again can be lost."""
    rest(page)
    until(lambda: _turned(page.get_by_role("tab", name=tab), shown))


def _turned(tab, shown) -> bool:
    with suppress(TimeoutError):
        tab.click(timeout=10_000)
    with suppress(AssertionError):
        expect(shown).to_be_visible(timeout=10_000)
        return True
    return False


def read_dictionary(page: Page, path) -> None:
    """Upload a data dictionary in the page Cohort."""
    field = page.get_by_label("Read a data dictionary")
    turn(page, "Data dictionary", field)
    field.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(path)
    expect(page.get_by_text("in the dictionary.")).to_be_visible()


def visit(page: Page, title: str) -> None:
    """Turn to a page by the sidebar."""
    heading = HEADINGS.get(title, title)
    there = page.get_by_role("heading", level=1, name=heading, exact=True)
    link = page.get_by_test_id("stSidebarNav").get_by_text(title, exact=True)
    until(lambda: _led(link, there))  # a page that is drawn again for a run that ends can take it
    rest(page)


def find_subtypes(page: Page, *, seconds: float = 300) -> None:
    """From the cohort to the page Find subtypes, and start a run there.

    The button that leads there bears the same words as the one that starts: it must be gone first.
    """
    there = page.get_by_role("heading", level=1, name="Find subtypes", exact=True)
    lead = page.get_by_role("button", name="Go on to Find subtypes")
    until(lambda: _led(lead, there), seconds=seconds)
    rest(page)
    page.get_by_role("button", name="Find subtypes", exact=True).click()


def _led(lead, there) -> bool:
    """Click unless it has led there; False where the page was drawn again under the click."""
    if there.count() == 0:
        with suppress(TimeoutError):
            lead.click(timeout=10_000)
        with suppress(AssertionError):
            expect(there).to_be_visible(timeout=20_000)
    return there.count() == 1


def drag_around(page, box):
    """A loop with the mouse around the middle of the map."""
    left, top = box["x"] + 0.15 * box["width"], box["y"] + 0.25 * box["height"]
    right, bottom = box["x"] + 0.8 * box["width"], box["y"] + 0.9 * box["height"]
    page.mouse.move(left, top)
    page.mouse.down()
    for x, y in ((right, top), (right, bottom), (left, bottom), (left, top + 5)):
        page.mouse.move(x, y, steps=8)
    page.mouse.up()


def at_rest(page, part):
    """Where a part of the page stands once nothing pushes it about any more."""
    rest(page)
    box, before = part.bounding_box(), None
    while box != before:
        page.evaluate(
            "() => new Promise(go => requestIdleCallback(() => requestAnimationFrame(go)))"
        )
        box, before = part.bounding_box(), box
    return box
