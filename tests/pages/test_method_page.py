"""Method: pictures that answer their sliders, the theorems for a run, a guide on every page."""

import pytest

from cacviz.store import insights
from cacviz.ui.shell.navigation import PAGES
from cacviz.wording.method import HEADINGS
from cacviz.wording.reading import READINGS, reading_of, words_of
from tests.pages.test_pages import words


@pytest.fixture
def page(show):
    app = show("method")
    assert not app.exception
    return app


def test_the_six_pictures_are_there_without_a_cohort(page):
    shown = [s.value for s in page.subheader]
    assert shown[:6] == list(HEADINGS.values())
    assert "Open a run to see the theorems" in words(page)


def test_alpha_beyond_its_critical_value_is_seen_to_collapse(page):
    page.slider(key="method_alpha").set_value(2.0).run()
    page.button(key="method_end").click().run()
    assert not page.exception
    assert "Collapsed" in page.warning[0].value
    page.slider(key="method_alpha").set_value(0.5).run()
    assert not page.warning
    assert page.slider(key="method_round").value == 0


def test_the_rounds_go_on_to_the_last_and_no_further(page):
    last = int(page.slider(key="method_round").max)
    for _ in range(last + 2):
        page.button(key="method_next").click().run()
    assert page.slider(key="method_round").value == last
    assert "nobody moves any more" in words(page)


def test_the_dial_says_when_subtypes_pay(page):
    assert "Here subtypes pay" in words(page)
    page.select_slider(key="method_turned").set_value(0.0).run()
    assert not page.exception
    assert "Here subtypes make no difference" in words(page)


def test_every_moment_of_the_training_is_shown(page):
    for moment in range(len(page.select_slider(key="method_moment").options)):
        page.select_slider(key="method_moment").set_value(moment).run()
        assert not page.exception
    assert "Stage 3" in words(page)


def test_the_theorems_of_the_open_run_are_those_that_were_computed(show, described_run):
    cohort_id, run_id = described_run
    found = insights.load_part(run_id, "theorems")
    app = show("method", cohort=cohort_id, run=run_id)
    assert not app.exception
    assert f"lies between the bounds in {len(found.subtypes)} of" in words(app)
    table = next(d.value for d in app.dataframe if "= bound" in d.value)
    assert list(table["Training patients"]) == [s.general.n for s in found.subtypes]
    assert list(table["= bound"]) == [f"{s.general.bound:.2f}" for s in found.subtypes]


def test_a_word_is_found_in_the_glossary(page):
    page.text_input(key="method_word").set_value("critical").run()
    said = words(page)
    assert "**Critical α.**" in said
    page.text_input(key="method_word").set_value("no such thing").run()
    assert "No word of the glossary" in words(page)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_says_how_to_read_it(name):
    """A page without lines of its own in wording/reading.py has those of every page."""
    assert reading_of(name).lines
    assert words_of(name)


def test_pages_of_a_run_have_lines_of_their_own():
    for name in ("subtypes", "what_differs", "risk_factors", "performance", "report", "runs"):
        assert reading_of(name) is READINGS[name]
    assert reading_of("bedside_rule") is READINGS["rule"]


def test_the_guide_stands_on_a_page(show):
    said = words(show("cohort"))
    assert "Words on this page" in said
    assert "**Leak.**" in said
