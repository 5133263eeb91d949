"""The README's pictures and its short film, of the demo as the app shows it today.

    python -m benchmarks.pictures               # .readme/*.png and .readme/demo.webp

The film goes from Start through the pages of the shipped demo run; each is shown for two seconds.
"""

import argparse
import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from benchmarks.contexts import chromium
from tests.browser.chromium import FLAGS
from tests.browser.conftest import Server
from tests.browser.steps import HEADINGS, rest

PICTURES = Path(__file__).parents[1] / ".readme"
LARGEST = 3_000_000  # bytes of the film
WIDE, FILM = {"width": 1400, "height": 1000}, (980, 700)
SECONDS_EACH = 2.0
# Each page with the heading to which it is scrolled; "" is the top.
SCENES = (
    ("Subtypes", ""),
    ("Subtypes", "Patient map"),
    ("What differs", ""),
    ("Risk factors", ""),
    ("Performance", ""),
    ("Patient", ""),
    ("Bedside rule", ""),
    ("Compare", ""),
    ("Method", ""),
)
KEPT = {("Subtypes", ""): "subtypes"}


def scenes(page, url):
    """Start, then the demo's pages one by one: (name, picture)."""
    page.goto(url)
    _settle(page, "Start")
    yield ("Start", ""), page.screenshot()
    page.get_by_role("button", name="Explore the demo ICU cohort").click()
    _settle(page, "Subtypes")
    for title, heading in SCENES:
        page.get_by_test_id("stSidebarNavLink").get_by_text(title, exact=True).click()
        _settle(page, title)
        if heading:
            page.get_by_role("heading", name=heading).evaluate("e => e.scrollIntoView()")
            page.wait_for_timeout(500)
        yield (title, heading), page.screenshot()


def _settle(page, title):
    """The page is there and nothing of it moves any more."""
    expect(page.get_by_role("heading", level=1)).to_contain_text(HEADINGS.get(title, title))
    rest(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    page.wait_for_timeout(1500)  # plotly's own transitions have no state to wait for


def film(pictures, path):
    """One animated picture, in the best quality that stays small enough."""
    frames = [Image.open(io.BytesIO(p)).convert("RGB").resize(FILM) for p in pictures]
    each = int(1000 * SECONDS_EACH)
    for quality in (80, 60, 40, 20):
        frames[0].save(
            path, save_all=True, append_images=frames[1:], duration=each, loop=0, quality=quality
        )
        if path.stat().st_size <= LARGEST:
            return quality
    raise SystemExit(f"{path} is {path.stat().st_size:,} bytes, above {LARGEST:,}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=PICTURES)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        server = Server(Path(made)).start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
                page = browser.new_page(viewport=WIDE)
                page.set_default_timeout(120_000)
                taken = dict(scenes(page, server.url))
                browser.close()
        finally:
            server.close()
    for scene, name in KEPT.items():
        (args.out / f"{name}.png").write_bytes(taken[scene])
    path = args.out / "demo.webp"
    quality = film(taken.values(), path)
    print(f"{path.name}: {len(taken)} scenes, {path.stat().st_size:,} bytes, quality {quality}")


if __name__ == "__main__":
    main()
