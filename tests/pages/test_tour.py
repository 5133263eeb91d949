"""The tour of the demo: five stops that can be left at any time, and come back after a reload."""

import pytest

from cacviz.ui.shell.navigation import PAGES
from cacviz.wording.tour import STOPS
from tests.wording.grammar import assert_sentence


def said(app):
    return " ".join(m.value for m in app.markdown)


def labels(app):
    return [b.label for b in app.button]


@pytest.mark.parametrize("stop", STOPS, ids=[s.page for s in STOPS])
def test_every_stop_is_a_page_with_a_question_and_sentences(stop):
    assert stop.page in PAGES
    assert stop.question.endswith("?")
    assert_sentence(stop.text.format(machine="this computer"))


def test_a_stop_that_the_address_names_says_what_to_look_at_and_the_way_on(show):
    app = show("cohort", tour="5")
    assert "Step 5 of 5" in said(app)
    assert STOPS[4].text.format(machine="this computer") in said(app)
    assert {"Back", "End the tour"} <= set(labels(app))


def test_on_another_page_the_tour_waits(show):
    app = show("cohort", tour="2")
    assert "It is on the page What differs." in said(app)
    assert "Go on with the tour" in labels(app)


def test_the_tour_can_be_left_and_does_not_come_back(show):
    app = show("cohort", tour="5")
    app.button(key="tour_leave").click().run()
    assert "Step 5" not in said(app)
    assert "tour" not in app.query_params
    assert "Step 5" not in said(app.run())


@pytest.mark.parametrize("number", ["0", "6", "x", "²", "-1"])
def test_a_stop_that_is_none_is_no_tour(show, number):
    app = show("cohort", tour=number)
    assert not app.exception
    assert "Leave the tour" not in labels(app)
