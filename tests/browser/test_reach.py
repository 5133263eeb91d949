"""Pages can be read with weaker eyes, on a telephone and without a mouse."""

import pytest
from playwright.sync_api import expect

from tests.browser.seeing import crowded, focused, pale_in_charts, pale_texts, too_wide
from tests.browser.steps import rest, until, visit

TITLES = ("Cohort", "Find subtypes", "Start", "Subtypes")


def demo(page, server):
    page.goto(server.url)
    page.get_by_role("button", name="Explore the demo ICU cohort").click()
    expect(page.get_by_role("heading", name="Patient map")).to_be_visible()
    rest(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_and_no_page_goes_sideways_on_a_telephone(page, server, scheme):
    page.emulate_media(color_scheme=scheme)
    demo(page, server)
    wide, narrow = page.viewport_size, {"width": 390, "height": 844}
    for title in TITLES:
        page.set_viewport_size(wide)
        visit(page, title)
        until(lambda: pale_texts(page) == [], seconds=30)  # what comes in is pale for a moment
        page.set_viewport_size(narrow)
        rest(page)
        until(lambda: not too_wide(page), seconds=30)  # tables follow a new width a little later


def test_a_pale_text_and_a_wide_box_would_be_found(page, server):
    page.goto(server.url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    rest(page)
    page.evaluate(
        "() => { const p = document.createElement('p'); p.textContent = 'hardly there';"
        "p.style.color = '#999'; p.style.background = '#fff'; p.style.width = '3000px';"
        "document.querySelector('[data-testid=stMainBlockContainer]').append(p) }"
    )
    until(lambda: pale_texts(page) == ["2.85: hardly there"], seconds=30)
    assert too_wide(page)


CHARTS = ("Subtypes", "What differs", "Risk factors", "Performance", "Bedside rule", "Treatment")


@pytest.mark.parametrize("width", [900, 1400])
def test_words_in_charts_keep_apart_and_inside(page, server, width):
    demo(page, server)
    page.set_viewport_size({"width": width, "height": 1000})
    for title in CHARTS:
        visit(page, title)
        until(lambda: crowded(page) == [], seconds=30)  # a chart is drawn in steps


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_in_charts_stand_out(page, server, scheme):
    page.emulate_media(color_scheme=scheme)
    demo(page, server)
    for title in ("Subtypes", "Performance", "Risk factors"):
        visit(page, title)
        expect(page.locator(".xtick text").first).to_be_attached()
        until(lambda: pale_in_charts(page) == [], seconds=30)


def test_words_on_each_other_and_beyond_a_chart_would_be_found(page, server):
    demo(page, server)
    expect(page.locator(".xtick text").nth(1)).to_be_attached()
    page.evaluate(
        "() => { const [one, other] = document.querySelectorAll('.xtick text');"
        "for (const name of ['x', 'y', 'transform'])"
        "  other.setAttribute(name, one.getAttribute(name) ?? '');"
        "document.querySelector('.ytick text').setAttribute('x', '-900') }"
    )
    found = crowded(page)
    assert any(line.startswith("on each other") for line in found)
    assert any(line.startswith("beyond its chart") for line in found)


def tab_to(page, name):
    """Press Tab until this has the focus; whatever had it before showed a ring."""
    for _ in range(60):
        page.keyboard.press("Tab")
        found = focused(page)
        assert found is not None, f"the keyboard does not reach {name}"
        if found["kind"] not in ("CANVAS", "MAIN"):  # tables mark a cell; the page only scrolls
            until(lambda: (focused(page) or {}).get("ring"), seconds=20)
        if name in found["name"]:
            return
    raise AssertionError(f"the keyboard does not reach {name}")


def test_tab_reaches_the_demo_and_the_button_that_finds_subtypes_with_a_ring(page, server):
    page.goto(server.url)
    expect(page.get_by_role("button", name="Explore the demo ICU cohort")).to_be_visible()
    rest(page)
    tab_to(page, "Explore the demo ICU cohort")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Patient map")).to_be_visible()
    visit(page, "Find subtypes")
    tab_to(page, "Number of subtypes (k)")
    tab_to(page, "Find subtypes")
    expect(page.get_by_role("button", name="Find subtypes")).to_be_focused()
