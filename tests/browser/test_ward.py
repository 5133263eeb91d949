"""Two people of a ward in a real browser: one opens a file, the other sees nothing of it."""

import pytest
from playwright.sync_api import expect

from tests.browser.steps import rest, upload, visit
from tests.trust.conftest import ward  # noqa: F401

pytestmark = pytest.mark.worker


def comes(browser, server, person):
    """A page of this person, who opened the address with the token."""
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{server.url}/cohort?token={person.token}")
    expect(page.get_by_role("heading", level=1, name="Cohort")).to_be_visible()
    rest(page)
    return page


def test_a_file_that_one_person_opens_is_nowhere_for_another(browser, ward, tmp_path):  # noqa: F811
    server, (ann, ben, _) = ward
    file = tmp_path / "SECRETfile.csv"
    rows = "\n".join(f"{i},{i % 7},{'SECRETlevel' if i % 3 else 'b'},{i % 2}" for i in range(60))
    file.write_text(f"id,SECRETcolumn,kind,died\n{rows}\n")
    mine, other = comes(browser, server, ann), comes(browser, server, ben)
    assert "token" not in mine.url
    expect(mine.get_by_text("Your data stays on this server")).to_be_visible()
    expect(mine.get_by_role("tab", name="A path on this computer")).to_have_count(0)
    if mine.get_by_text("Open another cohort").count():
        mine.get_by_text("Open another cohort").click()
    upload(mine, file)
    address = mine.url
    for url in (f"{server.url}/cohort", f"{server.url}/start", address):
        other.goto(url)
        expect(other.get_by_role("heading", level=1)).to_be_visible()
        rest(other)
        assert "SECRET" not in other.content() + other.title()
    for title in ("Start", "Find subtypes", "Cohort"):
        visit(mine, title)
        assert "this computer" not in mine.locator("body").inner_text(), title
    cookies = {c["name"]: c for c in mine.context.cookies()}
    assert cookies["cacviz_person"]["httpOnly"]
    assert cookies["cacviz_person"]["sameSite"] == "Lax"
    for page in (mine, other):
        page.context.close()
